import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  toFunctionSelector,
} from 'viem'
import type { Chain } from './chain.ts'
import { type Addresses, addressOf } from './parties.ts'
import type { Probe } from './probes.ts'
import type { Suite } from './suite.ts'

const multicallAddress: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const aggregateSelector = toFunctionSelector('aggregate3((address,bool,bytes)[])')
const callList = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'allowFailure', type: 'bool' },
      { name: 'callData', type: 'bytes' },
    ],
  },
] as const
const answerList = [
  {
    type: 'tuple[]',
    components: [
      { name: 'success', type: 'bool' },
      { name: 'returnData', type: 'bytes' },
    ],
  },
] as const

interface Signature {
  selector: Hex
  outputs: readonly AbiParameter[]
}

/** Reads all probes in one call, as of one second, and names every figure that is not the model's. */
export function createProbeReader(chain: Chain, abis: Suite['abis']) {
  const known = new Map<string, Signature>()

  function signatureOf({ contract, functionName }: Probe): Signature {
    const key = `${contract}.${functionName}`
    const found = known.get(key)
    if (found) return found
    const item = functionOf(abis[contract], functionName)
    const signature = { selector: toFunctionSelector(item), outputs: item.outputs }
    known.set(key, signature)
    return signature
  }

  return async function differences(probes: Probe[], addresses: Addresses, at: bigint): Promise<string[]> {
    const calls = probes.map((probe) => ({
      target: addressOf(addresses, probe.target),
      allowFailure: true,
      callData: `${signatureOf(probe).selector}${probe.args.map(word).join('')}` as Hex,
    }))
    const data: Hex = `${aggregateSelector}${encodeAbiParameters(callList, [calls]).slice(2)}`
    const [answers] = decodeAbiParameters(answerList, await chain.callAt(multicallAddress, data, at))
    return probes.flatMap((probe, position) => {
      const answer = answers[position]
      if (!answer?.success) return [`${probe.label}: the read failed`]
      const [decoded] = decodeAbiParameters(signatureOf(probe).outputs, answer.returnData)
      return compare(probe, decoded)
    })
  }
}

function functionOf(abi: Abi, name: string): AbiFunction {
  const item = abi.find((candidate) => candidate.type === 'function' && candidate.name === name)
  if (item?.type !== 'function') throw new Error(`The contract has no ${name}`)
  return item
}

function word(value: bigint | string): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2)
  return digits.padStart(64, '0')
}

function compare({ label, expected }: Probe, decoded: unknown): string[] {
  const isStruct = typeof decoded === 'object' && decoded !== null
  const actual = (isStruct ? decoded : { value: decoded }) as Record<string, unknown>
  return Object.entries(expected).flatMap(([name, value]) => {
    const shown = isStruct ? `${label}.${name}` : label
    const isSame = String(actual[name]).toLowerCase() === String(value).toLowerCase()
    return isSame ? [] : [`${shown}: contract ${String(actual[name])}, model ${String(value)}`]
  })
}
