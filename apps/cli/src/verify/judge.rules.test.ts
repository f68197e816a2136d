import type { AnsweredCall, Rendered } from '@tallystick/server/clear-signing'
import { type Address, maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Answer } from './answer.rules.ts'
import { findingCodes } from './findings.rules.ts'
import { type CallFacts, type Facts, type Holder, judge } from './judge.rules.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as Address
const [market, token, signer, other] = [at('a'), at('c'), at('5'), at('b')]
const approval: AnsweredCall = {
  to: token,
  data: '0x095ea7b3',
  value: '0',
  chainId: 1,
  functionName: 'approve',
  description: 'Lets the market take 5 EURX.',
  signer,
  at: 'data.transaction',
}
const field = (path: string, value: unknown, format: 'addressName' | 'tokenAmount', text: string) =>
  ({ path, label: path, format, text, values: [value], texts: [text] }) as const
const rendered = (spender: Address, value: bigint): Rendered => ({
  contractName: 'Token',
  functionName: 'approve',
  intent: 'Allow a spender',
  sentence: '',
  fields: [
    field('spender', spender, 'addressName', spender),
    field('value', value, 'tokenAmount', `${value / 1_000_000n} EURX`),
  ],
})
const known = { name: 'LendingMarket', because: 'a test', tokens: { borrowAsset: token } }
const seen: CallFacts = {
  hasCode: true,
  contract: { name: 'Token', because: 'a test', tokens: null },
  implementation: null,
  rendered: rendered(market, 5_000_000n),
  spender: { address: market, contract: known },
}
const facts: Facts = {
  chainId: 1,
  recordChainId: 1,
  notOurs: [],
  calls: [seen],
  simulated: { success: true, error: null, moves: [], allowances: [] },
}

function codes(
  changed: {
    call?: Partial<AnsweredCall>
    seen?: Partial<CallFacts>
    facts?: Partial<Facts>
    answer?: Partial<Answer>
  },
  holder: Partial<Holder> = {},
): string[] {
  const answer: Answer = { calls: [{ ...approval, ...changed.call }], success: true, findings: [], ...changed.answer }
  const all = { ...facts, calls: [{ ...seen, ...changed.seen }], ...changed.facts }
  return judge(answer, all, { known: [], ...holder }).map(({ code }) => code)
}

describe('a call', () => {
  it('that everything agrees with has nothing against it', () => {
    expect(codes({})).toEqual([])
    expect(codes({}, { from: signer, request: { amount: '5', token } })).toEqual([])
  })

  it.each<[string, Parameters<typeof codes>, string[]]>([
    ['is for another chain', [{ call: { chainId: 5 } }], ['CHAIN_MISMATCH']],
    ['says no chain', [{ call: { chainId: null } }], ['CHAIN_UNSAID']],
    ['sends ether', [{ call: { value: '1' } }], ['VALUE_NOT_ZERO']],
    ['creates a contract', [{ call: { to: null }, seen: { spender: null, rendered: null } }], ['CREATES_CONTRACT']],
    ['calls nothing', [{ seen: { hasCode: false } }], ['CONTRACT_MISSING']],
    ['calls a stranger', [{ seen: { contract: null } }], ['CONTRACT_UNKNOWN']],
    ['calls whom its holder knows', [{ seen: { contract: null } }, { known: [token] }], []],
    [
      'runs another implementation',
      [{ seen: { implementation: { runs: other, recorded: market } } }],
      ['IMPLEMENTATION_NOT_CURRENT'],
    ],
    ['is of no known function', [{ seen: { rendered: null, spender: null } }], ['FUNCTION_UNKNOWN']],
    ['is called otherwise', [{ call: { functionName: 'transfer' } }], ['FUNCTION_MISMATCH']],
    ['has another amount', [{ call: { description: 'Lets it take 6 EURX.' } }], ['AMOUNT_MISMATCH']],
    ['has another address', [{ call: { description: `For ${other}.` } }], ['ADDRESS_MISMATCH']],
    ['has another loan', [{ call: { description: 'For loan 7.' } }], ['FIGURE_MISMATCH']],
    ['is for a stranger', [{ seen: { spender: { address: other, contract: null } } }], ['SPENDER_UNKNOWN']],
    [
      'is of another token',
      [{ seen: { spender: { address: market, contract: { ...known, tokens: { borrowAsset: other } } } } }],
      ['TOKEN_NOT_OF_CONTRACT'],
    ],
    [
      'has no end',
      [{ call: { description: null }, seen: { rendered: rendered(market, maxUint256) } }],
      ['ALLOWANCE_UNLIMITED'],
    ],
    ['names no signer', [{ call: { signer: null } }], ['SIGNER_UNKNOWN']],
    ['is for another wallet', [{}, { from: other }], ['SIGNER_MISMATCH']],
    ['carries another amount than was asked', [{}, { request: { amount: '4' } }], ['NOT_REQUESTED']],
    ['carries ten times what was asked', [{}, { request: { amount: '0.5' } }], ['NOT_REQUESTED']],
    ['carries what was asked in smallest units', [{}, { request: { amount: '5000000' } }], []],
    [
      'carries another wallet than was asked',
      [{ seen: { rendered: rendered(other, 5_000_000n), spender: null } }, { request: { amount: '5' } }],
      ['NOT_REQUESTED'],
    ],
  ])('that %s', (_, [changed, holder], expected) => {
    expect(codes(changed, holder)).toEqual(expected)
  })
})

describe('an answer', () => {
  const reverts = { simulated: { success: false, error: 'Call 1: no', moves: [], allowances: [] } }

  it.each<[string, Parameters<typeof codes>[0], string[]]>([
    ['that could not be tried', { facts: { simulated: null } }, ['NOT_SIMULATED']],
    ['that promises what reverts', { facts: reverts }, ['SIMULATION_DIFFERS']],
    ['that says it reverts', { facts: reverts, answer: { success: false } }, ['WOULD_REVERT']],
    ['held against a record of elsewhere', { facts: { recordChainId: 5 } }, ['RECORD_OF_ANOTHER_CHAIN']],
    ['held against a record of other code', { facts: { notOurs: ['LendingFactory'] } }, ['RECORD_NOT_OURS']],
  ])('%s', (_, changed, expected) => {
    expect(codes(changed)).toEqual(expected)
  })

  it('is refused by the codes that say so, and by no other', () => {
    const found = judge({ calls: [{ ...approval, chainId: null, value: '1' }], success: true, findings: [] }, facts, {
      known: [],
    })
    for (const { code, refuses, message } of found) {
      expect(refuses).toBe(findingCodes[code].refuses)
      expect(message).toContain(findingCodes[code].says)
    }
    expect(found.map(({ refuses }) => refuses)).toEqual([false, true])
  })
})
