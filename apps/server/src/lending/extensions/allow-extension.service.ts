import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { createSettings, requireCurator } from '../rates/setting.service.ts'
import { roleReads, signerBlock } from '../signer.reads.ts'
import { readOr } from '../unreadable.ts'
import { extensionReads } from './extension.reads.ts'
import { setAllowExtensionCall } from './set-allow-extension.call.ts'

const allowExtension = { pair: setAllowExtensionCall, kind: 'market', path: 'allow-extension' } as const

/** The admin's switch over all extensions of a market. */
export function createAllowExtension(parts: LendingParts) {
  const settings = createSettings(parts)

  return {
    async build(call: MarketCall, marketId: string, { allowed }: BodyOf<typeof lendingOperations.setAllowExtension>) {
      if (allowed === undefined) throw fieldError('VALIDATION_ERROR', [{ field: 'allowed', message: 'is required' }])
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const reading = parts.chains
        .get(market.chainId)
        .read([...extensionReads(market), ...roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets)])
      const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', reading)
      const [, operator, ...roles] = results
      if (!operator.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
      requireCurator(operator.value)
      const signer = signerBlock('DEFAULT_ADMIN_ROLE', wallets, roles)
      const description = allowed
        ? 'Lets extensions be proposed, confirmed and applied.'
        : 'Stops proposals, confirmations and applications. What was applied stays; proposals can still be cancelled.'
      return settings.build(call, allowExtension, { marketId, market, args: { allowed }, block, signer, description })
    },

    confirm: (call: MarketCall, marketId: string, txHash: string) =>
      settings.confirm(call, allowExtension, marketId, txHash),
  }
}

export type AllowExtension = ReturnType<typeof createAllowExtension>
