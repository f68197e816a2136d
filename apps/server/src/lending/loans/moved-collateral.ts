import type { Hex } from 'viem'
import type { IntentsService } from '../../intents/index.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, type MarketCall } from '../market/markets.service.ts'
import type { addCollateralCall, withdrawCollateralCall } from './move-collateral.call.ts'

interface Moving {
  readonly chain: Chain
  readonly pair: typeof addCollateralCall | typeof withdrawCollateralCall
}

/** Proves that collateral of a loan was moved, and tells how much and what the loan holds since. */
export async function confirmMoved(
  intents: IntentsService,
  { tenant }: MarketCall,
  market: Market,
  { chain, pair }: Moving,
  body: { readonly loanId: string | number; readonly txHash: string },
) {
  const intent = { chain, pair: pair as typeof withdrawCollateralCall, target: market.address, kind: 'market' }
  const loanId = BigInt(body.loanId)
  const proof = await intents.confirm(tenant, intent, { loanId }, body.txHash as Hex)
  const { effect, transaction, verifiedBy } = proof
  const shown = (raw: unknown) => formatUnits(BigInt(String(raw)), market.collateralDecimals)
  const moved = {
    txHash: transaction.hash,
    ...(verifiedBy ? { verifiedBy } : {}),
    loanId: loanId.toString(),
    amount: shown(effect.amount),
    collateralAmount: shown(effect.total),
  }
  return { moved, proof }
}

/** Where the hash of a call on one loan goes. */
export const confirmLoanWith = ({ mountedAt }: MarketCall, path: string, loanId: bigint) => ({
  endpoint: endpointAt(mountedAt, path),
  field: 'txHash' as const,
  body: { loanId: loanId.toString(), txHash: null },
})
