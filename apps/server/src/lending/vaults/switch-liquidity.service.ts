import { fieldError } from '../../platform/app-error.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { confirmedFacts, createAdminWrites } from './admin-writes.service.ts'
import { type ExpectedSwitch, setVaultLiquidityCall } from './vault-liquidity.call.ts'

const descriptionOf = (enabled: boolean) =>
  enabled
    ? 'Lets the market draw on its registered vaults when its pool is short.'
    : 'Stops the market from drawing on its vaults. What was drawn stays in the pool.'

/** Whether a market draws on vaults at all. */
export function createSwitchLiquidity(parts: LendingParts) {
  const writes = createAdminWrites(parts)
  return {
    async build(call: MarketCall, marketId: string, enabled: boolean | undefined) {
      const record = await findDeployedMarket(call, marketId)
      if (enabled === undefined) throw fieldError('VALIDATION_ERROR', [{ field: 'enabled', message: 'is required' }])
      const asked = await writes.ask(record)
      const words = { description: descriptionOf(enabled), endpoint: writes.endpoint(call, marketId) }
      const built = await writes.build(record, asked, setVaultLiquidityCall, { enabled }, words)
      return { ...built, data: { ...built.data, enabled } }
    },

    async confirm(call: MarketCall, marketId: string, enabled: boolean | undefined, txHash: string) {
      const record = await findDeployedMarket(call, marketId)
      const expected: ExpectedSwitch = enabled === undefined ? {} : { enabled }
      const proof = await writes.confirm(call, record, setVaultLiquidityCall, expected, txHash)
      const data = { ...confirmedFacts(setVaultLiquidityCall, proof), enabled: proof.effect.isEnabled === true }
      return { data, block: proof.transaction.block }
    },
  }
}

export type SwitchLiquidity = ReturnType<typeof createSwitchLiquidity>
