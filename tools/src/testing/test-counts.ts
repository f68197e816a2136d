import { existsSync, readFileSync } from 'node:fs'

export type TestCounts = { passed: number; failed: number }

type JsonReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/**
 * Counts from vitest's JSON report. A file that failed outside of its tests (an import, a hook) counts as one failure, and
 * so does a run that ended badly without any failed test, such as one that wrote no report.
 */
export function countTests(reportFile: string, exitCode: number): TestCounts {
  const counts = existsSync(reportFile)
    ? countReport(JSON.parse(readFileSync(reportFile, 'utf8')) as JsonReport)
    : { passed: 0, failed: 0 }
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function countReport({ numPassedTests, numFailedTests, testResults }: JsonReport): TestCounts {
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length }
}
