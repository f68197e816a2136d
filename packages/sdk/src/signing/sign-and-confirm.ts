import type { TransactionReceipt } from 'viem'
import { envelopeOf } from '../envelope.ts'
import type { Answered, Bound } from '../method.ts'
import type { Address, BuildShape, Hex, RequestShape } from '../operation.ts'
import { operationAt } from '../operation-at.ts'
import type { CallOptions, Transport } from '../transport.ts'
import { type CallToSign, callsOf } from './built-calls.ts'
import { type Report, reportsOf, type SentCall } from './report.ts'
import { sendFrom } from './send-and-wait.ts'
import { TallySigningError } from './signing-error.ts'
import { requireChain, requireSigner, type Wallet } from './wallet.ts'

/** The node of the service may see a block a little later than the wallet's. */
const CONFIRM_RETRIES = 8

export interface SignOptions {
  readonly signal?: AbortSignal
  /** Looks at each call before it is signed; false refuses it. */
  readonly allow?: (call: CallToSign) => boolean
  /** Signs also what the service says would fail. */
  readonly ignoreSimulation?: boolean
  /** Told as soon as a transaction is on its way: keep the hash, and no crash can lose it. */
  readonly onSent?: (hash: Hex, call: CallToSign) => void | Promise<void>
  /** Of several calls that are proven for themselves: which ones to report here. Default: all. */
  readonly report?: (call: CallToSign) => boolean
  /** How long to wait for each transaction to be mined. Default: three minutes. */
  readonly minedWithinMs?: number
}

export interface SignedAndConfirmed<S extends BuildShape> {
  readonly built: S['built']
  readonly hashes: readonly Hex[]
  readonly receipts: readonly TransactionReceipt[]
  /** What the last report answered. Null only where the type says so: nothing was to be signed, or nothing to be reported. */
  readonly confirmed: S['confirmed']
  /** The answers to all reports, where several calls are proven for themselves. */
  readonly confirmations: readonly NonNullable<S['confirmed']>[]
}

type Wallets = Wallet | ((call: CallToSign) => Wallet)

/** Several calls of one answer, each signed, sent and mined before the next: later ones build on what earlier ones did. */
export async function sendInOrder(
  calls: readonly CallToSign[],
  wallets: Wallets,
  { sleep }: Transport['parts'],
  options: SignOptions,
): Promise<{ hashes: Hex[]; receipts: TransactionReceipt[] }> {
  const { signal, minedWithinMs } = options
  const hashes: Hex[] = []
  const receipts: TransactionReceipt[] = []
  /** A node that lags behind would name the nonces of earlier calls again. */
  const nextNonces = new Map<Address, number>()
  for (const call of calls) {
    const wallet = typeof wallets === 'function' ? wallets(call) : wallets
    try {
      if (options.allow && !options.allow(call))
        throw new TallySigningError('UNEXPECTED_CALL', `this call was not allowed: ${call.description}`)
      signal?.throwIfAborted()
      requireSigner(wallet, call.requiredSigner)
      await requireChain(wallet, call)
      const { to, data, gas } = call
      const { address } = wallet.account
      const { receipt, nonce } = await sendFrom(wallet, to === null ? { data, gas } : { to, data, gas }, {
        ...{ minedWithinMs, signal, sleep, mayLag: !options.ignoreSimulation, from: nextNonces.get(address) },
        onSent: (hash) => options.onSent?.(hash, call),
      })
      hashes.push(receipt.transactionHash)
      receipts.push(receipt)
      if (nonce !== undefined) nextNonces.set(address, nonce + 1)
    } catch (error) {
      const known = error instanceof TallySigningError ? error : undefined
      const all = [...hashes, ...(known?.hashes ?? [])]
      if (all.length === 0) throw error
      const message = error instanceof Error ? error.message : String(error)
      const more = { hashes: all, cause: known?.cause ?? error, replacedBy: known?.replacedBy }
      throw new TallySigningError(known?.fault ?? 'NOT_SENT', message, more)
    }
  }
  return { hashes, receipts }
}

/**
 * Builds, checks, signs, sends, waits, and reports: the whole of a write on chain. Nothing is signed that is for another chain or
 * signer, sends value, or would fail. Whatever was sent before something went wrong is in the error.
 */
export async function signAndConfirm<S extends BuildShape>(
  method: Bound<S>,
  request: S['request'],
  wallets: Wallets,
  options: SignOptions = {},
): Promise<SignedAndConfirmed<S>> {
  const { operation, transport } = method
  const own: RequestShape = request
  if ((own.body as { useRelayer?: boolean } | undefined)?.useRelayer)
    throw new TypeError('what the relayer signs is not signed here: call the method itself')
  const calling: CallOptions = options.signal ? { signal: options.signal } : {}
  const built = await envelopeOf(await transport.send(operation, own, calling))
  const { calls, reported, wouldRevert } = callsOf(built.data)
  if (wouldRevert !== undefined && !options.ignoreSimulation) throw new TallySigningError('WOULD_REVERT', wouldRevert)

  const { hashes, receipts } = await sendInOrder(calls, wallets, transport.parts, options)
  const sent = reported.flatMap((at): SentCall[] => {
    const [call, receipt] = [calls[at], receipts[at]]
    return call && receipt && (options.report?.(call) ?? true) ? [{ call, hash: receipt.transactionHash }] : []
  })
  try {
    const confirmations = await reportAll(method, own, built.data, sent, calling)
    return { built: built.data, hashes, receipts, confirmed: confirmations.at(-1) ?? null, confirmations }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new TallySigningError('NOT_CONFIRMED', message, { hashes, cause })
  }
}

async function reportAll<S extends BuildShape>(
  { operation, transport }: Bound<S>,
  request: RequestShape,
  built: unknown,
  sent: readonly SentCall[],
  calling: CallOptions,
): Promise<NonNullable<S['confirmed']>[]> {
  async function send({ path, body }: Report): Promise<Answered<unknown>> {
    const confirming = { ...calling, retry: { retries: CONFIRM_RETRIES, ...calling.retry } }
    if (path === undefined) return envelopeOf(await transport.send(operation, { ...request, body }, confirming))
    return envelopeOf(await transport.sendTo(path, operationAt('POST', path) ?? operation, body, confirming))
  }

  const confirmations: NonNullable<S['confirmed']>[] = []
  for (const report of reportsOf(built, sent, operation, request))
    confirmations.push((await send(report)).data as NonNullable<S['confirmed']>)
  return confirmations
}

/**
 * Reports what another program signed and sent: `built` is the answer that was signed, `hashes` has one transaction per call of it, in its
 * order. Answers what each report answered; nothing where the answer asks for none.
 */
export async function reportSent<S extends BuildShape>(
  method: Bound<S>,
  request: S['request'],
  built: S['built'],
  hashes: readonly Hex[],
  options: CallOptions = {},
): Promise<readonly NonNullable<S['confirmed']>[]> {
  const { calls, reported } = callsOf(built)
  const sent = reported.flatMap((at): SentCall[] => {
    const [call, hash] = [calls[at], hashes[at]]
    return call && hash ? [{ call, hash }] : []
  })
  return reportAll(method, request, built, sent, options)
}
