import { type Address, type Hex, numberToHex } from 'viem'
import { loweredHex } from '../platform/values/hex.rules.ts'
import type { TransactionToSign } from './signed-transaction.rules.ts'

/** A signer that did not sign: down, slow, or unwilling. */
export class SignerUnavailableError extends Error {
  override readonly name = 'SignerUnavailableError'
}

/** Far more than the largest transaction that a node takes. */
const MOST_CHARACTERS = 1024 * 1024

function asRequest({ chainId, nonce, to, data, value, gas, fees }: TransactionToSign, from: Address) {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return {
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(gas),
    nonce: numberToHex(nonce),
    chainId: numberToHex(chainId),
    ...(maxPriorityFeePerGas === null
      ? { gasPrice: numberToHex(maxFeePerGas) }
      : { maxFeePerGas: numberToHex(maxFeePerGas), maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas) }),
  }
}

/** Some answer the bytes, some an object that holds them. */
function rawIn(result: unknown): Hex {
  const raw = typeof result === 'object' && result !== null && 'raw' in result ? result.raw : result
  if (typeof raw !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(raw))
    throw new SignerUnavailableError('the signer answered no signed transaction')
  return loweredHex(raw)
}

/**
 * Asks a signer that speaks JSON-RPC over HTTP to sign, as Web3Signer does in its mode `eth1`, and answers what it gave: unproven. A signer
 * that has a chain of its own ignores `chainId`; one of another chain is found out by the signature.
 */
export async function signRemotely(
  url: string,
  from: Address,
  transaction: TransactionToSign,
  timeoutMs: number,
): Promise<Hex> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_signTransaction', params: [asRequest(transaction, from)] }
  let text: string
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
      // A signer that moved is told by its operator, not followed.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    text = await response.text()
    if (!response.ok) throw new Error(`HTTP ${response.status}${refusalIn(text)}`)
  } catch (cause) {
    throw new SignerUnavailableError(`the signer gave no usable answer: ${(cause as Error).message}`, { cause })
  }
  return rawIn(resultIn(text))
}

/** Web3Signer says why it refused in a JSON-RPC error, under a status that is none of success. */
function refusalIn(text: string): string {
  try {
    const { error } = JSON.parse(text.slice(0, MOST_CHARACTERS)) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? `, ${error.message.slice(0, 200)}` : ''
  } catch {
    return ''
  }
}

function resultIn(text: string): unknown {
  let answer: { result?: unknown; error?: { message?: unknown } }
  try {
    if (text.length > MOST_CHARACTERS) throw new Error('too long')
    answer = JSON.parse(text) ?? {}
  } catch (cause) {
    throw new SignerUnavailableError('the signer gave no usable answer', { cause })
  }
  if (answer.error)
    throw new SignerUnavailableError(`the signer refused: ${String(answer.error.message).slice(0, 200)}`)
  return answer.result
}
