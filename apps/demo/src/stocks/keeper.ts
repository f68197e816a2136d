import type { Log } from '@tallystick/server/platform'
import type { DemoWorld } from '../demo-world.ts'
import { createRounds } from '../rounds.ts'
import { ensureProofs, missingClaims } from './claims.ts'
import { triedClaims } from './identity-plan.ts'
import { triedSubIssuer } from './stock-plan.ts'
import { accountOf, addressOf, createStocksStage, type Write } from './stocks-stage.ts'

/** Two people may look at the same thing one after the other. */
const EVERY_MS = 5_000
const MOST_PATIENT_MS = 60_000

interface StocksKeeperParts {
  readonly world: DemoWorld
  readonly log: Log
}

/**
 * Brings back what is there to be taken away: a claim and a proof to revoke, a sub-issuer to remove. All else that somebody changes is
 * theirs. It never fails: what does not work waits.
 */
export function createStocksKeeper({ world, log }: StocksKeeperParts) {
  const stage = createStocksStage(world)

  async function missingSubIssuer(): Promise<Write[]> {
    const token = world.tokens[triedSubIssuer.symbol]
    const account = addressOf(triedSubIssuer.person)
    const { roles } = await stage.call<{ roles: { SUB_ISSUER: boolean } }>(
      'GET',
      `/stocks/api/fetch/${token}/role/${account}`,
    )
    return roles.SUB_ISSUER ? [] : [{ path: `/stocks/api/manage/${token}/sub-issuer/add`, body: { account } }]
  }

  /** Whether everything is as it should be. */
  async function pass(): Promise<boolean> {
    try {
      const missing = await Promise.all([missingClaims(stage, triedClaims), missingSubIssuer()])
      await stage.writeAll(accountOf('issuer'), missing.flat())
      await ensureProofs(stage, triedClaims)
      return true
    } catch (error) {
      log.debug({ err: error }, 'the demo could not bring back what was taken away')
      return false
    }
  }

  return createRounds({ pass, everyMs: EVERY_MS, mostPatientMs: MOST_PATIENT_MS })
}
