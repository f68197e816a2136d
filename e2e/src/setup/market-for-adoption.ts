import { type Address, signAndConfirm } from '@tallystick/sdk'
import type { Demo } from '../demo/demo.ts'
import { newSecurity } from './new-security.ts'

/** A market that an issuer platform deployed and that names the lender: what `issuer-platform.ts` tells in detail. */
export async function marketForAdoption(demo: Demo): Promise<Address> {
  const tally = demo.tally('issuer')
  const tokenAddress = await newSecurity(demo)
  await tally.tokens.importToken({ body: { tokenAddress, assetType: 'BOND' } })
  const profile = { issuerName: 'Sonnenfeld Solar GmbH', jurisdiction: 'DE', sector: 'Renewable energy' }
  await tally.tokens.setProfile({ params: { tokenAddress }, body: { profile } })
  const pair = {
    collateralTokenAddress: tokenAddress,
    borrowAssetAddress: demo.token('dEUR'),
    mode: 'CUSTODY',
  } as const
  const body = { ...pair, initialPrice: '100', candidates: [demo.wallet('Lender of record').account.address] }
  const { confirmed } = await signAndConfirm(tally.lending.deployMarket, { body }, demo.wallet('Issuer platform'))
  if (!confirmed.market.marketAddress) throw new Error('the market has no address')
  return confirmed.market.marketAddress
}
