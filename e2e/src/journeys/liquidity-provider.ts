// #region imports
import { connectedVault, investorWithCash, openDemo } from '@tallystick/e2e'
import { isRefusal, signAndConfirm } from '@tallystick/sdk'
// #endregion

/** An investor puts money into a vault, sees what the share is worth, and when it can be taken out again. */
export async function liquidityProvider(): Promise<void> {
  // #region who
  const demo = openDemo() // the one that `npm start` runs
  await connectedVault(demo, 'custody') // the lender has one for this market
  const wallet = await investorWithCash(demo, 'Investor', '20000')
  const { lending } = demo.tally('lender') // whoever deals with the investor: here the lender
  const params = { marketId: demo.market('custody', 'lender') }
  const holder = wallet.account.address
  // #endregion

  demo.step('What does the market pay, and through which vault?')
  // #region find-vault
  const { data: metrics } = await lending.getMetrics({ params })
  demo.show('lent out', `${metrics.totalBorrows} of ${metrics.totalDeposits} dEUR, supply rate ${metrics.supplyRate}`)

  const { data: connected } = await lending.listConnectedVaults({ params })
  const vault = connected.vaults.find((one) => one.registered && !one.readFailed && one.depositable)
  if (!vault) throw new Error('no vault takes deposits for this market')
  const { vaultAddress } = vault
  // #endregion

  demo.step('Deposit: an approval and the deposit itself')
  // #region deposit
  const deposit = { params: { vaultAddress }, body: { amount: '10000', holderAddress: holder } }
  const { confirmed: deposited } = await signAndConfirm(lending.depositToVault, deposit, wallet)
  demo.show('shares', deposited.shares)
  // #endregion

  demo.step('The owner of the vault lends some of it: from now on it earns interest')
  // #region put-to-work
  const supply = { params, body: { amount: '4000', provider: vaultAddress } }
  const { confirmed: supplied } = await signAndConfirm(lending.addLiquidity, supply, demo.wallet('Lender of record'))
  demo.show('in the pool', `${supplied.amount} dEUR for ${supplied.shares} shares of the pool`)
  // #endregion

  demo.step('What is the share worth, and how much of it could be paid out now?')
  // #region worth
  const { data: state } = await lending.getVault({ params: { vaultAddress }, query: { address: holder } })
  demo.show('worth', `${state.holder?.value} dEUR, ${state.holder?.redeemableNow} of it at once`)
  demo.show('shares that can be redeemed', state.holder?.redeemableShares)
  // #endregion

  demo.step('Take everything out, as soon as the shares have stayed for three days')
  // #region withdraw
  const redeem = { params: { vaultAddress }, body: { shares: state.holder?.shares ?? '0', holderAddress: holder } }
  try {
    const { confirmed: redeemed } = await signAndConfirm(lending.redeemFromVault, redeem, wallet)
    demo.show('paid out', `${redeemed.amount} dEUR for ${redeemed.shares} shares`)
  } catch (error) {
    if (!isRefusal(error, lending.redeemFromVault) || error.code !== 'SHARES_NOT_MATURE') throw error
    demo.show('can be taken out from', error.extra.details.matureAt)
  }
  // #endregion
}
