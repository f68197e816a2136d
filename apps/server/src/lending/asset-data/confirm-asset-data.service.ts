import type { Address, Hex } from 'viem'
import { type AppCode, AppError } from '../../platform/app-error.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Alongside, ConfirmedEffect } from '../../writes/index.ts'
import type { LendingParts } from '../parts.ts'
import type { OpenedMarket } from './market-access.service.ts'

type Pair = CallPair<never, Effect, { market: Address }>

interface Confirmation {
  /** Either of these calls leaves the event; the first is the usual one. */
  readonly pairs: readonly [Pair, Pair]
  /** Where the event names who signed. */
  readonly signerField: string
  readonly notBound: AppCode
}

/** Proves that one of two calls left its event for the market, and that a wallet of the instance made it. */
export function createConfirmAssetData(
  { chains, writes }: LendingParts,
  { pairs, signerField, notBound }: Confirmation,
) {
  return async function confirm(
    tenant: TenantDatabase,
    { chainId, market, factory, wallets }: OpenedMarket,
    txHash: string,
    alongside: (proof: ConfirmedEffect<Effect>) => Promise<Alongside> = async () => ({}),
  ): Promise<ConfirmedEffect<Effect> & { signer: Address }> {
    const signerOf = ({ effect }: ConfirmedEffect<Effect>) => String(effect[signerField]) as Address
    const by = async (pair: Pair) => {
      const intent = { chain: chains.get(chainId), pair, target: factory, kind: 'factory' }
      const proof = await writes.confirm(tenant, intent, { market }, txHash as Hex, (found) => {
        if (!wallets.includes(signerOf(found))) throw new AppError(notBound)
        return alongside(found)
      })
      return { ...proof, signer: signerOf(proof) }
    }
    const [usual, other] = pairs
    try {
      return await by(usual)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TX_WRONG_FUNCTION') throw error
      return by(other)
    }
  }
}
