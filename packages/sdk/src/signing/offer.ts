import {
  BaseError,
  HttpRequestError,
  keccak256,
  type LocalAccount,
  RpcError,
  RpcRequestError,
  UnknownRpcError,
} from 'viem'
import { getTransactionCount, sendRawTransaction, sendTransaction } from 'viem/actions'
import type { Address, Hex } from '../operation.ts'
import type { Place } from './nonce-search.ts'
import type { Wallet } from './wallet.ts'

export interface Transaction {
  /** Absent: creates a contract. */
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
  readonly gas: bigint
}

/** A transaction that a node was given. */
export interface Offered {
  readonly hash: Hex
  /** Of accounts that sign here; what a wallet signs elsewhere is known by its hash only. */
  readonly place?: Place
  readonly offerAgain?: () => Promise<unknown>
  /**
   * The node did not take it. USED: its nonce is used, by another one, or by this one if somebody in between offered it twice.
   * WAITED_FOR: another one with its nonce waits.
   */
  readonly refused?: { readonly nonceIs: 'USED' | 'WAITED_FOR'; readonly fault: unknown }
}

const OFFERS = 5
const USED = /nonce (is )?too low|old ?nonce|nonce has already been used|nonce below/i
const KNOWN = /already known|known transaction|already imported|already exists|already in (the )?(mempool|pool)/i
/** Not what pays too little by itself. */
const WAITED_FOR = /replacement[ _]?(transaction )?(underpriced|not ?allowed)|could not replace existing/i

/** What the node made of it. LOST: nobody knows. */
type Meaning = 'TAKEN' | 'USED' | 'WAITED_FOR' | 'REFUSED' | 'LOST'

function meaningOf(fault: unknown): Meaning {
  if (!(fault instanceof BaseError)) return 'REFUSED'
  if (USED.test(fault.message)) return 'USED'
  if (KNOWN.test(fault.message)) return 'TAKEN'
  if (WAITED_FOR.test(fault.message)) return 'WAITED_FOR'
  const http = fault.walk((one) => one instanceof HttpRequestError) as HttpRequestError | null
  // Whatever stands before the node did not let it through; 408 and 429 may pass.
  if (http?.status && http.status >= 400 && http.status < 500)
    return [408, 429].includes(http.status) ? 'LOST' : 'REFUSED'
  const isAnswered = (one: unknown) =>
    one instanceof RpcRequestError || (one instanceof RpcError && !(one instanceof UnknownRpcError))
  return fault.walk(isAnswered) ? 'REFUSED' : 'LOST'
}

/** The account, which tells what it signs. */
function watched(account: LocalAccount, onSigned: (raw: Hex, nonce: number) => void): LocalAccount {
  return {
    ...account,
    async signTransaction(transaction, options) {
      const raw = await account.signTransaction(transaction, options)
      onSigned(raw, Number(transaction.nonce))
      return raw
    },
  }
}

/** Signs once and offers the same bytes until a node has them or refuses: however often they arrive, they are mined at most once. */
async function offerSigned(
  wallet: Wallet,
  account: LocalAccount,
  transaction: Transaction & { readonly nonce?: number },
  sleep: (milliseconds: number) => Promise<void>,
): Promise<Offered> {
  let signed: { raw: Hex; nonce: number } | undefined
  const signing = watched(account, (raw, nonce) => {
    signed = { raw, nonce }
  })
  let send: () => Promise<Hex> = () => sendTransaction(wallet, { account: signing, chain: null, ...transaction })
  for (let offers = 1; ; offers += 1) {
    let [hash, fault]: [Hex | undefined, unknown] = [undefined, undefined]
    try {
      hash = await send()
    } catch (error) {
      fault = error
    }
    // Nothing was signed: nothing was sent.
    if (!signed) throw fault
    const { raw, nonce } = signed
    // Whatever stands between may have signed anew, and its nonce is not known then.
    if (hash && hash !== keccak256(raw)) return { hash }
    const offerAgain = () => sendRawTransaction(wallet, { serializedTransaction: raw })
    const offered = { hash: keccak256(raw), place: { from: account.address, nonce }, offerAgain }
    const meaning = hash ? 'TAKEN' : meaningOf(fault)
    if (meaning === 'TAKEN') return offered
    if (meaning === 'LOST' && offers < OFFERS) {
      send = offerAgain
      await sleep(wallet.pollingInterval)
      continue
    }
    // Lost before, or again and again: it may be on its way, and only the chain can tell.
    if (offers > 1) return offered
    if (meaning === 'USED' || meaning === 'WAITED_FOR') return { ...offered, refused: { nonceIs: meaning, fault } }
    throw fault
  }
}

/** Gives a transaction to the node. `from` is the lowest nonce that it may have: a node that lags behind names one that is used. */
export async function offer(
  wallet: Wallet,
  transaction: Transaction,
  { from, sleep }: { readonly from: number | undefined; readonly sleep: (milliseconds: number) => Promise<void> },
): Promise<Offered> {
  const { account } = wallet
  if (account.type !== 'local') return { hash: await sendTransaction(wallet, { account, chain: null, ...transaction }) }
  if (from === undefined) return offerSigned(wallet, account, transaction, sleep)
  const counted = await getTransactionCount(wallet, { address: account.address, blockTag: 'pending' })
  return offerSigned(wallet, account, { ...transaction, nonce: Math.max(from, counted) }, sleep)
}
