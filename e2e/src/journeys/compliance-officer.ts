// #region imports
import { openDemo } from '@tallystick/e2e'
import { signAndConfirm } from '@tallystick/sdk'
// #endregion

/** Who may hold shares, who may no longer move them, and who is allowed to deal in them at all. */
export async function complianceOfficer(): Promise<void> {
  // #region who
  const demo = openDemo() // the one that `npm start` runs
  const investor = await demo.newWallet('New investor')
  const { identity, stocks } = demo.tally('issuer')
  const officer = demo.wallet('Issuer platform') // examines investors, and keeps the register of the stock
  const walletAddress = investor.account.address
  const stock = { tokenAddress: demo.token('NWP') }
  const sale = { from: demo.wallet('Borrower').account.address, to: walletAddress, amount: '10' }
  // #endregion

  demo.step('Nobody knows this wallet: could it receive shares?')
  // #region before
  const { data: before } = await stocks.canTransferShares({ params: stock, query: sale })
  demo.show('allowed', `${before.allowed}: ${before.code}`)
  // #endregion

  demo.step('Verify the investor. Only a hash of the dossier goes on chain')
  // #region verify
  const person = { walletAddress, country: 'DE', investorType: 'RETAIL', kycData: { dossier: '2026-0117' } }
  await signAndConfirm(identity.verifyIdentity, { body: { ...person, hardExpiryDays: 365 } }, officer)
  const { data: known } = await identity.getIdentityStatus({ params: { walletAddress } })
  demo.show('identity', `${known.onChain.status}, ${known.onChain.country}, ${known.onChain.investorTypeLabel}`)
  // #endregion

  demo.step('Add a claim: checked against money laundering, good for a year')
  // #region claim
  const claim = { walletAddress, claimType: 'AML', dataInput: 'report 2026-0117', expiryDays: 365 }
  await signAndConfirm(identity.addClaim, { body: claim }, officer)
  const { data: after } = await stocks.canTransferShares({ params: stock, query: sale })
  demo.show('allowed', `${after.allowed}: ${after.code}`)
  // #endregion

  demo.step('A court order: the shares of the investor must not move')
  // #region freeze
  await signAndConfirm(stocks.issueShares, { params: stock, body: { recipient: walletAddress, amount: '10' } }, officer)
  const order = { params: stock, body: { account: walletAddress, amount: '10' } }
  await signAndConfirm(stocks.freezeShares, order, demo.wallet('Controller'))
  const away = { from: sale.to, to: sale.from, amount: '1' }
  const { data: frozen } = await stocks.canTransferShares({ params: stock, query: away })
  demo.show('allowed', `${frozen.allowed}: ${frozen.code}`)
  await signAndConfirm(stocks.unfreezeShares, order, demo.wallet('Controller'))
  // #endregion

  demo.step('The check turned out to be wrong: revoke the claim')
  // #region revoke
  await signAndConfirm(identity.revokeClaim, { body: { walletAddress, claimType: 'AML' } }, officer)
  const { data: left } = await identity.listClaims({ params: { walletAddress } })
  demo.show('claims left', left.claims.length)
  // #endregion

  demo.step('Is a counterparty authorised? Search the register of regulated entities')
  // #region register
  const { register } = demo.tally('register') // the register has a key of its own
  const { data: entities } = await register.searchIssuers({ query: { q: 'Nordwind' } })
  for (const { entityName, licenseType, countryCode, status } of entities)
    demo.show(entityName, `${licenseType}, ${countryCode}, ${status}`)
  // #endregion
}
