import type { Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** The price that the oracle must hold afterwards, in smallest units. */
export interface ExpectedPrice {
  readonly price: bigint
}

export interface SignedPriceArgs extends ExpectedPrice {
  readonly timestamp: bigint
  readonly validUntil: bigint
  readonly signature: Hex
}

const common = {
  kind: 'oracle',
  abi: abis.oracle,
  eventName: 'PriceUpdated',
  isCallFor: (args: readonly unknown[], expected: ExpectedPrice) => args[0] === expected.price,
  isFor: (effect: { readonly newPrice?: unknown }, expected: ExpectedPrice) =>
    effect.newPrice === expected.price.toString(),
} as const

/** A price of now; only signers may push one. */
export const updatePriceCall = contractCall<ExpectedPrice, ExpectedPrice>({
  ...common,
  functionName: 'updatePrice',
  args: ({ price }) => [price],
})

/** A price that a signer signed off chain; anybody may submit it. */
export const submitSignedPriceCall = contractCall<SignedPriceArgs, ExpectedPrice>({
  ...common,
  functionName: 'updatePriceWithSignature',
  args: ({ price, timestamp, validUntil, signature }) => [price, timestamp, validUntil, signature],
})
