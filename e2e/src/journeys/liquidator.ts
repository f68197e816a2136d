// #region imports
import { admitHolder, investorWithCash, openDemo, openUnhealthyLoan } from '@tallystick/e2e'
import { signAndConfirm } from '@tallystick/sdk'
// #endregion

/** A loan is no longer covered: its collateral is seized, sold in an auction, and the debt is settled. */
export async function liquidator(): Promise<void> {
  // #region who
  const demo = openDemo() // the one that `npm start` runs
  const { repayRest } = await openUnhealthyLoan(demo, 'freeze') // something to liquidate
  const bidder = await investorWithCash(demo, 'Bidder', '50000')
  await admitHolder(demo, bidder) // the register of the security knows the bidder
  const { lending } = demo.tally('lender')
  const params = { marketId: demo.market('freeze', 'lender') }
  const wallet = demo.wallet('Lender of record') // holds the role LIQUIDATOR
  // #endregion

  demo.step('Which loans can be liquidated?')
  // #region find
  const { data: book } = await lending.listLiquidatableLoans({ params })
  const loan = book.liquidatableLoans.at(-1) // the youngest
  if (!loan) throw new Error('every loan is healthy')
  const { loanId } = loan
  demo.show(`loan ${loanId}`, `${loan.collateralAmount} NORD at ${book.price}, health factor ${loan.healthFactor}`)
  // #endregion

  demo.step('Seize as much of the collateral as the rules of the market allow')
  // #region liquidate
  const seizure = { params: { ...params, loanId }, body: { signerAddress: wallet.account.address } }
  const { built, confirmed } = await signAndConfirm(lending.liquidateLoan, seizure, wallet)
  demo.show('forecast', `${built.forecast.collateralTaken} NORD for a claim of ${built.forecast.claim}`)
  demo.show('seized', `${confirmed.collateralSeized} NORD, sold by the ${confirmed.realization}`)
  // #endregion

  demo.step('The auction: its price falls until somebody buys')
  // #region auction
  const { data: sale } = await lending.getLoanAuction({ params: { ...params, loanId } })
  if (!sale.auction) throw new Error('the collateral was not put up for auction')
  const { auctionId, collateralRemaining, currentPrice, floorPrice } = sale.auction
  demo.show(`auction ${auctionId}`, `${collateralRemaining} NORD at ${currentPrice} now, ${floorPrice} at the end`)
  // #endregion

  demo.step('Somebody whom the register of the security knows buys all of it, and that settles the debt')
  // #region bid
  const bid = { auctionId, collateralAmount: collateralRemaining, bidderAddress: bidder.account.address }
  const { confirmed: bought } = await signAndConfirm(lending.bidOnAuction, { params, body: bid }, bidder)
  demo.show('bought', `${bought.collateralPurchased} NORD for ${bought.amountPaid} dEUR`)
  demo.show('settled', `${bought.auctionSettled}, ${bought.debtCovered} dEUR of the debt covered`)
  // #endregion

  demo.step('What is left of the loan')
  // #region after
  const { data: left } = await lending.getLoan({ params: { ...params, loanId } })
  demo.show('the loan', `${left.principal} dEUR against ${left.collateralAmount} NORD`)
  // #endregion

  demo.step('The borrower pays the rest')
  // #region rest
  await repayRest()
  // #endregion
}
