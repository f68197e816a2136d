import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { buyerReason } from './atomic.rules.ts'
import { guessRecipient, problemOf } from './atomic-sale.service.ts'
import { type AtomicState, readAtomic } from './atomic-state.ts'
import { createConfirmation, minedAt, provenBy } from './confirmation.ts'
import { setAtomicModeCall } from './router-setting.call.ts'
import { candidatesOf, namedSigner, partyReads, requireParty } from './signer.ts'

type ModeBody = BodyOf<typeof lendingOperations.setAtomicMode>

const named = (isAtomic: boolean) => ({
  mode: isAtomic ? 1 : 0,
  modeName: isAtomic ? ('ATOMIC' as const) : ('TWO_STEP' as const),
})

/** A market that may sell in one step. */
export function requireBasis({ basis }: AtomicState): void {
  const { available, reasonCode, priceSource, realizationMode, reason } = basis
  if (available === null) throw new AppError('ROUTER_UNREADABLE')
  if (reasonCode !== null)
    throw new AppError('ATOMIC_SALE_UNAVAILABLE', {
      ...(reason ? { detail: reason } : {}),
      extra: { details: { reasonCode, priceSource, realizationMode } },
    })
}

/** What the admin should know before switching it on. */
function warningsOf(state: AtomicState, chainTime: number) {
  const warnings = [
    {
      code: 'SELF_PURCHASE_TWO_STEP_ONLY',
      message: 'Loans of the sale recipient itself cannot be liquidated while the mode is on.',
    },
  ]
  if (state.usesAuctions)
    warnings.push({
      code: 'DUTCH_AUCTIONS_ON',
      message: 'Auctions go before: the mode has no effect while they are on.',
    })
  const problem = problemOf(state, chainTime)
  if (problem === 'UNREAD')
    warnings.push({
      code: 'ATOMIC_BUYER_UNVERIFIED',
      message: 'It could not be read whether the sale recipient can buy.',
    })
  else if (problem)
    warnings.push({
      code: 'ATOMIC_BUYER_UNAVAILABLE',
      message: `${buyerReason(problem)} While the mode is on, liquidations revert until that changes.`,
    })
  if (state.isLenderSide)
    warnings.push({
      code: 'SALE_RECIPIENT_LENDER_SIDE',
      message: 'The sale recipient is the operator wallet of the market: the lender buys from itself.',
    })
  return warnings
}

/** Whether what is seized is sold in the same transaction. */
export function createAtomicMode(parts: LendingParts) {
  const { chains, intents } = parts
  const prove = createConfirmation(parts)

  return {
    async build(call: MarketCall, marketId: string, { mode, signerAddress }: ModeBody) {
      const record = await findDeployedMarket(call, marketId)
      if (mode === undefined) throw fieldError('VALIDATION_ERROR', [{ field: 'mode', message: 'is required' }])
      const candidates = candidatesOf(record, namedSigner(signerAddress))
      const isAtomic = mode === 1
      const { market } = record
      const chain = chains.get(market.chainId)
      const guess = await guessRecipient(call, market)
      const asked = partyReads(record, 'routerAdmin', candidates)
      const { block, state, roles } = await readAtomic(chain, market, guess, asked)
      if (state.isAtomic === isAtomic)
        return { data: { marketId, ...named(isAtomic), alreadySet: true as const }, block }
      // Back to two steps it goes always.
      if (isAtomic) requireBasis(state)
      const signing = requireParty(record, 'routerAdmin', candidates, roles)
      const intent = { chain, pair: setAtomicModeCall, target: market.router, kind: 'router' }
      const built = await intents.build(intent, { isAtomic }, signing.signer, explainLending)
      const data = {
        marketId,
        ...named(isAtomic),
        alreadySet: false as const,
        ...built,
        ...signing,
        warnings: isAtomic ? warningsOf(state, block.time) : [],
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/liquidations/${marketId}/atomic-mode`),
          field: 'txHash' as const,
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, txHash: string) {
      const record = await findDeployedMarket(call, marketId)
      const proof = await prove(call, {
        record,
        chain: chains.get(record.market.chainId),
        pair: setAtomicModeCall,
        expected: {},
        txHash,
        revertCode: 'ATOMIC_MODE_FAILED',
      })
      const data = { marketId, ...named(proof.effect.isAtomic === true), ...provenBy(proof), at: minedAt(proof) }
      return { data, block: proof.transaction.block }
    },
  }
}

export type AtomicMode = ReturnType<typeof createAtomicMode>
