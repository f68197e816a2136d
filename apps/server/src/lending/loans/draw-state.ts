import type { Address } from 'viem'
import { type Refuse, refuse as refuseAny } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { requireRules, ruleReads } from './loan-questions.ts'

/** What decides whether and from where a draw is paid, for one round trip with whatever else is asked. */
export function drawReads(market: Market) {
  const { address } = market
  return {
    ...ruleReads(market),
    pool: contractRead(address, abis.market, 'pool', []),
    reserveRatio: contractRead(address, abis.market, 'reserveRatioBps', []),
    usesVaults: contractRead(address, abis.market, 'useVaultLiquidity', []),
    vaults: contractRead(address, abis.market, 'vaults', []),
  } as const
}

export function requireDrawState(
  results: NamedResults<ReturnType<typeof drawReads>>,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE'> = refuseAny,
) {
  const { pool, reserveRatio, usesVaults, vaults } = results
  const rules = requireRules(results, refuse)
  if (!pool.ok || !reserveRatio.ok || !usesVaults.ok || !vaults.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  return {
    ...rules,
    pool: { ...pool.value, reserveRatioBps: reserveRatio.value },
    vaults: vaults.value.map((vault) => vault.toLowerCase() as Address),
    usesVaults: usesVaults.value,
  }
}

export type DrawState = ReturnType<typeof requireDrawState>

/** The vaults that a draw of this size would be asked of. */
export const vaultsAsked = ({ pool, vaults, usesVaults }: DrawState, amount: bigint): readonly Address[] =>
  usesVaults && pool.borrowable < amount ? vaults : []
