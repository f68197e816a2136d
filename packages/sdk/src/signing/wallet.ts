import {
  type Account,
  type Address,
  type Chain,
  type Client,
  isAddressEqual,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
  type WalletClient,
} from 'viem'
import {
  getChainId,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  prepareTransactionRequest,
  sendTransaction,
} from 'viem/actions'
import type { Hex } from '../operation.ts'
import type { CallToSign } from './built-calls.ts'
import { TallySigningError } from './signing-error.ts'

/** A wallet client of viem with an account. */
export type Wallet = WalletClient<Transport, Chain | undefined, Account>

export interface Patience {
  /** How long to wait for a transaction to be mined. */
  readonly timeoutMs: number
  readonly pollingMs: number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly signal?: AbortSignal | undefined
}

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

const nothingYet = (fault: unknown): null => {
  if (fault instanceof TransactionReceiptNotFoundError) return null
  throw fault
}
const receiptOf = (client: Client, hash: Hex) => getTransactionReceipt(client, { hash }).catch(nothingYet)

/** Whether the place of the transaction was taken by another one, as far as the node can tell. */
async function isReplaced(client: Client, hash: Hex): Promise<boolean> {
  const transaction = await getTransaction(client, { hash }).catch(() => undefined)
  if (!transaction || transaction.blockHash) return false
  const mined = await getTransactionCount(client, { address: transaction.from, blockTag: 'latest' })
  return mined > transaction.nonce && (await receiptOf(client, hash)) === null
}

/**
 * Asks until the receipt is there. (viem's own way looks again with each new block only, and a chain that mines with transactions
 * may have none.)
 */
export async function waitForReceipt(client: Client, hash: Hex, patience: Patience): Promise<TransactionReceipt> {
  const { timeoutMs, pollingMs, sleep, signal } = patience
  for (let waited = 0; waited <= timeoutMs; waited += pollingMs) {
    const receipt = await receiptOf(client, hash)
    if (receipt) return receipt
    if (waited > 0 && (await isReplaced(client, hash)))
      throw new TallySigningError('REPLACED', `another transaction took the place of ${hash}`)
    await sleep(pollingMs, signal)
  }
  throw new TallySigningError('NOT_MINED', `${hash} was not mined within ${timeoutMs} ms`)
}
