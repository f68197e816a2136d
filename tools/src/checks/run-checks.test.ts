import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Check } from './check.ts'
import { type FinishedCheck, runChecks } from './run-checks.ts'

describe('running checks', () => {
  const passing = { passed: true, output: '' }

  it('keeps to the order and the limit, and never runs two checks of one resource at once', async () => {
    const started: string[] = []
    const running = new Set<string>()
    const overlaps: string[][] = []
    const check = (name: string, milliseconds: number, resource?: string): Check => ({
      name,
      ...(resource === undefined ? {} : { resource }),
      run: async () => {
        started.push(name)
        running.add(name)
        overlaps.push([...running])
        await sleep(milliseconds)
        running.delete(name)
        return passing
      },
    })
    const checks = [check('a', 40), check('build', 60, 'forge'), check('compare', 5, 'forge'), check('b', 5)]
    expect(await runChecks(checks, 2, () => {})).toBe(true)
    expect(started).toEqual(['a', 'build', 'b', 'compare'])
    expect(Math.max(...overlaps.map((names) => names.length))).toBe(2)
    expect(overlaps.some((names) => names.includes('build') && names.includes('compare'))).toBe(false)
  })

  it('goes on after a failure and a crash, and says no in the end', async () => {
    const finished: FinishedCheck[] = []
    const checks: Check[] = [
      { name: 'fails', run: async () => ({ passed: false, output: 'wrong here' }) },
      { name: 'crashes', run: () => Promise.reject(new Error('no such tool')) },
      { name: 'passes', run: async () => passing },
    ]
    expect(await runChecks(checks, 1, (each) => finished.push(each))).toBe(false)
    expect(finished.map(({ name, passed }) => [name, passed])).toEqual([
      ['fails', false],
      ['crashes', false],
      ['passes', true],
    ])
    expect(finished[1]?.output).toContain('no such tool')
  })
})
