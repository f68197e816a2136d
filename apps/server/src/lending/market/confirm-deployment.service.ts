import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { listWallets } from '../../access/index.ts'
import { AppError } from '../../platform/app-error.ts'
import { newId } from '../../platform/ids.ts'
import { type ImportRow, readActiveImport } from '../../tokens/index.ts'
import * as bundles from '../asset-data/bundles.store.ts'
import type { LendingParts } from '../parts.ts'
import { deployMarketCall } from './deploy-market.call.ts'
import { type DeployRequest, marketExists, requireCollateral } from './deploy-request.ts'
import { type DeploymentFacts, readDeployment } from './deployment.reads.ts'
import * as store from './market.store.ts'
import { endpointAt, findFactory } from './markets.service.ts'
import { storedMarket } from './stored-market.rules.ts'

type DeployBody = BodyOf<typeof lendingOperations.deployMarket>

/** Proves a deployment and records it: the market once for everybody, the record for the caller's instance. */
export function createConfirmDeployment({ clock, random, chains, intents }: LendingParts) {
  return async function confirm(request: DeployRequest, body: DeployBody & { txHash: string }) {
    const { tenant, instance, mountedAt } = request
    const collateralToken = requireCollateral(body.collateralTokenAddress)
    const factory = await findFactory(tenant, instance.chainId)
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
      const facts = await readDeployment(chain, factory, address)
      if (!facts) throw new AppError('DEPLOYMENT_UNREADABLE')
      deployed = facts
      const wished = [
        [body.mode, facts.mode],
        [body.priceSource, facts.priceSource],
        [body.borrowAssetAddress?.toLowerCase(), facts.borrowAsset],
      ]
      if (wished.some(([wish, fact]) => wish !== undefined && wish !== fact)) throw new AppError('TX_WRONG_ARGS')
      if (!wallets.some((wallet) => wallet.address === facts.deployer))
        throw new AppError('DEPLOYMENT_NOT_INSTANCE_BOUND')
      const { attested, attestor, ...parts } = facts
      const market: store.Market = {
        ...parts,
        chainId: instance.chainId,
        address,
        factory,
        collateralName: facts.collateralName || token?.name || '',
        collateralSymbol: facts.collateralSymbol || token?.symbol || '',
        collateralDecimals: facts.collateralDecimals ?? token?.decimals ?? 0,
        collateralFramework: token?.framework ?? null,
        collateralIsin: token?.profile?.isin ?? null,
        tokenRegistry: registryOf(token),
        isOwnStock: false,
        deployedBlock: transaction.block.number,
        deployedAt: new Date(transaction.block.time * 1000),
        deployTx: transaction.hash,
      }
      const [draft] = await tenant.read((sql) => bundles.findDraft(sql, tenant.instanceId, attested))
      bundleAvailable = draft !== undefined
      const kinds = {
        [address]: 'market',
        [facts.oracle]: 'oracle',
        [facts.rateModel]: 'rateModel',
        [facts.insuranceFund]: 'fund',
        [facts.router]: 'router',
        [facts.adapter]: facts.mode === 'FREEZE' ? 'freezeAdapter' : 'custodyAdapter',
      }
      return {
        concerns: Object.entries(kinds).map(([one, kind]) => ({
          address: one as Address,
          kind,
          fromBlock: transaction.block.number,
        })),
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

function registryOf(token: ImportRow | undefined): Address | null {
  const registry = token?.facts.identityRegistry
  return typeof registry === 'string' ? (registry.toLowerCase() as Address) : null
}
