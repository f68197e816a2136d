import type { Address } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { type FactoryEntry, factoryEntry } from './factory-entry.rules.ts'

/** Asked for before the number of markets is known: most factories have fewer. */
const FIRST_INDEXES = 200
/** Each costs some 70,000 gas, and nodes stop a call at a few ten million. */
const MARKETS_PER_CALL = 128

const indexes = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)

/** Null: what is recorded as the factory does not answer as one. */
async function readAddresses(chain: Chain, factory: Address): Promise<{ block: Block; addresses: Address[] } | null> {
  const at = (index: number) => contractRead(factory, abis.factory, 'marketAt', [BigInt(index)])
  const first = await readNamed(chain, {
    count: contractRead(factory, abis.factory, 'marketCount', []),
    markets: indexes(0, FIRST_INDEXES).map(at),
  })
  const { count, markets } = first.results
  if (!count.ok) return null
  const rest = indexes(FIRST_INDEXES, Number(count.value))
  const more = rest.length ? (await readNamed(chain, { markets: rest.map(at) })).results.markets : []
  const found = [...markets.slice(0, Number(count.value)), ...more]
  return { block: first.block, addresses: found.flatMap(readable).map((one) => one.toLowerCase() as Address) }
}

const readable = <T>(result: ReadResult<T>): T[] => (result.ok ? [result.value] : [])

/**
 * Every market without a lender of record, in the order of deployment. Two round trips: the factory has no view that lists them,
 * so their addresses have to be known before they can be asked about.
 */
export async function readSeekingMarkets(
  chain: Chain,
  factory: Address,
): Promise<{ block: Block; markets: FactoryEntry[] } | null> {
  const listed = await readAddresses(chain, factory)
  if (!listed) return null
  const { addresses } = listed
  let { block } = listed
  const markets: FactoryEntry[] = []
  for (let from = 0; from < addresses.length; from += MARKETS_PER_CALL) {
    const some = addresses.slice(from, from + MARKETS_PER_CALL)
    const read = await readNamed(chain, {
      deployments: some.map((market) => contractRead(factory, abis.factory, 'deployment', [market])),
      candidates: some.map((market) => contractRead(factory, abis.factory, 'candidates', [market])),
      parts: some.map((market) => contractRead(market, abis.market, 'parts', [])),
    })
    block = read.block
    const { deployments, candidates, parts } = read.results
    for (const [index, address] of some.entries()) {
      const [deployment, named, own] = [deployments[index], candidates[index], parts[index]]
      if (!deployment?.ok || !named?.ok) return null
      markets.push(factoryEntry(address, deployment.value, named.value, own?.ok ? own.value.borrowerRegistry : null))
    }
  }
  return { block, markets: markets.filter(({ curator }) => curator === null) }
}
