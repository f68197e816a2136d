import type { Block } from './block.ts'
import { probe } from './bounded-reader.ts'
import type { Chain } from './chain.ts'
import type { ContractRead, ReadResult } from './contract-read.ts'
import type { NamedResults } from './named-reads.ts'

/** Longer than any single value or short text that is asked for. */
const MAX_RETURN = 768
/** All answers together fit the size of one contract's code, each with what is told about it. */
const ALL_ANSWERS = 24_000
const ABOUT_AN_ANSWER = 256

/** The more is asked at once, the shorter an answer may be. */
const longestOf = (reads: number): number => Math.min(MAX_RETURN, Math.floor(ALL_ANSWERS / reads) - ABOUT_AN_ANSWER)

function understood(read: ContractRead<unknown>, { outcome, data }: { outcome: string; data: `0x${string}` }) {
  try {
    return outcome === 'OK' ? { ok: true, value: read.decode(data) } : { ok: false, revert: data }
  } catch {
    // What makes no sense is, like a revert, a fact about the contract.
    return { ok: false, revert: data }
  }
}

/** Reads of contracts that nobody vouches for, by name, at one block in one round trip: none can disturb another. */
export async function readBounded<const N extends Readonly<Record<string, ContractRead<unknown>>>>(
  chain: Chain,
  reads: N,
): Promise<{ block: Block; results: NamedResults<N> }> {
  const asked = Object.entries(reads)
  const maxReturn = longestOf(asked.length)
  const { block, answers } = await probe(
    chain,
    asked.map(([, { to, data }]) => ({ target: to, data, maxReturn })),
  )
  const named = asked.map(([name, read], index): [string, ReadResult<unknown>] => {
    const answer = answers[index]
    return [name, (answer ? understood(read, answer) : { ok: false, revert: '0x' }) as ReadResult<unknown>]
  })
  return { block, results: Object.fromEntries(named) as NamedResults<N> }
}

/** The same reads under other names, where two contracts are asked the same. */
export const prefixed = <const P extends string, N extends object>(prefix: P, reads: N) =>
  Object.fromEntries(Object.entries(reads).map(([name, read]) => [`${prefix}${name}`, read])) as {
    [K in keyof N & string as `${P}${K}`]: N[K]
  }

/** And what was answered under them, by the first names again. */
export const withoutPrefix = <N>(prefix: string, results: object): N =>
  Object.fromEntries(
    Object.entries(results).flatMap(([name, result]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), result]] : [],
    ),
  ) as N
