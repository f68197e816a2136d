import type { Address } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import {
  type DeployedRecord,
  findDeployedMarket,
  type MarketCall,
  roleReads,
  roles,
  signerBlock,
} from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { setupReads, setupState } from './setup.reads.ts'
import { type SetupFacts, setupFacts } from './setup-facts.store.ts'
import type { SetupView } from './setup-tasks.rules.ts'
import { registryNow, type TokenGuess, tokenSide, tokenSideReads } from './token-side.reads.ts'

const unanswered = () => new ChainUnavailableError('a contract of the market did not answer')

export const firstGuess = ({ market, venue }: DeployedRecord): TokenGuess => ({ registry: market.tokenRegistry, venue })

/**
 * Asks about a register and a venue that are only guessed, together with the question which they are. A guess that was wrong costs a
 * second round trip; the answer is always of one block.
 */
export async function settled<T extends { readonly actual: TokenGuess }>(
  guess: TokenGuess,
  ask: (guess: TokenGuess) => Promise<T>,
): Promise<T> {
  let asked = guess
  for (let turn = 0; turn < 3; turn++) {
    const answer = await ask(asked)
    const { registry, venue } = answer.actual
    if (registry === asked.registry && venue === asked.venue) return answer
    asked = answer.actual
  }
  throw new ChainUnavailableError('the market changed while it was read')
}

/** A market, with what has to be known of it before the chain is asked how it stands. */
export const findForSetup = (call: MarketCall, marketId: string) =>
  findDeployedMarket<SetupFacts>(call, marketId, setupFacts(roles.LIQUIDATOR_ROLE))

/** How a market stands on chain for one instance. */
export function createSetupView({ chains }: LendingParts) {
  return async function read(record: DeployedRecord & SetupFacts): Promise<{ block: Block; view: SetupView }> {
    const { market, wallets } = record
    const relayer = wallets[0] ?? null
    const liquidators = [...new Set([...(relayer ? [relayer] : []), ...record.liquidators])]
    const chain = chains.get(market.chainId)
    const { block, results, actual } = await settled(firstGuess(record), async (guess) => {
      const answer = await readNamed(chain, {
        ...setupReads(market, relayer),
        marketAdmins: roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets),
        routerAdmins: roleReads(market.router, 'DEFAULT_ADMIN_ROLE', wallets),
        liquidators: roleReads(market.address, 'LIQUIDATOR_ROLE', liquidators),
        // Last, since nobody vouches for them: what they burn, no other question misses.
        ...tokenSideReads(market, guess, wallets),
      })
      const { venue } = setupState(answer.results) ?? guess
      return { ...answer, actual: { registry: registryNow(answer.results, guess), venue } }
    })
    const state = setupState(results)
    if (!state || results.liquidators.some(({ ok }) => !ok)) throw unanswered()
    const holds = (account: Address | null) =>
      liquidators.some((one, index) => one === account && isTrue(results.liquidators[index]))
    return {
      block,
      view: {
        market,
        wallets,
        relayer,
        state,
        token: tokenSide(results, actual, wallets),
        marketAdmin: signerBlock('DEFAULT_ADMIN_ROLE', wallets, results.marketAdmins),
        routerAdmin: signerBlock('DEFAULT_ADMIN_ROLE', wallets, results.routerAdmins),
        relayerLiquidates: holds(relayer),
        hasLiquidator: results.liquidators.some(isTrue),
      },
    }
  }
}

export type ReadSetupView = ReturnType<typeof createSetupView>

const isTrue = (result: { ok: boolean; value?: unknown } | undefined) => result?.ok === true && result.value === true
