import { type Abi, type AbiFunction, type AbiParameter, type Address, type Hex, toFunctionSelector } from 'viem'
import type { Chain } from './chain.ts'
import { type Addresses, addressOf } from './parties.ts'
import type { Probe } from './probes.ts'
import type { Suite } from './suite.ts'
import { decodeAnswers, decodeWords, encodeCalls, word } from './words.ts'

const multicallAddress: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const aggregateSelector = toFunctionSelector('aggregate3((address,bool,bytes)[])')

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
      data: `${signatureOf(probe).selector}${probe.args.map(word).join('')}`,
    }))
    const answers = decodeAnswers(await chain.callAt(multicallAddress, `${aggregateSelector}${encodeCalls(calls)}`, at))
    return probes.flatMap((probe, position) => {
      const answer = answers[position]
      if (answer === undefined) return [`${probe.label}: the read failed`]
      return compare(probe, decodeWords(signatureOf(probe).outputs, answer))
    })
  }
}

function functionOf(abi: Abi, name: string): AbiFunction {
  const item = abi.find((candidate) => candidate.type === 'function' && candidate.name === name)
  if (item?.type !== 'function') throw new Error(`The contract has no ${name}`)
  return item
}

function compare({ label, expected }: Probe, actual: Record<string, bigint>): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const shown = name === 'value' ? label : `${label}.${name}`
    const isSame = actual[name] === BigInt(value)
    return isSame ? [] : [`${shown}: contract ${String(actual[name])}, model ${String(value)}`]
  })
}
