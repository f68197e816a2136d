import { type Account, type Address, type Chain, isAddressEqual, type Transport, type WalletClient } from 'viem'
import { getChainId } from 'viem/actions'
import type { CallToSign } from './built-calls.ts'
import { TallySigningError } from './signing-error.ts'

/** A wallet client of viem with an account. */
export type Wallet = WalletClient<Transport, Chain | undefined, Account>

export function requireSigner(wallet: Wallet, signer: Address | undefined): void {
  if (!signer || isAddressEqual(signer, wallet.account.address)) return
  throw new TallySigningError('WRONG_SIGNER', `${signer} has to sign this, and the wallet is ${wallet.account.address}`)
}

export async function requireChain(wallet: Wallet, { chainId }: CallToSign): Promise<void> {
  const connected = await getChainId(wallet)
  if (connected !== chainId)
    throw new TallySigningError('WRONG_CHAIN', `the call is for chain ${chainId}, and the wallet is on ${connected}`)
}
