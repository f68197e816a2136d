import { type Client, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { getTransaction, getTransactionReceipt } from 'viem/actions'
import type { Hex } from '../operation.ts'
import { sleep as pause } from '../sleep.ts'
import { findByNonce, type Place } from './nonce-search.ts'
import { TallySigningError } from './signing-error.ts'

const MINED_WITHIN_MS = 180_000

export interface WaitOptions {
  /** How long to wait. Default: three minutes. */
  readonly minedWithinMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** What whoever sent it knows more about it. */
interface SentWith {
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Where it stands, if known: a node that lags behind does not tell. */
  readonly place?: Place | undefined
  /** Offers it again to a node that does not know it. */
  readonly offerAgain?: (() => Promise<unknown>) | undefined
}

const nothingYet = (fault: unknown): null => {
  if (fault instanceof TransactionReceiptNotFoundError) return null
  throw fault
}

/**
 * Asks until the receipt is there, whatever else the node says meanwhile: behind one address there may be several, and some lag. That
 * another transaction took its place is said only when that one was found in a block, in two looks. (viem's own way looks again with
 * each new block only, and a chain that mines with transactions may have none.)
 */
export async function waitForReceipt(
  client: Client,
  hash: Hex,
  options: WaitOptions & SentWith = {},
): Promise<TransactionReceipt> {
  const { minedWithinMs = MINED_WITHIN_MS, sleep = pause, signal, offerAgain } = options
  let { place } = options
  let [suspect, fault]: [Hex | null, unknown] = [null, undefined]

  async function look(): Promise<TransactionReceipt | null> {
    const receipt = await getTransactionReceipt(client, { hash }).catch(nothingYet)
    if (receipt) return receipt
    const transaction = await getTransaction(client, { hash }).catch(() => null)
    if (transaction) place ??= { from: transaction.from, nonce: transaction.nonce }
    const taker = place ? await findByNonce(client, place) : null
    if (taker !== null && taker !== hash && taker === suspect)
      throw new TallySigningError('REPLACED', `${taker} took the place of ${hash}`, {
        hashes: [hash],
        replacedBy: taker,
      })
    suspect = taker
    if (!transaction && taker === null) await offerAgain?.()
    return null
  }

  const startedAt = performance.now()
  for (
    let slept = 0;
    Math.max(slept, performance.now() - startedAt) <= minedWithinMs;
    slept += client.pollingInterval
  ) {
    try {
      const receipt = await look()
      if (receipt) return receipt
      fault = undefined
    } catch (error) {
      if (error instanceof TallySigningError) throw error
      // A node that restarts, or one of several that is away: what was sent is not undone by that.
      fault = error
    }
    await sleep(client.pollingInterval, signal)
  }
  const seen = fault === undefined ? 'not seen in a block' : 'not found out about'
  throw new TallySigningError(
    'NOT_KNOWN_YET',
    `${hash} was sent, and ${seen} within ${minedWithinMs} ms. It may still be mined: report this hash later, and send nothing in its place`,
    { hashes: [hash], cause: fault },
  )
}
