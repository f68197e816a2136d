import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { type Cacheable, cacheable } from '../platform/http/cacheable.ts'
import { signedContracts } from './contracts/index.ts'
import { lendingMarket } from './contracts/market.ts'
import { boundDescriptor, descriptorAt } from './descriptor.ts'
import * as store from './descriptors.store.ts'
import { indexOf } from './documents.ts'
import { descriptorSchema } from './schema.ts'

/** The record changes when an operator deploys: nobody needs to see it within the second, and everybody may ask. */
const KEPT_MS = 10_000

/** The documents under `/.well-known/erc7730`, by file name, bound to the contracts of this deployment. */
export function createDescriptors({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  let kept: { readonly at: number; readonly documents: Promise<ReadonlyMap<string, Cacheable>> } | undefined

  async function write(): Promise<ReadonlyMap<string, Cacheable>> {
    const recorded = await database.as('tally_chain', store.listRecorded)
    const descriptors = signedContracts.map((contract) => boundDescriptor(contract, recorded))
    const texts = [
      ['index.json', indexOf(descriptors)] as const,
      ['schema.json', descriptorSchema] as const,
      ...descriptors.map((one) => [`${one.metadata.contractName}.json`, one] as const),
    ]
    return new Map(texts.map(([name, document]) => [name, cacheable(JSON.stringify(document))]))
  }

  return {
    async find(name: string): Promise<Cacheable | undefined> {
      const now = clock.now().getTime()
      if (!kept || now - kept.at >= KEPT_MS) {
        const documents = write()
        kept = { at: now, documents }
        // A look that failed is not kept.
        documents.catch(() => {
          kept = undefined
        })
      }
      return (await kept.documents).get(name)
    },

    /** The descriptor of one market of the factory on record. */
    async findMarket(chainId: number, address: string): Promise<Cacheable | undefined> {
      const tokens = await database.as('tally_chain', (sql) => store.findMarketTokens(sql, chainId, address))
      return tokens && cacheable(JSON.stringify(descriptorAt(lendingMarket, { chainId, address }, { ...tokens })))
    },
  }
}
