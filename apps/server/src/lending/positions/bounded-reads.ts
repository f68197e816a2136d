import type { Hex } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import { type Probe, probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { ContractRead } from '../../platform/chain/contract-read.ts'

const WORD = 32

/** A read that can neither spend the gas of the others nor flood the answer. */
interface BoundedRead<T> extends Omit<Probe, 'target'> {
  /** An address, or the name of an earlier read whose answer is the address. */
  readonly target: string
  decode(returned: Hex): T
}

type BoundedReads = Readonly<Record<string, BoundedRead<unknown>>>

/** Null: not answered, or not in a way that makes sense. */
export type BoundedResults<N> = { readonly [K in keyof N]: N[K] extends BoundedRead<infer T> ? T | null : never }

/** A read of `words` words at most. `via`: asked of the contract that an earlier read names, whatever address the read has. */
export const bounded = <T>({ to, data, decode }: ContractRead<T>, words = 1, via?: string): BoundedRead<T> => ({
  target: via ?? to,
  data,
  maxReturn: words * WORD,
  decode,
})

function understood<T>(decode: (returned: Hex) => T, data: Hex): T | null {
  try {
    return decode(data)
  } catch {
    return null
  }
}

/** All of them at one block in one round trip, answered by the same names. */
export async function readBounded<const N extends BoundedReads>(
  chain: Chain,
  reads: N,
): Promise<{ block: Block; results: BoundedResults<N> }> {
  const names = Object.keys(reads)
  const { block, answers } = await probe(
    chain,
    Object.values(reads).map(({ target, data, maxReturn }) => ({
      target: names.includes(target) ? names.indexOf(target) : (target as `0x${string}`),
      data,
      maxReturn,
    })),
  )
  const results = names.map((name, index) => {
    const answer = answers[index]
    const read = reads[name]
    return [name, read && answer?.outcome === 'OK' ? understood(read.decode, answer.data) : null]
  })
  return { block, results: Object.fromEntries(results) as BoundedResults<N> }
}
