import { stockFactoryAbi } from '@tallystick/abi'
import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { listWallets } from '../../access/index.ts'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import { type AppCode, AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { type ImportRow, readActiveImport } from '../../tokens/index.ts'
import type { SealedBundle } from '../asset-data/bundle.rules.ts'
import * as bundles from '../asset-data/bundles.store.ts'
import { currentBundle, profileRequired, requireBundle } from '../asset-data/current-bundle.ts'
import { abis } from '../contracts.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { type DeployArgs, deployMarketCall } from './deploy-market.call.ts'
import { type DeployRequest, marketExists, requireCollateral } from './deploy-request.ts'
import * as store from './market.store.ts'
import { endpointAt, findFactory, findStockFactory, isStockSurface } from './markets.service.ts'
import { rateOffering, termOffering } from './offering.rules.ts'
import { questionTokens, type TokenAnswers } from './token-questions.reads.ts'

type DeployBody = BodyOf<typeof lendingOperations.deployMarket>

function addressOr(code: AppCode, text: string | undefined): Address | null {
  if (text === undefined) return null
  const address = parseAddress(text)
  if (!address) throw new AppError(code)
  return address
}

function requireAnswers(
  { collateral, borrowAsset, registersAnswer }: TokenAnswers,
  mode: 'FREEZE' | 'CUSTODY',
): number {
  if (!collateral.hasCode) throw new AppError('COLLATERAL_TOKEN_NOT_CONTRACT')
  if (!collateral.isErc20) throw new AppError('COLLATERAL_TOKEN_NOT_ERC20')
  if (mode === 'FREEZE' && !collateral.canFreeze) throw new AppError('FREEZE_MODE_UNSUPPORTED_TOKEN')
  if (!borrowAsset.hasCode) throw new AppError('BORROW_ASSET_NOT_CONTRACT')
  const { decimals } = borrowAsset
  if (!borrowAsset.isErc20 || decimals === null) throw new AppError('BORROW_ASSET_NOT_ERC20')
  if (decimals < 6 || decimals > 18) throw new AppError('BORROW_ASSET_DECIMALS_UNSUPPORTED')
  if (registersAnswer.includes(false)) throw new AppError('IDENTITY_REGISTRY_INCOMPATIBLE')
  return decimals
}

/** No factory on record has made no stock. */
function requireOwnStock(answer: ReadResult<boolean> | undefined): void {
  if (answer && !answer.ok) throw new AppError('FACTORY_READ_FAILED')
  if (!answer?.value) throw new AppError('NOT_A_STOCK_TOKEN')
}

function requirePrice(text: string | undefined, decimals: number): bigint {
  const price = text === undefined ? null : parseUnits(text, decimals)
  if (price === null || price === 0n) throw new AppError('INVALID_INITIAL_PRICE')
  return price
}

function accepted<T extends object>(code: AppCode, offering: T | { readonly refused: string }): T {
  if ('refused' in offering) throw new AppError(code, { detail: offering.refused })
  return offering
}

/** The unsigned transaction that creates a market with all its parts, and the record that its confirmation completes. */
export function createBuildDeployment({ clock, random, chains, intents }: LendingParts) {
  async function requireImport(tenant: TenantDatabase, token: Address): Promise<ImportRow> {
    const [row] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, token))
    if (!row) throw new AppError('TOKEN_NOT_IMPORTED')
    if (!row.profile) throw profileRequired(token, true)
    return row
  }

  /** The record that the confirmation will complete; a new build of the same market takes the place of the old. */
  async function draftRecord(
    request: DeployRequest,
    wish: Parameters<typeof store.findRecordFor>[3],
    sealed: SealedBundle,
  ) {
    const { tenant, instance, mountedAt } = request
    const now = clock.now()
    return tenant.transaction(async (sql) => {
      await store.lockRecords(sql, tenant.instanceId)
      const [found] = store.asRecords(await store.findRecordFor(sql, tenant.instanceId, instance.chainId, wish))
      if (found?.market) throw marketExists(mountedAt, found.marketId)
      const marketId = found?.marketId ?? newId(clock, random)
      if (!found)
        await store.insertRecord(sql, tenant.instanceId, {
          marketId,
          chainId: instance.chainId,
          address: null,
          origin: 'DEPLOYED',
          createdAt: now,
          ...wish,
        })
      const { contentHash, canonicalJson, bundle } = sealed
      const bytes = { contentHash, canonicalJson, schemaVersion: bundle.schemaVersion, storedAt: now }
      await bundles.storeDraft(sql, tenant.instanceId, bytes)
      return marketId
    })
  }

  return async function build(request: DeployRequest, body: DeployBody) {
    const { tenant, instance, mountedAt } = request
    if (body.operatorShareBps !== undefined) throw new AppError('OPERATOR_SHARE_FIXED')
    const collateralToken = requireCollateral(body.collateralTokenAddress)
    if (body.borrowAssetAddress === undefined)
      throw fieldError('VALIDATION_ERROR', [{ field: 'borrowAssetAddress', message: 'is required' }])
    const borrowAsset = addressOr('INVALID_BORROW_ASSET', body.borrowAssetAddress) ?? zeroAddress
    if (borrowAsset === collateralToken) throw new AppError('BORROW_ASSET_IS_COLLATERAL')
    const borrowerRegistry = addressOr('INVALID_IDENTITY_REGISTRY', body.identityRegistry)
    const providerRegistry = addressOr('INVALID_IDENTITY_REGISTRY', body.providerRegistry)
    const { mode = 'FREEZE', priceSource = 'NAV', openToAnyCurator = false } = body
    if (priceSource === 'MARKET' && !borrowerRegistry) throw new AppError('IDENTITY_REGISTRY_REQUIRED')
    const candidates = distinctCandidates(body.candidates ?? [])
    const rate = accepted('INVALID_RATE_OFFERING', rateOffering(body))

    const token = await requireImport(tenant, collateralToken)
    const factory = await findFactory(tenant, instance.chainId)
    const [primary] = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
    if (!primary) throw new AppError('WALLET_NOT_CONFIGURED')
    const signer = primary.address as Address

    const chain = chains.get(instance.chainId)
    const registers = [borrowerRegistry, providerRegistry].filter((one) => one !== null)
    const stockFactory = isStockSurface(mountedAt) ? await findStockFactory(tenant, instance.chainId) : null
    const [answers, ceiling] = await Promise.all([
      questionTokens(chain, { collateral: collateralToken, borrowAsset, registers }),
      readNamed(chain, {
        ceilingBps: contractRead(factory, abis.factory, 'creatorRateCeiling', []),
        isOwnStock: stockFactory ? [contractRead(stockFactory, stockFactoryAbi, 'isStock', [collateralToken])] : [],
      }),
    ])
    const { ceilingBps, isOwnStock } = ceiling.results
    if (isStockSurface(mountedAt)) requireOwnStock(isOwnStock[0])
    const decimals = requireAnswers(answers, mode)
    if (!ceilingBps.ok) throw new AppError('FACTORY_READ_FAILED')
    if (rate.highestBps > Number(ceilingBps.value)) throw new AppError('RATE_ABOVE_CREATOR_CEILING')
    const term = accepted('INVALID_TERM_OFFERING', termOffering(body, answers.block.time))
    const initialPrice = requirePrice(body.initialPrice, decimals)
    const choices = {
      chainId: instance.chainId,
      factory,
      collateralToken,
      borrowAsset,
      collateralMode: mode,
      priceSource,
    }
    const sealed = requireBundle(currentBundle(token, choices))

    const args: DeployArgs = {
      collateralToken,
      borrowAsset,
      mode: mode === 'FREEZE' ? 0 : 1,
      priceSource: priceSource === 'NAV' ? 0 : 1,
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
    }
    const intent = { chain, pair: deployMarketCall, target: factory, kind: 'factory' }
    const built = await intents.build(intent, args, signer, explainLending)
    const marketId = await draftRecord(request, { collateralToken, mode, borrowAsset }, sealed)
    const stamped = rate.offer.fixedBps
    const data = {
      ...built,
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
      confirmWith: {
        endpoint: endpointAt(mountedAt, '/markets/deploy'),
        field: 'txHash' as const,
        body: { collateralTokenAddress: collateralToken, txHash: null },
      },
    }
    return { data, block: answers.block, calls: [built.transaction] }
  }
}

function distinctCandidates(texts: readonly string[]): Address[] {
  const addresses = texts.map((text) => parseAddress(text))
  if (addresses.some((one) => one === null || one === zeroAddress))
    throw fieldError('VALIDATION_ERROR', [
      { field: 'candidates', message: 'holds an address with a wrong checksum, or the zero address' },
    ])
  return [...new Set(addresses)] as Address[]
}
