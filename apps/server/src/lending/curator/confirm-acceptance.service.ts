import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { newId } from '../../platform/ids.ts'
import { abis } from '../contracts.ts'
import { isServedAt, marketStore } from '../core/index.ts'
import { storedMarket } from '../market/index.rules.ts'
import { contractsOf } from '../market/index.ts'
import type { LendingParts } from '../parts.ts'
import { acceptCuratorRoleCall } from './adoption-calls.ts'
import { acknowledgedIn, operatorIn } from './adoption-receipt.ts'
import { prepareCandidate } from './candidate-market.service.ts'
import { orNull, realizationName } from './factory-entry.rules.ts'
import { handoverReads } from './handover.reads.ts'
import { handoverOf } from './handover.rules.ts'
import type { KnownMarket } from './known-markets.store.ts'
import type { QueueRequest } from './queue-request.ts'
import { createRecordDeployment } from './record-deployment.service.ts'

type Prepared = Awaited<ReturnType<typeof prepareCandidate>>

/** Proves an adoption and records the market on the instance that made it. */
export function createConfirmAcceptance(parts: LendingParts) {
  const { clock, random, chains, writes } = parts
  const recordDeployment = createRecordDeployment(parts)

  async function findAdopted(request: QueueRequest, prepared: Prepared, curator: Address): Promise<KnownMarket> {
    if (!prepared.wallets.includes(curator)) throw new AppError('ACCEPT_NOT_INSTANCE_BOUND')
    return prepared.known ?? recordDeployment(request, prepared)
  }

  /** One record per instance and market: who deployed the market itself keeps the id that it has. */
  function adopted({ tenant, instance }: QueueRequest, market: KnownMarket, tokens: AdoptedTokens) {
    return {
      concerns: contractsOf(market),
      asTenant: async (sql: Parameters<typeof marketStore.insertRecord>[0]) => {
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

  /** What the adoption left on chain. */
  async function readAdopted(chainId: number, factory: Address, market: KnownMarket) {
    const { results } = await readNamed(chains.get(chainId), {
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

  return async function confirm(request: QueueRequest, text: string, txHash: string) {
    const { tenant, instance } = request
    const { chainId } = instance
    const prepared = await prepareCandidate(request, text)
    const { address, factory } = prepared
    if (!instance.lenderApproved) throw new AppError('CURATOR_NOT_APPROVED')
    const chain = chains.get(chainId)
    const { results } = await chain.read([contractRead(factory, abis.factory, 'isMarket', [address])])
    const [isMarket] = results
    if ((isMarket.ok && !isMarket.value) || !isServedAt(request.mountedAt, { market: prepared.known ?? null }))
      throw new AppError('MARKET_NOT_V2')

    const intent = { chain, pair: acceptCuratorRoleCall, target: factory, kind: 'factory' }
    let after: Awaited<ReturnType<typeof readAdopted>> | undefined
    let router: Address = zeroAddress
    const proof = await writes.confirm(tenant, intent, { market: address }, txHash as Hex, async ({ effect }) => {
      const market = await findAdopted(request, prepared, effect.curator)
      after = await readAdopted(chainId, factory, market)
      router = market.router
      const { collateralToken, borrowAsset } = after.deployment
      return adopted(request, market, {
        collateralToken: collateralToken.toLowerCase(),
        borrowAsset: borrowAsset.toLowerCase(),
      })
    })
    const rows = await tenant.read((sql) => marketStore.findRecordByAddress(sql, tenant.instanceId, chainId, address))
    const [record] = marketStore.asRecords(rows)
    if (!record || !after) throw new Error('a confirmed adoption left no record')
    const { deployment, saleRecipient, collateralAgent, handover } = after
    const { transaction, verifiedBy } = proof
    const { curator } = proof.effect
    const data = {
      market: {
        ...storedMarket(record),
        seekingCurator: false,
        curator,
        realizationMode: realizationName(deployment.realizationMode),
        liquidityCommitment: deployment.liquidityCommitment.toString(),
        saleRecipient,
        collateralAgent,
        liquidationOperator: operatorIn(transaction, router),
        operatorShare: '800' as const,
        curatorAcceptedAt: new Date(transaction.block.time * 1000).toISOString(),
        curatorAcceptTxHash: transaction.hash,
        curatorImported: record.origin === 'ADOPTED',
      },
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      curator,
      handover,
      assetData: acknowledgedIn(transaction, factory, address),
    }
    return { data, block: transaction.block }
  }
}

interface AdoptedTokens {
  readonly collateralToken: string
  readonly borrowAsset: string
}

export type ConfirmAcceptance = ReturnType<typeof createConfirmAcceptance>
