import { demoCashAbi, demoIdentityRegistryAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/sdk'
import { encodeFunctionData, parseUnits } from 'viem'
import type { Demo } from '../demo/demo.ts'
import { sendDirectly } from './direct-calls.ts'

const GERMANY = 276

/** A new wallet with money. */
export async function investorWithCash(demo: Demo, name: string, amount: string): Promise<Wallet> {
  const wallet = await demo.newWallet(name)
  const args = [wallet.account.address, parseUnits(amount, 6)] as const
  const data = encodeFunctionData({ abi: demoCashAbi, functionName: 'mint', args })
  await sendDirectly(demo.wallet('Issuer platform'), [{ to: demo.token('dEUR'), data }])
  return wallet
}

/** The register of the note NORD lets the wallet hold it. */
export async function admitHolder(demo: Demo, { account: { address } }: Wallet): Promise<void> {
  const data = encodeFunctionData({
    ...{ abi: demoIdentityRegistryAbi, functionName: 'registerIdentity' },
    // Any address but zero stands for an identity contract here.
    args: [address, address, GERMANY],
  })
  await sendDirectly(demo.wallet('Issuer platform'), [{ to: demo.contract('identityRegistry'), data }])
}
