import type { EdrCall, EdrSuiteResult, EdrTestResult } from './edr.ts'
import type { FoundryConfig } from './foundry-config.ts'

export type TestCounts = { passed: number; failed: number; skipped: number }

export function countTests(suites: readonly EdrSuiteResult[]): TestCounts {
  const statuses = suites.flatMap(({ testResults }) => testResults.map(({ status }) => status))
  const count = (wanted: EdrTestResult['status']) => statuses.filter((status) => status === wanted).length
  return { passed: count('Success'), failed: count('Failure'), skipped: count('Skipped') }
}

/** One line per suite; more for what failed, and for tests that ran less often than they should. */
export function suiteLines(suite: EdrSuiteResult, config: FoundryConfig): string[] {
  const { passed, failed, skipped } = countTests([suite])
  const seconds = (Number(suite.durationNs) / 1e9).toFixed(1)
  const verdict = failed > 0 ? 'FAILED' : 'ok'
  return [
    `${verdict} ${suite.id.source}:${suite.id.name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds} s)`,
    ...suite.warnings.map((warning) => `  warning: ${warning}`),
    ...suite.testResults.filter(({ status }) => status === 'Failure').flatMap(failureLines),
    ...shallowTests(suite, config).map((line) => `  ${line}`),
  ]
}

function failureLines({ name, reason, counterexample, decodedLogs }: EdrTestResult): string[] {
  return [
    `  FAILED ${name}: ${reason ?? 'no reason given'}`,
    ...callsOf(counterexample).map((call) => `    with ${renderCall(call)}`),
    ...decodedLogs.map((line) => `    log: ${line}`),
  ]
}

function callsOf(counterexample: EdrTestResult['counterexample']): EdrCall[] {
  if (!counterexample) return []
  return 'sequence' in counterexample ? counterexample.sequence : [counterexample]
}

const renderCall = ({ contractName = '', signature = '', args = '' }: EdrCall) =>
  `${contractName}${contractName && '.'}${signature.replace(/\(.*/, '')}(${args})`

/** Passed tests that were not run as often as the configuration says. */
export function shallowTests({ testResults }: EdrSuiteResult, { fuzz, invariant }: FoundryConfig): string[] {
  return testResults.flatMap(({ name, status, kind: { runs, calls } }) => {
    if (status !== 'Success' || runs === undefined) return []
    const wanted = calls === undefined ? fuzz.runs : invariant.runs
    return runs < wanted ? [`${name}: ${runs} runs, not ${wanted}`] : []
  })
}
