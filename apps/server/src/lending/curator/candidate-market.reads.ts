import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import { factoryEntry } from './factory-entry.rules.ts'

/** A market by its address, as factory and market know it now. Null: the factory did not deploy it. */
export async function readCandidateMarket(chain: Chain, factory: Address, market: Address) {
  const { block, results } = await readNamed(chain, {
    isMarket: contractRead(factory, abis.factory, 'isMarket', [market]),
    deployment: contractRead(factory, abis.factory, 'deployment', [market]),
    candidates: contractRead(factory, abis.factory, 'candidates', [market]),
    assetData: contractRead(factory, abis.factory, 'assetData', [market]),
    parts: contractRead(market, abis.market, 'parts', []),
    version: contractRead(market, abis.market, 'version', []),
    config: contractRead(market, abis.market, 'config', []),
    terms: contractRead(market, abis.market, 'termConfig', []),
    reserveRatio: contractRead(market, abis.market, 'reserveRatioBps', []),
  })
  const { isMarket, deployment, candidates, assetData, parts, version } = results
  if (isMarket.ok && !isMarket.value) return { block, found: null }
  if (!isMarket.ok || !deployment.ok || !candidates.ok || !assetData.ok || !parts.ok || !version.ok)
    return { block, found: undefined }
  const entry = factoryEntry(market, deployment.value, candidates.value, parts.value.borrowerRegistry)
  const { config, terms, reserveRatio } = results
  const settings =
    config.ok && terms.ok && reserveRatio.ok
      ? { config: config.value, terms: terms.value, reserveRatioBps: Number(reserveRatio.value) }
      : null
  return {
    block,
    found: {
      entry,
      borrowerRegistry: entry.borrowerRegistry ?? null,
      assetData: assetData.value,
      version: Number(version.value),
      settings,
    },
  }
}

type Read = Awaited<ReturnType<typeof readCandidateMarket>>
export type CandidateMarket = NonNullable<Read['found']>
