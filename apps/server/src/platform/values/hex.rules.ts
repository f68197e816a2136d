import type { Hex } from 'viem'

/** Bytes that the door has held against a pattern, in the one form in which the product keeps them. */
export const loweredHex = (text: string): Hex => text.toLowerCase() as Hex
