import type { Refuse } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { adminReads, type MarketSubject, requireAdmin } from '../core/index.ts'
import { pauseReads } from './settings.reads.ts'

/** Whether the market stands still, and the switch that its admin signs: in either direction it takes nothing. */
export async function planSwitch(
  { chain, market, record }: MarketSubject,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'MARKET_PENDING_CURATOR'>,
) {
  const { block, results } = await readNamed(chain, { ...pauseReads(market), ...adminReads(record) })
  const { isPaused, deployment } = results
  if (!isPaused.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  const { signing } = requireAdmin(results, record, refuse)
  const signer = signing.signerAddress ?? (deployment.ok ? deployment.value.admin : null)
  return { isPaused: isPaused.value, decided: { block, signer, args: {}, answer: signing } }
}
