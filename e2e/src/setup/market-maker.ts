import { demoCashAbi } from '@tallystick/abi'
import { signAndConfirm, type Wallet } from '@tallystick/sdk'
import { encodeFunctionData, parseUnits } from 'viem'
import type { Demo } from '../demo/demo.ts'
import { sendDirectly } from './direct-calls.ts'

/** A new wallet that may hold the stock NWP, with shares and money to quote with. */
export async function marketMakerWallet(demo: Demo): Promise<Wallet> {
  const { identity, stocks } = demo.tally('issuer')
  const issuer = demo.wallet('Issuer platform')
  const wallet = await demo.newWallet('Market maker')
  const { address } = wallet.account
  const kycData = { dossier: 'market maker' }
  const person = { walletAddress: address, country: 'LU', investorType: 'ELIGIBLE_COUNTERPARTY', kycData }
  await signAndConfirm(identity.verifyIdentity, { body: person }, issuer)
  const shares = { recipient: address, amount: '100', reason: 'Lent to the market maker' }
  await signAndConfirm(stocks.issueShares, { params: { tokenAddress: demo.token('NWP') }, body: shares }, issuer)
  const args = [address, parseUnits('20000', 6)] as const
  const data = encodeFunctionData({ abi: demoCashAbi, functionName: 'mint', args })
  await sendDirectly(issuer, [{ to: demo.token('dEUR'), data }])
  return wallet
}
