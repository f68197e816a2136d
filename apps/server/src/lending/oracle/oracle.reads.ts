import type { Address, Hex } from 'viem'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'

export const signerRead = (oracle: Address, account: Address) =>
  contractRead(oracle, abis.oracle, 'isSigner', [account])

/** What the oracle holds now and how far it moves. */
export const priceReads = (oracle: Address) =>
  [
    contractRead(oracle, abis.oracle, 'price', []),
    contractRead(oracle, abis.oracle, 'updatedAt', []),
    contractRead(oracle, abis.oracle, 'maxPriceAge', []),
    contractRead(oracle, abis.oracle, 'maxDeviationBps', []),
    contractRead(oracle, abis.oracle, 'owner', []),
  ] as const

export interface SignedPrice {
  readonly price: bigint
  readonly timestamp: bigint
  readonly validUntil: bigint
  readonly signature: Hex
}

/** Who signed, or the oracle's own refusal. */
export const verifyRead = (oracle: Address, { price, timestamp, validUntil, signature }: SignedPrice) =>
  contractRead(oracle, abis.oracle, 'verifyPrice', [price, timestamp, validUntil, signature])

export const isTrue = (result: ReadResult<boolean> | undefined): boolean => result?.ok === true && result.value
