import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { assetOf } from '../core/borrow-asset.rules.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { approveStep, buildSteps } from '../steps.ts'
import { MAX_BID_BPS, MIN_BID_BPS, SHORTEST_BID_SECONDS, validUntilIso } from './atomic.rules.ts'
import { requireBasis } from './atomic-mode.service.ts'
import { guessRecipient } from './atomic-sale.service.ts'
import { type AtomicState, readAtomic } from './atomic-state.ts'
import { amountIn, createConfirmation, minedAt, provenBy } from './confirmation.ts'
import { setSaleBidCall } from './router-setting.call.ts'
import { namedSigner } from './signer.ts'

type BidBody = BodyOf<typeof lendingOperations.setSaleBid>

/** The router keeps times in 40 bits. */
const LATEST = 2 ** 40 - 1
const LARGEST = 2n ** 256n - 1n

function requireBid({ priceFactorBps, validUntil }: BidBody, chainTime: number) {
  if (priceFactorBps === undefined)
    throw fieldError('VALIDATION_ERROR', [{ field: 'priceFactorBps', message: 'is required' }])
  if (priceFactorBps === 0) return { priceFactorBps, validUntil: 0 }
  const invalid = (detail: string) => new AppError('INVALID_SALE_BID', { detail })
  if (priceFactorBps < MIN_BID_BPS || priceFactorBps > MAX_BID_BPS)
    throw invalid(`priceFactorBps is 0, or ${MIN_BID_BPS} to ${MAX_BID_BPS}.`)
  if (validUntil === undefined || validUntil < chainTime + SHORTEST_BID_SECONDS || validUntil > LATEST)
    throw invalid('validUntil is unix seconds of chain time, at least a minute from now.')
  return { priceFactorBps, validUntil }
}

function requireAllowance(text: string | undefined, { borrowDecimals }: Market): bigint | null {
  if (text === undefined) return null
  const raw = parseUnits(text, borrowDecimals)
  if (raw === null || raw > LARGEST)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'allowance', message: `must be a decimal with at most ${borrowDecimals} decimals` },
    ])
  return raw
}

interface Wish {
  readonly priceFactorBps: number
  readonly validUntil: number
  /** Null: it stays as it is. */
  readonly allowance: bigint | null
}

function isUnchanged({ bid, allowance }: AtomicState, wish: Wish): boolean {
  if (wish.allowance !== null && wish.allowance !== allowance) return false
  if (Number(bid.priceFactorBps) !== wish.priceFactorBps) return false
  return wish.priceFactorBps === 0 || Number(bid.validUntil) === wish.validUntil
}

function warningsOf({ isAtomic, allowance, isLenderSide }: AtomicState, wish: Wish) {
  const warnings = [
    {
      code: 'FUNDS_STAY_IN_WALLET',
      message: 'Nothing is set aside: whoever buys must hold the cash when a liquidation comes.',
    },
  ]
  const isBid = wish.priceFactorBps !== 0
  if (isBid && wish.priceFactorBps < 10_000)
    warnings.push({
      code: 'BID_BELOW_PAR',
      message: 'The bid is below the oracle price: borrowers lose the difference.',
    })
  if (isBid && (wish.allowance ?? allowance) === 0n)
    warnings.push({ code: 'NO_ALLOWANCE', message: 'The router may take nothing yet: sales revert until it may.' })
  if (!isBid && isAtomic)
    warnings.push({
      code: 'BID_CLEARED_IN_ATOMIC_MODE',
      message: 'The market sells at once: without a bid its liquidations revert.',
    })
  if (isLenderSide)
    warnings.push({
      code: 'SALE_RECIPIENT_LENDER_SIDE',
      message: 'The sale recipient is the operator wallet of the market: the lender buys from itself.',
    })
  return warnings
}

/** What the sale recipient offers for whatever is seized. */
export function createSaleBid(parts: LendingParts) {
  const { chains, clock } = parts
  const prove = createConfirmation(parts)

  function plan(market: Market, state: AtomicState, wish: Wish) {
    const { borrowAsset, router, borrowSymbol, borrowDecimals } = market
    const { allowance: wished, ...bid } = wish
    const approve = (raw: bigint, text: string) => approveStep(borrowAsset, router, raw, text)
    const approvals = []
    if (wished !== null && wished !== state.allowance) {
      // Some assets change an allowance only from or to nothing.
      if (wished !== 0n && state.allowance !== 0n) approvals.push(approve(0n, 'Takes the standing allowance back.'))
      approvals.push(
        approve(wished, `Lets the router take ${formatUnits(wished, borrowDecimals)} ${borrowSymbol} in all.`),
      )
    }
    const description =
      bid.priceFactorBps === 0
        ? 'Withdraws the standing bid.'
        : `Bids ${formatUnits(BigInt(bid.priceFactorBps), 2)} percent of the oracle price for what is liquidated.`
    const functionName = setSaleBidCall.functionName
    return [...approvals, { call: setSaleBidCall.prepare(router, bid), functionName, description }]
  }

  return {
    async build(call: MarketCall, marketId: string, body: BidBody) {
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const named = namedSigner(body.signerAddress)
      const allowance = requireAllowance(body.allowance, market)
      const chain = chains.get(market.chainId)
      const { block, state } = await readAtomic(chain, market, await guessRecipient(call, market))
      const wish = { ...requireBid(body, block.time), allowance }
      const { saleRecipient } = state
      if (saleRecipient === null) throw new AppError('SALE_RECIPIENT_NOT_SET')
      if (state.allowance === null) throw new AppError('ROUTER_UNREADABLE')
      if (wish.priceFactorBps !== 0) requireBasis(state)
      if (named && named !== saleRecipient) throw new AppError('NOT_SALE_RECIPIENT', { extra: { saleRecipient } })
      if (wish.priceFactorBps !== 0 && wish.priceFactorBps < state.floorBps)
        throw new AppError('SALE_BID_BELOW_FLOOR', { extra: { floorBps: state.floorBps } })
      if (isUnchanged(state, wish)) throw new AppError('SALE_BID_UNCHANGED')
      const planned = plan(market, state, wish)
      const { built, calls } = await buildSteps(chain, saleRecipient, planned, clock)
      const { priceFactorBps, validUntil } = wish
      const data = {
        marketId,
        ...built,
        confirmStepIndex: planned.length - 1,
        requiredSigner: saleRecipient,
        heldByThisInstance: wallets.includes(saleRecipient),
        routerAddress: market.router,
        priceFactorBps,
        validUntil,
        allowance: allowance === null ? null : shown(allowance, market),
        settlementAsset: assetOf(market),
        warnings: warningsOf(state, wish),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/liquidations/${marketId}/sale-bid`),
          field: 'txHash' as const,
        },
      }
      return { data, block, calls }
    },

    async confirm(call: MarketCall, marketId: string, txHash: string) {
      const record = await findDeployedMarket(call, marketId)
      const proof = await prove(call, {
        record,
        chain: chains.get(record.market.chainId),
        pair: setSaleBidCall,
        expected: {},
        txHash,
        revertCode: 'SALE_BID_FAILED',
      })
      const validUntil = amountIn(proof, 'validUntil')
      const data = {
        marketId,
        ...provenBy(proof),
        buyer: String(proof.effect.buyer),
        priceFactorBps: Number(amountIn(proof, 'priceFactorBps')),
        validUntil: Number(validUntil),
        validUntilIso: validUntilIso({ validUntil }),
        at: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

const shown = (raw: bigint, { borrowDecimals }: Market) => ({
  amount: formatUnits(raw, borrowDecimals),
  raw: raw.toString(),
})

export type SaleBid = ReturnType<typeof createSaleBid>
