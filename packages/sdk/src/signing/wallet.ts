import { type Account, type Address, type Chain, isAddressEqual, type Transport, type WalletClient } from 'viem'
import { getChainId, prepareTransactionRequest, sendTransaction } from 'viem/actions'
import type { Hex } from '../operation.ts'
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

/** What is asked for beyond the estimate, in percent of it. */
const MORE_GAS_PERCENT = 30n

/**
 * With more gas than the estimate, which holds for the block it was made at: in the next one interest may have to be booked first, and the
 * call would run out in the middle. What is not used costs nothing.
 */
export async function sendCall(wallet: Wallet, { to, data, gas }: CallToSign): Promise<Hex> {
  const call = { account: wallet.account, chain: null, ...(to === null ? {} : { to }), data }
  if (gas !== undefined) return sendTransaction(wallet, { ...call, gas })
  const { gas: estimated } = await prepareTransactionRequest(wallet, { ...call, parameters: ['gas'] })
  return sendTransaction(wallet, { ...call, gas: estimated + (estimated * MORE_GAS_PERCENT) / 100n })
}
