import { type Address, encodeFunctionData } from 'viem'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { SignedPrice } from './oracle.rules.ts'

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

/** Who signed, or the oracle's own refusal. */
export const verifyRead = (oracle: Address, { price, timestamp, validUntil, signature }: SignedPrice) =>
  contractRead(oracle, abis.oracle, 'verifyPrice', [price, timestamp, validUntil, signature])

/**
 * What the oracle would say if the signed price were pushed now: beside the signature it judges how new the price is and how far it
 * moves. A read only because nothing asked for in a read is kept; what stands behind it in the same round trip sees the new price.
 */
export const pushRead = (oracle: Address, { price, timestamp, validUntil, signature }: SignedPrice) =>
  ({
    to: oracle,
    data: encodeFunctionData({
      abi: abis.oracle,
      functionName: 'updatePriceWithSignature',
      args: [price, timestamp, validUntil, signature],
    }),
    decode: () => true,
  }) satisfies ContractRead<true>

export const isTrue = (result: ReadResult<boolean> | undefined): boolean => result?.ok === true && result.value
