import {
  type Address,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  type TransactionSerializableLegacy,
  type TransactionSerialized,
} from 'viem'
import type { Fees } from './fees.rules.ts'

export interface TransactionToSign {
  readonly chainId: number
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly fees: Fees
}

export interface SignedTransaction {
  readonly raw: Hex
  readonly hash: Hex
}

/** What came back from a signer is not our transaction, or not signed by the account it should be. */
export class WrongSignatureError extends Error {
  override readonly name = 'WrongSignatureError'
}

/** Half the order of the curve: nodes refuse a signature above it, since its mirror image would be another hash. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

export function asSerializable({
  fees,
  ...transaction
}: TransactionToSign): TransactionSerializableEIP1559 | TransactionSerializableLegacy {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return maxPriorityFeePerGas === null
    ? { ...transaction, type: 'legacy', gasPrice: maxFeePerGas }
    : { ...transaction, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }
}

function signatureIn(raw: Hex): { r: Hex; s: Hex; v?: bigint; yParity?: number } {
  const { r, s, v, yParity } = parseTransaction(raw)
  if (r === undefined || s === undefined || BigInt(s) > HIGHEST_S) throw new Error('no usable signature')
  return { r, s, ...(v === undefined ? {} : { v }), ...(yParity === undefined ? {} : { yParity }) }
}

/** Proves that these bytes are this very transaction, signed by this account, and nothing else. */
export async function requireSigned(raw: Hex, expected: TransactionToSign, by: Address): Promise<SignedTransaction> {
  let isOurs: boolean
  let signer: Address
  try {
    const signature = signatureIn(raw)
    isOurs =
      serializeTransaction(asSerializable(expected), signature as Parameters<typeof serializeTransaction>[1]) === raw
    signer = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  } catch (cause) {
    throw new WrongSignatureError('the signer answered something else than a signed transaction', { cause })
  }
  if (!isOurs) throw new WrongSignatureError('the signer signed another transaction than it was asked to')
  if (signer.toLowerCase() !== by) throw new WrongSignatureError('the signer signed with another key')
  return { raw, hash: keccak256(raw) }
}
