import type { Address } from 'viem'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import type { BlockPlace } from '../../platform/chain/pinned.ts'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import { type BlockReader, latestReader, pastReader } from './block-reader.ts'
import type { FoundRegister } from './find-register.ts'

/** The same question at the block of a receipt, and now. A node that has forgotten the block answers null there. */
export async function thenAndNow<T>(
  { chain }: FoundRegister,
  { block }: Pick<MinedTransaction, 'block'>,
  ask: (reader: BlockReader) => Promise<T>,
): Promise<{ then: T | null; now: T }> {
  const [then, now] = await Promise.all([chainOrNull(ask(pastReader(chain, block))), ask(latestReader(chain))])
  return { then, now }
}

export interface VerificationChange {
  readonly tokenAddress: Address
  readonly before: boolean | null
  readonly after: boolean | null
}

/** What a transaction did to the wallet's standing with each imported token that asks this registry. */
export async function verificationOf(
  { chain, register, tokens }: FoundRegister,
  wallet: Address,
  { block }: Pick<MinedTransaction, 'block'>,
): Promise<VerificationChange[]> {
  if (tokens.length === 0) return []
  const ask = (at: BlockPlace) => chainOrNull(register.isVerified(pastReader(chain, at), wallet))
  const [before, after] = await Promise.all([ask({ hash: block.parentHash, number: block.number - 1n }), ask(block)])
  return tokens.map((tokenAddress) => ({ tokenAddress, before, after }))
}
