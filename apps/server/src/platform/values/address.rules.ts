import type { Address } from 'viem'

/** The one form in which the product keeps addresses. */
export const lowered = (address: string): Address => address.toLowerCase() as Address
