import { describe, expect, it } from 'vitest'
import { abiLines } from './abi-lines.ts'
import { faultsOf } from './build.ts'
import { chooseRunner } from './choose-runner.ts'
import { forgeCounts } from './run-forge.ts'
import { parseTestFilter } from './test-filter.ts'

describe('the runner of Solidity tests', () => {
  it('is forge where there is one, unless told otherwise', () => {
    expect(chooseRunner('', true)).toBe('forge')
    expect(chooseRunner('', false)).toBe('edr')
    expect(chooseRunner('edr', true)).toBe('edr')
    expect(() => chooseRunner('forge', false)).toThrow('no forge for this platform')
    expect(() => chooseRunner('hardhat', true)).toThrow('forge or edr, not hardhat')
  })

  it("takes forge's options that both know, and refuses any other", () => {
    const { path, test } = parseTestFilter(['--match-path', 'test/lending/*', '--match-test', 'test_gas_'])
    expect(path?.test('test/lending/gas/MarketGas.t.sol')).toBe(true)
    expect(path?.test('test/stocks/lending/Some.t.sol')).toBe(false)
    expect(test?.test('test_gas_open')).toBe(true)
    expect(() => parseTestFilter(['--gas-report'])).toThrow('--gas-report')
  })

  it('counts what forge says it ran', () => {
    const said =
      'Ran 150 test suites in 2s (4s CPU time): \u001b[32m1072\u001b[0m tests passed, 0 failed, 1 skipped (1073 total)'
    expect(forgeCounts(said)).toEqual({ passed: 1072, failed: 0, skipped: 1 })
    expect(forgeCounts('Error: Compiler run failed')).toBeUndefined()
  })
})

describe("the compiler's answer", () => {
  it('has warnings as faults, but for those that forge leaves out too', () => {
    const of = (severity: string, errorCode: string) => ({ severity, errorCode, formattedMessage: errorCode })
    const errors = [of('error', '1'), of('warning', '2072'), of('warning', '5574'), of('info', '3')]
    expect(faultsOf({ errors, sources: {}, contracts: {} })).toEqual(['1', '2072'])
  })

  it('becomes the same ABI in whatever order it comes', () => {
    const parameter = {
      internalType: 'struct Some',
      type: 'tuple',
      name: 'it',
      components: [{ type: 'uint8', name: 'a' }],
    }
    const abi = [
      { type: 'error', name: 'Alas', inputs: [] },
      { stateMutability: 'view', outputs: [], inputs: [parameter], type: 'function', name: 'b' },
      { type: 'function', name: 'a', inputs: [], outputs: [], stateMutability: 'view' },
    ]
    const lines = [
      '{"type":"function","name":"a","inputs":[],"outputs":[],"stateMutability":"view"}',
      '{"type":"function","name":"b","inputs":[{"name":"it","type":"tuple","components":[{"name":"a","type":"uint8"}]}],"outputs":[],"stateMutability":"view"}',
      '{"type":"error","name":"Alas","inputs":[]}',
    ]
    expect(abiLines(abi)).toEqual(lines)
    expect(abiLines(abi.toReversed())).toEqual(lines)
  })
})
