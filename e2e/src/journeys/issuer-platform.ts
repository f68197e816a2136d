// #region imports
import { newSecurity, openDemo } from '@tallystick/e2e'
import { signAndConfirm } from '@tallystick/sdk'
// #endregion

/** A platform makes a security that exists on chain something to borrow against. */
export async function issuerPlatform(): Promise<void> {
  // #region who
  const demo = openDemo() // the one that `npm start` runs
  const tokenAddress = await newSecurity(demo) // on chain, and known to no service yet
  const { tokens, lending } = demo.tally('issuer')
  const wallet = demo.wallet('Issuer platform')
  // #endregion

  demo.step('Which kind of token is it? Import it into the directory')
  // #region import
  const { data: found } = await tokens.detectToken({ body: { tokenAddress } })
  demo.show('found', `${found.name} (${found.symbol}), ${found.framework}`)
  await tokens.importToken({ body: { tokenAddress, assetType: 'BOND' } })
  // #endregion

  demo.step('Publish who issues it')
  // #region profile
  const profile = { issuerName: 'Sonnenfeld Solar GmbH', jurisdiction: 'DE', sector: 'Renewable energy' }
  await tokens.setProfile({ params: { tokenAddress }, body: { profile } })
  // #endregion

  demo.step('What would be attested about it?')
  // #region preview
  const pair = {
    collateralTokenAddress: tokenAddress,
    borrowAssetAddress: demo.token('dEUR'),
    mode: 'CUSTODY',
  } as const
  const { data: preview } = await lending.previewAssetData({ query: pair })
  demo.show('content hash', preview.contentHash)
  // #endregion

  demo.step('Deploy a market: one transaction, open until a lender of record adopts it')
  // #region deploy
  const offer = { ...pair, initialPrice: '100', maxLoanDurationDays: 180 }
  const { confirmed } = await signAndConfirm(lending.deployMarket, { body: offer }, wallet)
  const { id: marketId, marketAddress: market } = confirmed.market
  if (!market) throw new Error('the market has no address')
  demo.show('market', `${market}, attested as version ${confirmed.assetData.version}`)
  // #endregion

  demo.step('The prospectus is out: attest again, so that the new facts stand on chain')
  // #region attest
  const prospectusURI = 'https://sonnenfeld.example/prospectus.pdf'
  await tokens.setProfile({ params: { tokenAddress }, body: { profile: { ...profile, prospectusURI } } })
  const { confirmed: attested } = await signAndConfirm(lending.attestAssetData, { params: { market } }, wallet)
  demo.show('attested', `version ${attested.attestation.version}, ${attested.attestation.contentHash}`)
  // #endregion

  demo.step('Nominate a lender, who can then adopt the market in one transaction')
  // #region nominate
  const candidate = demo.wallet('Lender of record').account.address
  const nomination = { params: { marketId }, body: { candidate } }
  const { confirmed: nominated } = await signAndConfirm(lending.nominateCurator, nomination, wallet)
  demo.show('nominated', nominated.candidate)
  // #endregion
}
