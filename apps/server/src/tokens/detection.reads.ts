import { type Address, encodeFunctionData, parseAbi } from 'viem'
import type { Block } from '../platform/chain/block.ts'
import { type Probe, probe } from '../platform/chain/bounded-reader.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { type Question, questions, type RawAnswer, type RawAnswers } from './detection.rules.ts'

const abi = parseAbi([
  'function identityRegistry() view returns (address)',
  'function isVerified(address) view returns (bool)',
  'function compliance() view returns (address)',
  'function onchainID() view returns (address)',
  'function paused() view returns (bool)',
  'function isControllable() view returns (bool)',
  'function isIssuable() view returns (bool)',
  'function granularity() view returns (uint256)',
  'function supportsInterface(bytes4) view returns (bool)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function uri(uint256) view returns (string)',
  'function noTokenHasThis() view returns (uint256)',
])

const WORD = 32
const TEXT = 1_024

const simple = (
  functionName:
    | 'identityRegistry'
    | 'compliance'
    | 'onchainID'
    | 'paused'
    | 'isControllable'
    | 'isIssuable'
    | 'granularity'
    | 'name'
    | 'symbol'
    | 'decimals'
    | 'totalSupply'
    | 'noTokenHasThis',
) => encodeFunctionData({ abi, functionName })
const supports = (id: `0x${string}`) => encodeFunctionData({ abi, functionName: 'supportsInterface', args: [id] })
const ZERO: Address = '0x0000000000000000000000000000000000000000'

const calls: Record<Question, { data: `0x${string}`; maxReturn: number; targetOf?: Question }> = {
  'identityRegistry()': { data: simple('identityRegistry'), maxReturn: WORD },
  'identityRegistry().isVerified(0x0)': {
    data: encodeFunctionData({ abi, functionName: 'isVerified', args: [ZERO] }),
    maxReturn: WORD,
    targetOf: 'identityRegistry()',
  },
  'compliance()': { data: simple('compliance'), maxReturn: WORD },
  'onchainID()': { data: simple('onchainID'), maxReturn: WORD },
  'paused()': { data: simple('paused'), maxReturn: WORD },
  'isControllable()': { data: simple('isControllable'), maxReturn: WORD },
  'isIssuable()': { data: simple('isIssuable'), maxReturn: WORD },
  'granularity()': { data: simple('granularity'), maxReturn: WORD },
  'supportsInterface(0x01ffc9a7)': { data: supports('0x01ffc9a7'), maxReturn: WORD },
  'supportsInterface(0xffffffff)': { data: supports('0xffffffff'), maxReturn: WORD },
  'supportsInterface(0x80ac58cd)': { data: supports('0x80ac58cd'), maxReturn: WORD },
  'supportsInterface(0xd9b67a26)': { data: supports('0xd9b67a26'), maxReturn: WORD },
  'name()': { data: simple('name'), maxReturn: TEXT },
  'symbol()': { data: simple('symbol'), maxReturn: TEXT },
  'decimals()': { data: simple('decimals'), maxReturn: WORD },
  'totalSupply()': { data: simple('totalSupply'), maxReturn: WORD },
  'uri(0)': { data: encodeFunctionData({ abi, functionName: 'uri', args: [0n] }), maxReturn: TEXT },
  'noTokenHasThis()': { data: simple('noTokenHasThis'), maxReturn: WORD },
}

/** Asks a contract every question in one round trip. */
export async function questionToken(chain: Chain, token: Address): Promise<{ block: Block; answers: RawAnswers }> {
  const probes = questions.map((question): Probe => {
    const { data, maxReturn, targetOf } = calls[question]
    return { target: targetOf ? questions.indexOf(targetOf) : token, data, maxReturn }
  })
  const { block, answers } = await probe(chain, probes)
  const byQuestion = questions.map((question, index): [Question, RawAnswer] => [
    question,
    answers[index] ?? { outcome: 'SKIPPED', data: '0x' },
  ])
  return { block, answers: Object.fromEntries(byQuestion) as RawAnswers }
}
