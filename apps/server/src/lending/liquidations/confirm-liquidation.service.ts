import type { Address, Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { loanRead } from '../loan-questions.ts'
import type { Market } from '../market/market.store.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { eventsOf } from '../receipt-events.ts'
import { liquidateCall } from './liquidate.call.ts'
import { type SettlementReceipt, settlementIn } from './settlement-receipt.ts'

/** Where the collateral of one seizure went, by the events of whoever took it. */
function destinationIn(market: Market, logs: readonly ReceiptLog[], destination: Address, realizationId: string) {
  const isOurs = ({ effect }: { effect: Readonly<Record<string, unknown>> }) => effect.realizationId === realizationId
  if (destination !== market.router) {
    const started = eventsOf('venue', destination, logs).find((one) => one.name === 'AuctionStarted' && isOurs(one))
    const auctionId = started ? String(started.effect.auctionId) : null
    return { liquidationId: auctionId && `venue-${realizationId}`, auctionId, path: auctionId && 'VENUE', sale: null }
  }
  const said = eventsOf('router', market.router, logs)
  const received = said.find((one) => one.name === 'CollateralReceived' && isOurs(one))
  const liquidationId = received ? String(received.effect.liquidationId) : null
  const sale = said.find(({ name, effect }) => name === 'AtomicSaleExecuted' && effect.liquidationId === liquidationId)
  return {
    liquidationId,
    auctionId: null,
    path: liquidationId && (sale ? 'ATOMIC' : 'ROUTER'),
    sale: sale?.effect ?? null,
  }
}

/** What of the cash neither the claim, nor the loan, nor the pool, nor the borrower got: the insurance fund did. */
function reimbursed(claim: bigint, settled: SettlementReceipt): bigint {
  const { proceeds, penalty, recovered, debtApplied, surplus } = settled
  const toClaim = proceeds < claim ? proceeds : claim
  return surplus.reduce((left, { amount }) => left - amount, proceeds - toClaim - penalty - recovered - debtApplied)
}

/** Takes a seizure down. */
export function createConfirmLiquidation({ chains, intents }: LendingParts) {
  return async function confirm(call: MarketCall, marketId: string, text: string, txHash: string) {
    const { market } = await findDeployedMarket(call, marketId)
    const loanId = BigInt(text)
    const chain = chains.get(market.chainId)
    const intent = { chain, pair: liquidateCall, target: market.address, kind: 'market' }
    const proof = await intents.confirm(call.tenant, intent, { loanId }, txHash as Hex)
    const { effect, logIndex, transaction, verifiedBy } = proof
    const { results } = await chain.read([loanRead(market, loanId)])
    const [loan] = results
    if (!loan.ok) throw new ChainUnavailableError('the market did not answer')
    const { logs, block } = transaction
    const realizationId = String(effect.realizationId)
    const claim = BigInt(String(effect.claim))
    const seized = BigInt(String(effect.collateral))
    const went = destinationIn(market, logs, String(effect.destination) as Address, realizationId)
    if (seized !== 0n && !went.liquidationId) throw new AppError('TX_NOT_VERIFIED')
    const settled = settlementIn(market.address, logs, BigInt(realizationId), logIndex)
    const writtenOff = eventsOf('market', market.address, logs).find(
      ({ name, effect: said }) => name === 'WrittenOffAtSeizure' && said.realizationId === realizationId,
    )
    const inCash = (value: unknown) => formatUnits(BigInt(String(value)), market.borrowDecimals)
    const inCollateral = (value: unknown) => formatUnits(BigInt(String(value)), market.collateralDecimals)
    const surplusOf = (kind: string) =>
      settled?.surplus.reduce((sum, one) => (one.kind === kind ? sum + one.amount : sum), 0n) ?? 0n
    const { sale } = went
    const data = {
      loanId: loanId.toString(),
      liquidationId: went.liquidationId,
      marketLiquidationId: realizationId,
      auctionId: went.auctionId,
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      collateralSeized: inCollateral(seized),
      debtRepaid: inCash(claim),
      borrower: loan.value.borrower.toLowerCase(),
      termRealization: effect.isTerm === true,
      status: settled || seized === 0n ? ('SETTLED' as const) : ('PENDING' as const),
      realization: went.path as 'ROUTER' | 'VENUE' | 'ATOMIC' | null,
      buyer: sale ? String(sale.buyer) : null,
      proceeds: settled && inCash(settled.proceeds),
      usdcProceeds: settled && inCash(settled.proceeds),
      surplus: settled && {
        returned: inCash(surplusOf('SURPLUS_RETURNED')),
        escrowed: inCash(surplusOf('SURPLUS_ESCROWED')),
      },
      reserve:
        settled || writtenOff
          ? {
              seizureCovered: inCash(writtenOff?.effect.covered ?? 0),
              settlementCovered: inCash(settled?.covered ?? 0),
              reimbursed: inCash(settled ? reimbursed(claim, settled) : 0),
            }
          : null,
      writtenOffAtSeizure: inCash(writtenOff?.effect.amount ?? 0),
      ...(sale
        ? {
            sale: {
              collateralAmount: inCollateral(sale.collateral),
              collateralAmountRaw: String(sale.collateral),
              payment: inCash(sale.payment),
              paymentRaw: String(sale.payment),
              price: inCash(sale.price),
              priceRaw: String(sale.price),
            },
            settledTxHash: transaction.hash,
            settledAt: new Date(block.time * 1000).toISOString(),
          }
        : {}),
    }
    return { data, block }
  }
}
