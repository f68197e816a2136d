import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeTemporaryTree } from '../support/temporary-tree.ts'
import { countTests } from './test-counts.ts'

describe('test counts', () => {
  const count = (exitCode: number, files: { status: string; tests: string[] }[]) => {
    const outcomes = files.flatMap(({ tests }) => tests)
    const report = {
      numPassedTests: outcomes.filter((outcome) => outcome === 'passed').length,
      numFailedTests: outcomes.filter((outcome) => outcome === 'failed').length,
      testResults: files.map(({ status, tests }) => ({
        status,
        assertionResults: tests.map((outcome) => ({ status: outcome })),
      })),
    }
    const tree = writeTemporaryTree({ 'report.json': JSON.stringify(report) })
    const counts = countTests(join(tree.root, 'report.json'), exitCode)
    tree.remove()
    return counts
  }

  it('adds up the tests', () => {
    expect(count(0, [{ status: 'passed', tests: ['passed', 'passed'] }])).toEqual({ passed: 2, failed: 0 })
    expect(count(1, [{ status: 'failed', tests: ['passed', 'failed'] }])).toEqual({ passed: 1, failed: 1 })
  })

  it('counts a file that failed outside of its tests', () => {
    const files = [
      { status: 'failed', tests: [] },
      { status: 'passed', tests: ['passed'] },
    ]
    expect(count(1, files)).toEqual({ passed: 1, failed: 1 })
  })

  it('never calls a run good that ended badly', () => {
    expect(count(1, [{ status: 'passed', tests: ['passed'] }])).toEqual({ passed: 1, failed: 1 })
    expect(countTests('/nowhere/report.json', 1)).toEqual({ passed: 0, failed: 1 })
  })
})
