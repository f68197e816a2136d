import { identityKinds } from './identity/index.ts'
import { lendingKinds, lendingProjections } from './lending/index.ts'
import type { CallKinds } from './platform/chain/call-pair.ts'
import { stocksKinds, stocksProjections } from './stocks/index.ts'
import { tradingKinds } from './trading/index.ts'
import type { Projection } from './writes/index.ts'

/** The events that each kind of contract of this product can settle. A feature adds its kinds here. */
export const callKinds: CallKinds = { ...lendingKinds, ...stocksKinds, ...identityKinds, ...tradingKinds }

/** The rows that features derive from facts. A feature adds its projections here. */
export const projections: readonly Projection[] = [...lendingProjections, ...stocksProjections]
