import { openDoomedLoan } from './doomed-loan.ts'
import type { KeptMarket } from './kept-market.ts'
import { seize } from './lend.ts'
import { ofLiquidations, type Stage } from './market-stage.ts'

interface Auction {
  readonly auctionId: string
  readonly loanId: string
  readonly settleable: boolean
}

/** There is always an auction to bid on: an expired one is settled, and then more of its loan is seized. */
export async function keepAuction(stage: Stage, { marketId, market, book }: KeptMarket): Promise<void> {
  const { lender, act, world } = stage
  const { auctions } = await lender.call<{ auctions: Auction[] }>('GET', ofLiquidations(marketId, '/auctions'))
  if (auctions.some(({ settleable }) => !settleable)) return
  for (const { auctionId } of auctions) {
    const body = { auctionId: Number(auctionId), signerAddress: lender.account.address }
    await act(lender.call, ofLiquidations(marketId, '/settle-expired-auction'), { body, by: lender.account })
  }
  const seizable = [...book.liquidatableLoans, ...book.auctionedLoans]
  // Repaid, sold out or well again: somebody else has to be unlucky.
  if (!seizable.some(({ loanId }) => loanId === String(market.loans.inAuction)))
    market.loans.inAuction = await openDoomedLoan(stage, marketId, book.price)
  const liquidationId = await seize(stage, marketId, market.loans.inAuction ?? 0)
  world.liquidations.inAuction = { instance: 'lender', marketId, liquidationId }
}
