import { type Amount, notionalDown } from '../amounts.ts'
import type { Rfq } from './rfq-state.ts'

export interface Lock {
  readonly account: string
  readonly asset: 'BASE' | 'QUOTE'
  readonly amount: Amount
}

type Traded = Pick<Rfq, 'side' | 'baseAmount' | 'requester'>

/** What the provider of a quote commits while it is active. */
export function providerLock({ side, baseAmount }: Traded, provider: string, price: Amount): Lock {
  if (side === 'BUY') return { account: provider, asset: 'BASE', amount: baseAmount }
  return { account: provider, asset: 'QUOTE', amount: notionalDown(baseAmount, price) }
}

/** What the requester commits by accepting. */
export function requesterLock({ side, baseAmount, requester }: Traded, price: Amount): Lock {
  if (side === 'SELL') return { account: requester, asset: 'BASE', amount: baseAmount }
  return { account: requester, asset: 'QUOTE', amount: notionalDown(baseAmount, price) }
}
