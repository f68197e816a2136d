import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { listWallets } from '../../access/index.ts'
import { AppError } from '../../platform/app-error.ts'
import { newId } from '../../platform/ids.ts'
import { readActiveImport } from '../../tokens/index.ts'
import * as bundles from '../asset-data/bundles.store.ts'
import type { LendingParts } from '../parts.ts'
import { deployMarketCall } from './deploy-market.call.ts'
import { type DeployRequest, marketExists, requireCollateral } from './deploy-request.ts'
import { contractsOf, deployedMarket } from './deployed-market.ts'
import { type DeploymentFacts, readDeployment } from './deployment-facts.ts'
import * as store from './market.store.ts'
import { endpointAt, findFactory, findStockFactory, isStockSurface } from './markets.service.ts'
import { storedMarket } from './stored-market.rules.ts'

type DeployBody = BodyOf<typeof lendingOperations.deployMarket>

/** Proves a deployment and records it: the market once for everybody, the record for the caller's instance. */
export function createConfirmDeployment({ clock, random, chains, intents }: LendingParts) {
  return async function confirm(request: DeployRequest, body: DeployBody & { txHash: string }) {
    const { tenant, instance, mountedAt } = request
    const collateralToken = requireCollateral(body.collateralTokenAddress)
    const factory = await findFactory(tenant, instance.chainId)
    const stockFactory = await findStockFactory(tenant, instance.chainId)
    const chain = chains.get(instance.chainId)
    const wallets = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
    const [token] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, collateralToken))
    const intent = { chain, pair: deployMarketCall, target: factory, kind: 'factory' }
    let deployed: DeploymentFacts | undefined
    let address: Address = zeroAddress
    let bundleAvailable = false

    const proof = await intents.confirm(tenant, intent, { collateralToken }, body.txHash as Hex, async (found) => {
      const { effect, transaction } = found
      address = String(effect.market) as Address
      const facts = await readDeployment(chain, { factory, stockFactory }, address)
      if (!facts) throw new AppError('DEPLOYMENT_UNREADABLE')
      if (isStockSurface(mountedAt) && !facts.isOwnStock) throw new AppError('NOT_A_STOCK_TOKEN')
      deployed = facts
      const wished = [
        [body.mode, facts.mode],
        [body.priceSource, facts.priceSource],
        [body.borrowAssetAddress?.toLowerCase(), facts.borrowAsset],
      ]
      if (wished.some(([wish, fact]) => wish !== undefined && wish !== fact)) throw new AppError('TX_WRONG_ARGS')
      if (!wallets.some((wallet) => wallet.address === facts.deployer))
        throw new AppError('DEPLOYMENT_NOT_INSTANCE_BOUND')
      const market = deployedMarket({ chainId: instance.chainId, factory, address, facts, token, transaction })
      const [draft] = await tenant.read((sql) => bundles.findDraft(sql, tenant.instanceId, facts.attested))
      bundleAvailable = draft !== undefined
      return {
        concerns: contractsOf(market),
        asChain: async (sql) => {
          await store.insertMarket(sql, market)
          if (draft) await bundles.storeBundle(sql, instance.chainId, address, draft)
        },
        asTenant: async (sql) => {
          await store.lockRecords(sql, tenant.instanceId)
          const [known] = store.asRecords(
            await store.findRecordByAddress(sql, tenant.instanceId, instance.chainId, address),
          )
          if (known) return
          const [place] = store.asRecords(await store.findRecordFor(sql, tenant.instanceId, instance.chainId, market))
          if (place?.market) throw marketExists(mountedAt, place.marketId)
          if (place) return store.giveAddress(sql, tenant.instanceId, place.marketId, address)
          await store.insertRecord(sql, tenant.instanceId, {
            marketId: newId(clock, random),
            chainId: instance.chainId,
            address,
            origin: 'DEPLOYED',
            collateralToken: market.collateralToken,
            borrowAsset: market.borrowAsset,
            mode: market.mode,
            createdAt: clock.now(),
          })
        },
      }
    })
    const rows = await tenant.read((sql) =>
      store.findRecordByAddress(sql, tenant.instanceId, instance.chainId, address),
    )
    const [record] = store.asRecords(rows)
    if (!record || !deployed) throw new Error('a confirmed deployment left no record')
    const data = {
      market: storedMarket(record),
      txHash: proof.transaction.hash,
      ...(proof.verifiedBy ? { verifiedBy: proof.verifiedBy } : {}),
      liquidationRouterAddress: deployed.router,
      pendingCurator: true as const,
      assetData: { contentHash: deployed.attested, version: 1 as const, attestor: deployed.attestor, bundleAvailable },
      nextSteps: {
        endpoint: endpointAt(mountedAt, `/markets/${record.marketId}/setup-steps`),
        description:
          'Nominate a lender of record, and let the administrators of the token admit the contracts meanwhile.',
      },
    }
    return { data, block: proof.transaction.block }
  }
}
