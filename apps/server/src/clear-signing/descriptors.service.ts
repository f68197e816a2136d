import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { type Cacheable, cacheable } from '../platform/http/cacheable.ts'
import { signedContracts } from './contracts/index.ts'
import { lendingMarket } from './contracts/market.ts'
import { boundDescriptor, descriptorAt } from './descriptor.ts'
import * as store from './descriptors.store.ts'
import { indexOf } from './documents.ts'
import { descriptorSchema } from './schema.ts'

/** The record changes when an operator deploys or a market is made: nobody needs to see it within the second. */
const KEPT_MS = 10_000

/** Read once for everybody who asks within that time: whoever asks has no key, and shall not keep the database busy. */
function keptFor<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | undefined
  return () => {
    const now = clock.now().getTime()
    if (kept && now - kept.at < KEPT_MS) return kept.value
    const value = read()
    kept = { at: now, value }
    // A look that failed is not kept.
    value.catch(() => {
      kept = undefined
    })
    return value
  }
}

const placeOf = (chainId: number, address: string) => `${chainId} ${address}`

/** The documents under `/.well-known/erc7730`, by file name, bound to the contracts of this deployment. */
export function createDescriptors({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  const documents = keptFor(clock, async (): Promise<ReadonlyMap<string, Cacheable>> => {
    const recorded = await database.as('tally_chain', store.listRecorded)
    const descriptors = signedContracts.map((contract) => boundDescriptor(contract, recorded))
    const texts = [
      ['index.json', indexOf(descriptors)] as const,
      ['schema.json', descriptorSchema] as const,
      ...descriptors.map((one) => [`${one.metadata.contractName}.json`, one] as const),
    ]
    return new Map(texts.map(([name, document]) => [name, cacheable(JSON.stringify(document))]))
  })
  const markets = keptFor(clock, async (): Promise<ReadonlyMap<string, store.MarketTokens>> => {
    const made = await database.as('tally_chain', store.listMarketTokens)
    return new Map(made.map(({ chainId, market, ...tokens }) => [placeOf(chainId, market), tokens]))
  })

  return {
    find: async (name: string): Promise<Cacheable | undefined> => (await documents()).get(name),

    /** The descriptor of one market of the factory on record. */
    async findMarket(chainId: number, address: string): Promise<Cacheable | undefined> {
      const tokens = (await markets()).get(placeOf(chainId, address))
      return tokens && cacheable(JSON.stringify(descriptorAt(lendingMarket, { chainId, address }, { ...tokens })))
    },
  }
}
