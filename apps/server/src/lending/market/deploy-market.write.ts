import { stockFactoryAbi } from '@tallystick/abi'
import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { listWallets } from '../../access/index.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { type ImportRow, readActiveImport } from '../../tokens/index.ts'
import { candidate, writesOf } from '../../writes/index.ts'
import { currentBundle, profileRequired, requireBundle } from '../asset-data/index.ts'
import { abis } from '../contracts.ts'
import { endpointAt, findFactory, findStockFactory, isStockSurface } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { deployedMarket } from './deployed-market.ts'
import { deployMarketCall } from './deployment-call.ts'
import {
  accepted,
  addressOr,
  distinctCandidates,
  optionalAddressOr,
  requireAnswers,
  requireInitialPrice,
  requireOwnStock,
} from './deployment-checks.ts'
import { readDeployment } from './deployment-facts.ts'
import { draftRecord, recordDeployed, requireRecorded } from './deployment-records.service.ts'
import { rateOffering, termOffering } from './offering.rules.ts'
import { storedMarket } from './stored-market.rules.ts'
import { questionTokens } from './token-questions.reads.ts'

/** A market that does not exist yet: there is only the chain that it shall stand on. */
interface NewMarket {
  readonly parts: LendingParts
  readonly chainId: number
  readonly chain: Chain
}

const deployment = writesOf<TwoLegged, LendingParts, NewMarket>({
  async find(parts, { caller }) {
    const { chainId } = caller.instance
    return { parts, chainId, chain: parts.chains.get(chainId) }
  },
  targets: {},
  explain: explainLending,
}).provenBy

const requireCollateral = (text: string) => requireAddressField('collateralTokenAddress', text)

async function requireImport(
  tenant: TenantDatabase,
  token: Address,
  refuse: Refuse<'TOKEN_NOT_IMPORTED'>,
): Promise<ImportRow> {
  const [row] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, token))
  if (!row) throw refuse('TOKEN_NOT_IMPORTED')
  if (!row.profile) throw profileRequired(token, true)
  return row
}

/** From an imported token to a market record: one transaction that the deployer signs, then its proof. */
export const deployMarket = deployment(lendingOperations.deployMarket, {
  async build(request) {
    const { parts, tenant, mountedAt, chain, chainId, body, refuse, attempt } = request
    if (body.operatorShareBps !== undefined) throw refuse('OPERATOR_SHARE_FIXED')
    const collateralToken = requireCollateral(body.collateralTokenAddress)
    const borrowAsset = addressOr(refuse, 'INVALID_BORROW_ASSET', body.borrowAssetAddress)
    if (borrowAsset === collateralToken) throw refuse('BORROW_ASSET_IS_COLLATERAL')
    const borrowerRegistry = optionalAddressOr(refuse, 'INVALID_IDENTITY_REGISTRY', body.identityRegistry)
    const providerRegistry = optionalAddressOr(refuse, 'INVALID_IDENTITY_REGISTRY', body.providerRegistry)
    const { mode = 'FREEZE', priceSource = 'NAV', openToAnyCurator = false } = body
    if (priceSource === 'MARKET' && !borrowerRegistry) throw refuse('IDENTITY_REGISTRY_REQUIRED')
    const candidates = distinctCandidates(body.candidates ?? [])
    const rate = accepted(refuse, 'INVALID_RATE_OFFERING', rateOffering(body))

    const token = await requireImport(tenant, collateralToken, refuse)
    const factory = await findFactory(tenant, chainId)
    const [primary] = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
    if (!primary) throw refuse('WALLET_NOT_CONFIGURED')
    const signer = primary.address as Address

    const registers = [borrowerRegistry, providerRegistry].filter((one) => one !== null)
    const stockFactory = isStockSurface(mountedAt) ? await findStockFactory(tenant, chainId) : null
    const [answers, ceiling] = await Promise.all([
      questionTokens(chain, { collateral: collateralToken, borrowAsset, registers }),
      readNamed(chain, {
        ceilingBps: contractRead(factory, abis.factory, 'creatorRateCeiling', []),
        isOwnStock: stockFactory ? [contractRead(stockFactory, stockFactoryAbi, 'isStock', [collateralToken])] : [],
      }),
    ])
    const { ceilingBps, isOwnStock } = ceiling.results
    if (isStockSurface(mountedAt)) requireOwnStock(isOwnStock[0], refuse)
    const decimals = requireAnswers(answers, mode, refuse)
    if (!ceilingBps.ok) throw refuse('FACTORY_READ_FAILED')
    if (rate.highestBps > Number(ceilingBps.value)) throw refuse('RATE_ABOVE_CREATOR_CEILING')
    const term = accepted(refuse, 'INVALID_TERM_OFFERING', termOffering(body, answers.block.time))
    const initialPrice = requireInitialPrice(body.initialPrice, decimals, refuse)
    const choices = { chainId, factory, collateralToken, borrowAsset, collateralMode: mode, priceSource }
    const sealed = requireBundle(currentBundle(token, choices))

    const call = deployMarketCall.prepare(factory, {
      params: {
        ...{
          collateralToken,
          borrowAsset,
          mode: mode === 'FREEZE' ? 0 : 1,
          priceSource: priceSource === 'NAV' ? 0 : 1,
        },
        initialPrice,
        fallbackDecimals: body.fallbackDecimals ?? token.decimals,
        borrowerRegistry: borrowerRegistry ?? zeroAddress,
        providerRegistry: providerRegistry ?? zeroAddress,
        candidates,
        isOpenToAnyCurator: openToAnyCurator,
        // All zero: the factory's default curve.
        curve: { baseBps: 0, multiplierBps: 0, jumpBps: 0, kinkBps: 0 },
        offer: rate.offer,
        maxLoanDuration: term.maxLoanDuration,
        gracePeriod: term.gracePeriod,
        terminalDueAt: term.terminalDueAt,
        assetDataHash: sealed.contentHash,
      },
    })
    const args = { call, functionName: deployMarketCall.functionName }
    // Tried before it is drafted: with an Idempotency-Key the draft opens the transaction of the whole request, and no node is asked in one.
    const built = await attempt(args, signer)
    const marketId = await draftRecord(parts, request, { collateralToken, mode, borrowAsset }, sealed)
    const stamped = rate.offer.fixedBps
    return {
      block: answers.block,
      signer,
      args,
      built,
      confirmWith: { collateralTokenAddress: collateralToken },
      answer: {
        marketId,
        collateralTokenAddress: collateralToken,
        mode,
        priceSource,
        initialPrice: formatUnits(initialPrice, decimals),
        borrowAsset: { address: borrowAsset, symbol: answers.borrowAsset.symbol, decimals },
        signer,
        assetData: {
          contentHash: sealed.contentHash,
          schemaVersion: sealed.bundle.schemaVersion,
          canonicalJson: sealed.canonicalJson,
          bundle: sealed.bundle,
          attestor: signer,
          note: 'Until a lender of record adopts the market, the wallet that deploys it is the attestor.',
        },
        candidates,
        seekingCurator: true as const,
        openToAnyCurator,
        rateOffering: {
          rateMode: rate.rateMode,
          rateFloorBps: stamped || rate.offer.floorBps,
          rateCapBps: stamped || rate.offer.capBps,
        },
        termOffering: {
          maxLoanDurationSeconds: term.maxLoanDuration,
          termGracePeriodSeconds: term.gracePeriod,
          terminalDueDate: term.terminalDueAt || null,
          graceDefaultApplies: term.graceDefaultApplies,
        },
        feeShares: {
          operatorBps: 800,
          distributorBps: 500,
          fixed: true as const,
          ofBase: 'AFTER_INFRASTRUCTURE' as const,
        },
      },
    }
  },

  async evidence({ tenant, chainId, body }) {
    const collateralToken = requireCollateral(body.collateralTokenAddress)
    const target = await findFactory(tenant, chainId)
    return { target, kind: deployMarketCall.kind, candidates: [candidate(deployMarketCall, { collateralToken })] }
  },

  async along({ effect, target: factory, transaction }, request) {
    const { parts, tenant, mountedAt, chain, chainId, body, refuse } = request
    const { market: address, collateralToken } = effect
    const stockFactory = await findStockFactory(tenant, chainId)
    const facts = await readDeployment(chain, { factory, stockFactory }, address)
    if (!facts) throw refuse('DEPLOYMENT_UNREADABLE')
    if (isStockSurface(mountedAt) && !facts.isOwnStock) throw refuse('NOT_A_STOCK_TOKEN')
    const named = [
      [body.mode, facts.mode],
      [body.priceSource, facts.priceSource],
      [body.borrowAssetAddress?.toLowerCase(), facts.borrowAsset],
    ]
    if (named.some(([name, fact]) => name !== undefined && name !== fact)) throw refuse('TX_WRONG_ARGS')
    const wallets = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
    if (!wallets.some((wallet) => wallet.address === facts.deployer)) throw refuse('DEPLOYMENT_NOT_INSTANCE_BOUND')
    const [token] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, collateralToken))
    const market = deployedMarket({ chainId, factory, address, facts, token, transaction })
    const { alongside, bundleAvailable } = await recordDeployed(parts, request, market, facts.attested)
    return { seen: { facts, bundleAvailable }, alongside }
  },

  async proven({ effect }, request, { facts, bundleAvailable }) {
    const record = await requireRecorded(request, effect.market)
    return {
      market: storedMarket(record),
      liquidationRouterAddress: facts.router,
      pendingCurator: true as const,
      assetData: { contentHash: facts.attested, version: 1 as const, attestor: facts.attestor, bundleAvailable },
      nextSteps: {
        endpoint: endpointAt(request.mountedAt, `/markets/${record.marketId}/setup-steps`),
        description:
          'Nominate a lender of record, and let the administrators of the token admit the contracts meanwhile.',
      },
    }
  },
})
