import { buildContracts, contractsFolder, type NamedContract } from './solidity/build.ts'
import { chooseRunner } from './solidity/choose-runner.ts'
import { readFoundryConfig } from './solidity/foundry-config.ts'
import { writeSnapshots } from './solidity/gas-snapshots.ts'
import { runUnderEdr } from './solidity/run-edr.ts'
import { runForge } from './solidity/run-forge.ts'
import { countTests, shallowTests, suiteLines, type TestCounts } from './solidity/suite-report.ts'
import { inlineSettings, suitesOf, testsOf } from './solidity/suites.ts'
import { parseTestFilter, type TestFilter } from './solidity/test-filter.ts'

// Runs the tests of the contracts under forge where it is installed and under EDR elsewhere; SOLIDITY_RUNNER=forge|edr
// decides. FOUNDRY_PROFILE and FOUNDRY_SNAPSHOTS mean to both what they mean to forge.
const { FOUNDRY_PROFILE: profile, FOUNDRY_SNAPSHOTS: snapshots = `${contractsFolder}/snapshots` } = process.env
const args = process.argv.slice(2)

/** All but what the options leave out: tests that are compiled in and never run would be the ones nobody misses. */
function chosenSuites(contracts: readonly NamedContract[], { path, contract, test }: TestFilter): NamedContract[] {
  return suitesOf(contracts).filter(
    (suite) =>
      (path?.test(suite.source) ?? true) &&
      (contract?.test(suite.name) ?? true) &&
      testsOf(suite).some((name) => test?.test(name) ?? true),
  )
}

const countedTests = (suites: readonly NamedContract[], { test }: TestFilter) =>
  suites.flatMap(testsOf).filter((name) => test?.test(name) ?? true).length

/** Whether nothing failed and as many tests ran as are compiled in, and not none. */
function conclude(runner: string, counts: TestCounts, suites: number, expected: number, startedAt: number): boolean {
  const { passed, failed, skipped } = counts
  const ran = passed + failed + skipped
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(
    `${ran} tests of ${suites} suites ran under ${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds} s)`,
  )
  if (ran !== expected) console.error(`${expected} tests are compiled in, but ${ran} ran`)
  return failed === 0 && ran === expected && ran > 0
}

async function runWithEdr(): Promise<boolean> {
  const filter = parseTestFilter(args)
  const config = readFoundryConfig(contractsFolder, profile)
  const contracts = await buildContracts()
  const suites = chosenSuites(contracts, filter)
  const ignored = inlineSettings(contractsFolder, suites)
  if (ignored.length > 0) throw new Error(`only forge knows settings within a test:\n${ignored.join('\n')}`)
  const startedAt = performance.now()
  const results = await runUnderEdr(contracts, suites, config, {
    contractsFolder,
    ...(filter.test === undefined ? {} : { testPattern: filter.test.source }),
    onSuite: (suite) => console.log(suiteLines(suite, config).join('\n')),
  })
  if (config.gas_snapshot_emit) writeSnapshots(snapshots, results)
  const isDeep = results.every((suite) => shallowTests(suite, config).length === 0)
  return conclude('EDR', countTests(results), results.length, countedTests(suites, filter), startedAt) && isDeep
}

async function runWithForge(): Promise<boolean> {
  const startedAt = performance.now()
  const { exitCode, counts } = await runForge(['test', ...args], contractsFolder)
  if (exitCode !== 0 || counts === undefined) return false
  // What else may be asked of forge is not understood here, so that only whole runs are counted.
  if (args.length > 0) return true
  const suites = suitesOf(await buildContracts())
  return conclude('forge', counts, suites.length, countedTests(suites, {}), startedAt)
}

const passed = chooseRunner() === 'forge' ? await runWithForge() : await runWithEdr()
// The engine's threads would keep the process alive.
process.exit(passed ? 0 : 1)
