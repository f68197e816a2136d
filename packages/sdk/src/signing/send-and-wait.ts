import type { TransactionReceipt } from 'viem'
import { prepareTransactionRequest } from 'viem/actions'
import type { Address, Hex } from '../operation.ts'
import { sleep as pause } from '../sleep.ts'
import { type Offered, offer } from './offer.ts'
import { TallySigningError } from './signing-error.ts'
import { type WaitOptions, waitForReceipt } from './wait-for-receipt.ts'
import type { Wallet } from './wallet.ts'

/** A call that nobody has signed yet. */
export interface UnsentCall {
  /** Absent: creates a contract. */
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
  /** Default: what the node estimates, and a little more. */
  readonly gas?: bigint | undefined
}

export interface SendOptions extends WaitOptions {
  /** Told as soon as the transaction is on its way. */
  readonly onSent?: ((hash: Hex) => void | Promise<void>) | undefined
}

interface SendParts {
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Nobody said that it would fail: where the node says so, it may not have seen yet what the call builds on. */
  readonly mayLag?: boolean
  /** The lowest nonce that it may have. */
  readonly from?: number | undefined
}

/** What is asked for beyond the estimate, in percent of it. */
const MORE_GAS_PERCENT = 30n
/** So far behind may a node be that estimates. */
const LAG_MS = 10_000
/** So many others may take the nonces that the node names. */
const TRIES = 10

/**
 * With more gas than the estimate, which holds for the block it was made at: in the next one interest may have to be booked first, and the
 * call would run out in the middle. What is not used costs nothing.
 */
async function gasFor(wallet: Wallet, call: UnsentCall, parts: Required<Pick<SendParts, 'sleep' | 'mayLag'>>) {
  const { gas: _, ...asked } = call
  const startedAt = performance.now()
  for (let slept = 0; ; slept += wallet.pollingInterval) {
    try {
      const request = { account: wallet.account, chain: null, ...asked, parameters: ['gas' as const] }
      const { gas } = await prepareTransactionRequest(wallet, request)
      return gas + (gas * MORE_GAS_PERCENT) / 100n
    } catch (error) {
      if (!parts.mayLag || Math.max(slept, performance.now() - startedAt) > LAG_MS) throw error
      await parts.sleep(wallet.pollingInterval)
    }
  }
}

/** Whatever happens from here on, the hash is not lost. */
async function minedOf(
  wallet: Wallet,
  { hash, place, offerAgain, refused }: Offered,
  options: SendOptions & SendParts,
) {
  const { onSent, minedWithinMs, signal, sleep } = options
  try {
    if (!refused) await onSent?.(hash)
    const receipt = await waitForReceipt(wallet, hash, { minedWithinMs, signal, sleep, place, offerAgain })
    if (refused) await onSent?.(hash)
    if (receipt.status !== 'success')
      throw new TallySigningError('REVERTED', `${hash} was mined and failed`, { hashes: [hash] })
    return receipt
  } catch (error) {
    if (error instanceof TallySigningError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new TallySigningError('NOT_KNOWN_YET', message, { hashes: [hash], cause: error })
  }
}

/** Sends, and with the next nonce where the node named one that is used; also tells which nonce it was, if it was signed here. */
export async function sendFrom(
  wallet: Wallet,
  call: UnsentCall,
  options: SendOptions & SendParts,
): Promise<{ receipt: TransactionReceipt; nonce: number | undefined }> {
  const { signal, sleep = pause, mayLag = true } = options
  const patience = (milliseconds: number) => sleep(milliseconds, signal)
  const gas = call.gas ?? (await gasFor(wallet, call, { sleep: patience, mayLag }))
  let { from } = options
  for (let tries = 1; ; tries += 1) {
    const offered = await offer(wallet, { ...call, gas }, { from, sleep: patience })
    const { place, refused } = offered
    // It is not going to be mined, unless it is itself what used the nonce.
    const next = refused && place && tries < TRIES ? place.nonce + 1 : undefined
    from = next ?? from
    if (refused?.nonceIs === 'WAITED_FOR') {
      if (next === undefined) throw refused.fault
      continue
    }
    try {
      return { receipt: await minedOf(wallet, offered, { ...options, sleep }), nonce: place?.nonce }
    } catch (fault) {
      if (next === undefined || !(fault instanceof TallySigningError) || fault.fault !== 'REPLACED') throw fault
    }
  }
}

/** Signs a call that no service built, sends it and waits until it is mined, as `signAndConfirm` does: a failure is thrown. */
export const sendAndWait = async (
  wallet: Wallet,
  call: UnsentCall,
  options: SendOptions = {},
): Promise<TransactionReceipt> => (await sendFrom(wallet, call, options)).receipt
