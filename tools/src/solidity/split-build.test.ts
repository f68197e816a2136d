import { describe, expect, it } from 'vitest'
import type { CompilerInput, CompilerOutput } from './compiler.ts'
import { CREATOR_FILE } from './created-by-name.ts'
import { mergedOutput, splitBuild } from './split-build.ts'

const wanted = { '*': ['abi', 'evm.bytecode.object', 'evm.bytecode.sourceMap'] }
const buildOf = (requested: string[]): CompilerInput => ({
  language: 'Solidity',
  sources: {
    'src/Thing.sol': { content: 'contract Thing {}' },
    'test/Thing.t.sol': {
      content: 'import {Thing} from "../src/Thing.sol";\ncontract ThingTest { Thing t = new Thing(); }\n',
    },
    'test/invariant/ThingHandler.sol': { content: 'contract ThingHandler {}' },
    'test/libraries/Maths.t.sol': { content: 'contract MathsTest {}' },
  },
  settings: {
    optimizer: { enabled: true, runs: 200 },
    outputSelection: Object.fromEntries(requested.map((path) => [path, wanted])),
  },
})
const EVERYTHING = [
  'src/Thing.sol',
  'test/Thing.t.sol',
  'test/invariant/ThingHandler.sol',
  'test/libraries/Maths.t.sol',
]

describe('a build in parts', () => {
  it('leaves what is deployed, and the tests that hold code of it, as they are', () => {
    const input = buildOf(EVERYTHING)
    const [deployed] = splitBuild(input)
    expect(deployed?.sources).toEqual(input.sources)
    expect(deployed?.settings.optimizer).toEqual({ enabled: true, runs: 200 })
    expect(Object.keys(deployed?.settings.outputSelection ?? {})).toEqual([
      'src/Thing.sol',
      'test/libraries/Maths.t.sol',
    ])
  })

  it('does not optimize the other tests, which find the rest by name', () => {
    const [, suites] = splitBuild(buildOf(EVERYTHING))
    expect(suites?.settings.optimizer).toMatchObject({ enabled: false })
    const withoutPlaces = { '*': ['abi', 'evm.bytecode.object'] }
    expect(suites?.settings.outputSelection).toEqual({
      'test/Thing.t.sol': withoutPlaces,
      'test/invariant/ThingHandler.sol': withoutPlaces,
    })
    expect(suites?.sources['test/Thing.t.sol']?.content).toContain('createByName({artifact: "src/Thing.sol:Thing"')
    expect(Object.keys(suites?.sources ?? {})).toContain(CREATOR_FILE)
  })

  it('refuses a suite that would hold deployed code as another one', () => {
    const input = buildOf(EVERYTHING)
    const content = 'import {Thing} from "../src/Thing.sol";\ncontract Next is Thing {}'
    expect(() => splitBuild({ ...input, sources: { ...input.sources, 'test/Next.t.sol': { content } } })).toThrow(
      'Next, which is a Thing, needs a file of its own',
    )
  })

  it('has only the parts of which something is wanted', () => {
    expect(splitBuild(buildOf(['src/Thing.sol']))).toHaveLength(1)
    expect(splitBuild(buildOf(['test/Thing.t.sol']))[0]?.settings.optimizer).toMatchObject({ enabled: false })
    expect(splitBuild(buildOf([]))).toEqual([])
  })

  it('becomes one answer: all contracts, the warnings once, the faults of every part', () => {
    const warning = { severity: 'warning', formattedMessage: 'unused' }
    const fault = { severity: 'error', formattedMessage: 'stack too deep' }
    const contract = { abi: [], evm: { bytecode: { object: '' }, deployedBytecode: { object: '' } } }
    const first: CompilerOutput = { sources: { a: {} }, errors: [warning], contracts: { 'a.sol': { A: contract } } }
    const second: CompilerOutput = {
      sources: { b: {} },
      errors: [warning, fault],
      contracts: { 'b.sol': { B: contract } },
    }
    expect(mergedOutput([first, second])).toEqual({
      sources: { a: {} },
      errors: [warning, fault],
      contracts: { 'a.sol': { A: contract }, 'b.sol': { B: contract } },
    })
    expect(mergedOutput([])).toEqual({ sources: {}, contracts: {} })
  })
})
