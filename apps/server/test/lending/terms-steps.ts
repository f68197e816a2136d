import { randomUUID } from 'node:crypto'
import { assetDataPath } from './asset-data-steps.ts'
import { type LendingWorld, must, type Party, V2 } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'

export const termsPath = (marketId: string, rest = '') => `${V2}/markets/${marketId}/terms${rest}`

export function createTermsSteps(world: LendingWorld) {
  return {
    put: (marketId: string, body: Record<string, unknown>, party: Party = world.deployer) =>
      party.call('PUT', termsPath(marketId), { body }),
    withdraw: (marketId: string, party: Party = world.deployer) => party.call('DELETE', termsPath(marketId)),

    /** A record of the market at another instance that may see it, as an adoption leaves one. */
    async alsoRecordedBy(party: Party, market: LiveMarket): Promise<string> {
      must(await party.get(assetDataPath(market.marketAddress)))
      const marketId = randomUUID()
      await world.superuser`
        insert into market_records (instance_id, market_id, chain_id, market_address, origin, collateral_token, borrow_asset, mode, created_at)
        select ${party.instanceId}, ${marketId}, chain_id, market_address, 'ADOPTED', collateral_token, borrow_asset, mode, now()
        from lending_markets where market_address = ${market.marketAddress}`
      return marketId
    },
  }
}

export type TermsSteps = ReturnType<typeof createTermsSteps>
