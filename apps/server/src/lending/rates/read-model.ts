import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { allValues } from '../../platform/chain/contract-read.ts'
import { type Market, requireOperator } from '../core/index.rules.ts'
import { readOr } from '../core/index.ts'
import { rateModelReads } from './rate-model.reads.ts'

/** What decides about another price of loans. */
export async function readModel(
  chain: Chain,
  market: Market,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'MODEL_UNRESOLVED' | 'MARKET_PENDING_CURATOR'>,
) {
  const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', chain.read(rateModelReads(market)))
  const [offer, ceiling, owner, , , term, operator] = results
  if (!term.ok || !operator.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  const model = allValues([offer, ceiling, owner])
  if (!model) throw refuse('MODEL_UNRESOLVED')
  requireOperator(operator.value, refuse)
  return { block, owner, term: term.value, stampBps: model[0].fixedBps, ceilingBps: Number(model[1]) }
}
