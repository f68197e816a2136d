import type { Hex } from 'viem'
import { eventFacts } from '../../platform/chain/event-facts.ts'
import { abis } from '../contracts.ts'
import { at, findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { activityEvents, activityOf, actorOf, type Happening } from './activity.rules.ts'
import { applyCall, cancelCall, completeCall, confirmCall, proposeCall } from './extension-calls.ts'

/** In this order a wrapped transaction is named after the first that it made: a confirmation also applies. */
const accepted = [
  { pair: proposeCall },
  { pair: confirmCall },
  // A page whose loans are all skipped succeeds without an event.
  { pair: applyCall, mayChangeNothing: true },
  { pair: completeCall },
  { pair: cancelCall },
  { pair: at('market', 'setAllowExtension', 'AllowExtensionUpdated') },
]

const facts = eventFacts('market', abis.market)

/**
 * Proves whatever a transaction did to the extensions of a market, and tells it event by event. It may have done several of these, and a
 * page may do none: no single event proves it, which is what a write of the kit stands for.
 */
export function createConfirmExtensionTransaction({ chains, writes }: LendingParts) {
  return async (call: MarketCall, marketId: string, txHash: string) => {
    const { market } = await findDeployedMarket(call, marketId)
    const place = { chain: chains.get(market.chainId), target: market.address, kind: 'market' }
    const proof = await writes.confirmAny(call.tenant, place, accepted, txHash as Hex)
    const { transaction, functionName, verifiedBy } = proof
    const happened = activityEvents
      .flatMap((event) => {
        const settled = facts.find(({ eventName }) => eventName === event)?.settle(market.address, transaction.logs)
        return (settled ?? []).map(({ logIndex, effect }) => ({ event, logIndex, effect }))
      })
      .toSorted((a, b) => a.logIndex - b.logIndex)
    const appliedLoans = happened.filter(isApplication).map(({ effect }) => String(effect.loanId))
    const noOp = functionName === applyCall.functionName && appliedLoans.length === 0
    const data = {
      txHash: transaction.hash,
      functionName,
      signedBy: verifiedBy ? (actorOf(happened) ?? transaction.from) : transaction.from,
      ...(verifiedBy ? { verifiedBy } : {}),
      activity: happened.map(activityOf),
      appliedLoans,
      noOp,
      ...(noOp ? nothingExtended : {}),
    }
    return { data, block: transaction.block }
  }
}

const isApplication = ({ event }: Happening) => event === 'ExtensionApplied'
const nothingExtended = {
  outcome: 'NO_LOAN_EXTENDED' as const,
  notice: 'Every loan of the page was skipped: closed, being realized, without a maturity, or later already.',
}

export type ConfirmExtensionTransaction = ReturnType<typeof createConfirmExtensionTransaction>
