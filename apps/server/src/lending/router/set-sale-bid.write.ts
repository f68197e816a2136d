import { lendingOperations } from '@tallystick/wire'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import { fieldError, type Refuse } from '../../platform/app-error.ts'
import { approveStep } from '../../platform/chain/unsigned-call.ts'
import { assetOf, type Market } from '../core/index.rules.ts'
import { at, marketWrite } from '../core/index.ts'
import { MAX_BID_BPS, MIN_BID_BPS, SHORTEST_BID_SECONDS, validUntilIso } from './atomic.rules.ts'
import { guessRecipient } from './atomic-sale.service.ts'
import { type AtomicState, readAtomic, requireBasis } from './atomic-state.ts'
import { minedAt } from './instants.ts'
import { namedSigner } from './signer.ts'

/** The router keeps times in 40 bits. */
const LATEST = 2 ** 40 - 1
const LARGEST = 2n ** 256n - 1n

interface Offered {
  readonly priceFactorBps: number
  readonly validUntil?: number
}

function requireBid({ priceFactorBps, validUntil }: Offered, chainTime: number, refuse: Refuse<'INVALID_SALE_BID'>) {
  if (priceFactorBps === 0) return { priceFactorBps, validUntil: 0 }
  if (priceFactorBps < MIN_BID_BPS || priceFactorBps > MAX_BID_BPS)
    throw refuse('INVALID_SALE_BID', { detail: `priceFactorBps is 0, or ${MIN_BID_BPS} to ${MAX_BID_BPS}.` })
  if (validUntil === undefined || validUntil < chainTime + SHORTEST_BID_SECONDS || validUntil > LATEST)
    throw refuse('INVALID_SALE_BID', {
      detail: 'validUntil is unix seconds of chain time, at least a minute from now.',
    })
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

interface Bid {
  readonly priceFactorBps: number
  readonly validUntil: number
  /** Null: it stays as it is. */
  readonly allowance: bigint | null
}

function isUnchanged({ bid, allowance }: AtomicState, wanted: Bid): boolean {
  if (wanted.allowance !== null && wanted.allowance !== allowance) return false
  if (Number(bid.priceFactorBps) !== wanted.priceFactorBps) return false
  return wanted.priceFactorBps === 0 || Number(bid.validUntil) === wanted.validUntil
}

function warningsOf({ isAtomic, allowance, isLenderSide }: AtomicState, wanted: Bid) {
  const warnings = [
    {
      code: 'FUNDS_STAY_IN_WALLET',
      message: 'Nothing is set aside: whoever buys must hold the cash when a liquidation comes.',
    },
  ]
  const isBid = wanted.priceFactorBps !== 0
  if (isBid && wanted.priceFactorBps < 10_000)
    warnings.push({
      code: 'BID_BELOW_PAR',
      message: 'The bid is below the oracle price: borrowers lose the difference.',
    })
  if (isBid && (wanted.allowance ?? allowance) === 0n)
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

function approvalsOf(market: Market, standing: bigint, wanted: bigint | null) {
  const { borrowAsset, router, borrowSymbol, borrowDecimals } = market
  if (wanted === null || wanted === standing) return []
  const approve = (raw: bigint, text: string) => approveStep(borrowAsset, router, raw, text)
  return [
    // Some assets change an allowance only from or to nothing.
    ...(wanted !== 0n && standing !== 0n ? [approve(0n, 'Takes the standing allowance back.')] : []),
    approve(wanted, `Lets the router take ${formatUnits(wanted, borrowDecimals)} ${borrowSymbol} in all.`),
  ]
}

/** What the sale recipient offers for whatever is seized. */
export const setSaleBid = marketWrite(lendingOperations.setSaleBid, {
  call: at('router', 'setSaleBid', 'SaleBidSet'),
  reverted: 'SALE_BID_FAILED',

  async build({ tenant, record, market, marketId, chain, body, cash, refuse }) {
    const named = namedSigner(body.signerAddress)
    const allowance = requireAllowance(body.allowance, market)
    const { block, state } = await readAtomic(chain, market, await guessRecipient({ tenant }, market), refuse)
    const wanted = { ...requireBid(body, block.time, refuse), allowance }
    const { priceFactorBps, validUntil } = wanted
    const { saleRecipient } = state
    if (saleRecipient === null) throw refuse('SALE_RECIPIENT_NOT_SET')
    if (state.allowance === null) throw refuse('ROUTER_UNREADABLE')
    if (priceFactorBps !== 0) requireBasis(state, refuse)
    if (named && named !== saleRecipient) throw refuse('NOT_SALE_RECIPIENT', { extra: { saleRecipient } })
    if (priceFactorBps !== 0 && priceFactorBps < state.floorBps)
      throw refuse('SALE_BID_BELOW_FLOOR', { extra: { floorBps: state.floorBps } })
    if (isUnchanged(state, wanted)) throw refuse('SALE_BID_UNCHANGED')
    return {
      block,
      signer: saleRecipient,
      args: { priceFactorBps: BigInt(priceFactorBps), validUntil: BigInt(validUntil) },
      steps: {
        before: approvalsOf(market, state.allowance, allowance),
        description:
          priceFactorBps === 0
            ? 'Withdraws the standing bid.'
            : `Bids ${formatUnits(BigInt(priceFactorBps), 2)} percent of the oracle price for what is liquidated.`,
      },
      answer: {
        marketId,
        requiredSigner: saleRecipient,
        heldByThisInstance: record.wallets.includes(saleRecipient),
        routerAddress: market.router,
        priceFactorBps,
        validUntil,
        allowance: allowance === null ? null : { amount: cash(allowance), raw: allowance.toString() },
        settlementAsset: assetOf(market),
        warnings: warningsOf(state, wanted),
      },
    }
  },

  expect: () => ({}),

  proven(proof, { marketId }) {
    const { buyer, priceFactorBps, validUntil } = proof.effect
    return {
      marketId,
      buyer,
      priceFactorBps: Number(priceFactorBps),
      validUntil: Number(validUntil),
      validUntilIso: validUntilIso({ validUntil }),
      at: minedAt(proof),
    }
  },
})
