// #region imports
import { marketForAdoption, openDemo, sendSetup, untilPriceHasAged } from '@tallystick/e2e'
import { signAndConfirm } from '@tallystick/sdk'
// #endregion

/** A lender looks at a market that nominates them, adopts it, and brings it to life. */
export async function lenderOfRecord(): Promise<void> {
  // #region who
  const demo = openDemo() // the one that `npm start` runs
  const market = await marketForAdoption(demo) // deployed by the issuer platform, which nominates you
  const { lending } = demo.tally('lender')
  const wallet = demo.wallet('Lender of record')
  const self = wallet.account.address
  // #endregion

  demo.step('Review the market: what it offers, and what was attested about the security')
  // #region review
  const { data: queued } = await lending.getQueuedMarket({ params: { market } })
  const { collateralTokenName, collateralMode, priceSource } = queued.market
  demo.show('offered', `${collateralTokenName}, ${collateralMode}, prices by ${priceSource}`)
  const { data: facts } = await lending.getAssetDataBundle({ params: { market } })
  demo.show('attested', `${facts.contentHash}, the bytes hash to it: ${facts.verification.matches}`)
  // #endregion

  demo.step('Adopt it: one transaction takes every role and acknowledges exactly these facts')
  // #region adopt
  const roles = { admin: self, issuer: self, collateralAgent: self, saleRecipient: self, liquidationOperator: self }
  const prices = { oracleOwner: self, priceSigner: self }
  const declared = { realizationMode: 'ISSUER_REDEMPTION', assetDataHash: facts.contentHash } as const
  const adoption = { params: { market }, body: { ...roles, ...prices, ...declared } }
  const { confirmed } = await signAndConfirm(lending.acceptCuratorRole, adoption, wallet)
  if (!confirmed) throw new Error('the market is open to claims, and this was only the first of two steps')
  const params = { marketId: confirmed.market.id }
  demo.show('adopted by', confirmed.curator)
  // #endregion

  demo.step('What is missing before loans can be opened? The administrator of the token signs their part')
  // #region setup
  const { data: setup } = await lending.getSetupSteps({ params })
  for (const { key, requiredRole, done } of setup.steps)
    demo.show(key, done ? 'done' : `missing, up to ${requiredRole}`)
  await sendSetup(demo, setup)
  // #endregion

  demo.step('Publish the terms in words, and set them on chain')
  // #region terms
  const content = '# Terms\n\nLoans run for 90 days at most and are repaid in dEUR.'
  const { data: published } = await lending.putTerms({ params, body: { content, title: 'Terms', published: true } })
  demo.show('terms', `version ${published.terms.version}, ${published.terms.contentHash}`)
  const duration = { params, body: { maxLoanDurationDays: 90, termGracePeriodDays: 7 } }
  await signAndConfirm(lending.setTermConfig, duration, wallet)
  // #endregion

  demo.step('Push a price')
  // #region price
  await untilPriceHasAged(demo, params) // a price must be newer than the one before, by a second at least
  const { confirmed: priced } = await signAndConfirm(lending.syncOracle, { params, body: { price: '101.5' } }, wallet)
  demo.show('price', `${priced.previousPrice} → ${priced.newPrice}`)
  // #endregion

  demo.step('Bring in the money, and the market lends')
  // #region fund
  const funding = { params, body: { amount: '5000', provider: self } }
  await signAndConfirm(lending.addLiquidity, funding, wallet)
  const { data: ready } = await lending.getSetupSteps({ params })
  demo.show('loans can be opened', ready.operable)
  // #endregion
}
