import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { newId } from '../../platform/ids.ts'
import type { Alongside } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { marketStore } from '../core/index.ts'
import { contractsOf } from '../market/index.ts'
import type { LendingParts } from '../parts.ts'
import type { Candidate } from './candidate-market.ts'
import { orNull } from './factory-entry.rules.ts'
import { handoverReads } from './handover.reads.ts'
import { handoverOf } from './handover.rules.ts'
import type { KnownMarket } from './known-markets.store.ts'
import type { QueueRequest } from './queue-request.ts'
import { createRecordDeployment } from './record-deployment.ts'

/** What the adoption left on chain. */
async function readAdopted(chain: Chain, factory: Address, market: KnownMarket) {
  const { chainId } = chain
  const { results } = await readNamed(chain, {
    ...handoverReads({ ...market, factory, chainId }),
    saleRecipient: contractRead(market.router, abis.router, 'saleRecipient', []),
    pledgee: contractRead(market.adapter, abis.custodyAdapter, 'pledgee', []),
  })
  const { deployed, saleRecipient, pledgee } = results
  if (!deployed.ok || !saleRecipient.ok || !pledgee.ok) throw new AppError('DEPLOYMENT_UNREADABLE')
  return {
    deployment: deployed.value,
    saleRecipient: orNull(saleRecipient.value),
    collateralAgent: orNull(pledgee.value),
    handover: handoverOf({ ...market, factory, chainId }, results),
  }
}

/** The record of an adopted market on the instance that adopted it. */
export function createAdoptions(parts: LendingParts) {
  const { clock, random, chains } = parts
  const recordDeployment = createRecordDeployment(parts)

  /** One record per instance and market: who deployed the market itself keeps the id that it has. */
  function recorded(
    { tenant, instance }: QueueRequest,
    market: KnownMarket,
    tokens: Pick<marketStore.NewRecord, 'collateralToken' | 'borrowAsset'>,
  ): Alongside {
    return {
      concerns: contractsOf(market),
      asTenant: async (sql) => {
        await marketStore.lockRecords(sql, tenant.instanceId)
        const found = await marketStore.findRecordByAddress(sql, tenant.instanceId, instance.chainId, market.address)
        if (found.length > 0) return
        await marketStore.insertRecord(sql, tenant.instanceId, {
          marketId: newId(clock, random),
          chainId: instance.chainId,
          address: market.address,
          origin: 'ADOPTED',
          ...tokens,
          mode: market.mode,
          createdAt: clock.now(),
        })
      },
    }
  }

  return {
    /** What is known of the market after its adoption, and what is taken down along with its proof. */
    async adopted(request: QueueRequest, candidate: Candidate) {
      const market = candidate.known ?? (await recordDeployment(request, candidate))
      const after = await readAdopted(chains.get(request.instance.chainId), candidate.factory, market)
      const { collateralToken, borrowAsset } = after.deployment
      const tokens = { collateralToken: collateralToken.toLowerCase(), borrowAsset: borrowAsset.toLowerCase() }
      return { seen: { ...after, router: market.router }, alongside: recorded(request, market, tokens) }
    },

    async record({ tenant, instance }: QueueRequest, address: Address): Promise<marketStore.MarketRecord> {
      const rows = await tenant.read((sql) =>
        marketStore.findRecordByAddress(sql, tenant.instanceId, instance.chainId, address),
      )
      const [record] = marketStore.asRecords(rows)
      if (!record) throw new Error('a confirmed adoption left no record')
      return record
    },
  }
}

export type Adoptions = ReturnType<typeof createAdoptions>
