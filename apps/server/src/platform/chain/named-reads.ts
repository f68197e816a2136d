import type { Block } from './block.ts'
import type { Chain } from './chain.ts'
import type { ContractRead, ReadResult } from './contract-read.ts'

/** Reads by name, where a name may stand for as many as there happen to be. */
type NamedReads = Readonly<Record<string, ContractRead<unknown> | readonly ContractRead<unknown>[]>>

export type NamedResults<N> = {
  readonly [K in keyof N]: N[K] extends ContractRead<infer T>
    ? ReadResult<T>
    : N[K] extends readonly ContractRead<infer T>[]
      ? readonly ReadResult<T>[]
      : never
}

const isOne = (read: NamedReads[string]): read is ContractRead<unknown> => !Array.isArray(read)

/** All of them at one block in one round trip, answered by the same names. */
export async function readNamed<const N extends NamedReads>(
  chain: Chain,
  reads: N,
): Promise<{ block: Block; results: NamedResults<N> }> {
  const { block, results } = await chain.read(
    Object.values(reads).flatMap((read) => (isOne(read) ? [read] : [...read])),
  )
  const left = [...results]
  const take = (count: number) => left.splice(0, count)
  const named = Object.entries(reads).map(([name, read]) => [name, isOne(read) ? take(1)[0] : take(read.length)])
  return { block, results: Object.fromEntries(named) as NamedResults<N> }
}
