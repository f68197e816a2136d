import { lendingOperations } from '@tallystick/wire'
import { at, marketWrite } from '../core/index.ts'
import { buyerReason } from './atomic.rules.ts'
import { guessRecipient, problemOf } from './atomic-sale.service.ts'
import { type AtomicState, readAtomic, requireBasis } from './atomic-state.ts'
import { minedAt } from './instants.ts'
import { candidatesOf, namedSigner, partyReads, requireParty } from './signer.ts'

const named = (isAtomic: boolean) => ({
  mode: isAtomic ? 1 : 0,
  modeName: isAtomic ? ('ATOMIC' as const) : ('TWO_STEP' as const),
})

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
export const setAtomicMode = marketWrite(lendingOperations.setAtomicMode, {
  call: at('router', 'setAtomicMode', 'AtomicModeSet'),
  reverted: 'ATOMIC_MODE_FAILED',

  async build({ tenant, record, market, marketId, chain, body, refuse }) {
    const candidates = candidatesOf(record, namedSigner(body.signerAddress))
    const isAtomic = body.mode === 1
    const guess = await guessRecipient({ tenant }, market)
    const asked = partyReads(record, 'routerAdmin', candidates)
    const { block, state, roles } = await readAtomic(chain, market, guess, refuse, asked)
    if (state.isAtomic === isAtomic)
      return { block, whole: { marketId, ...named(isAtomic), alreadySet: true as const } }
    // Back to two steps it goes always.
    if (isAtomic) requireBasis(state, refuse)
    const signing = requireParty(record, 'routerAdmin', candidates, roles, refuse)
    return {
      block,
      signer: signing.signer,
      args: { isAtomic },
      answer: {
        marketId,
        ...named(isAtomic),
        alreadySet: false as const,
        ...signing,
        warnings: isAtomic ? warningsOf(state, block.time) : [],
      },
    }
  },

  expect: () => ({}),

  proven: (proof, { marketId }) => ({ marketId, ...named(proof.effect.isAtomic), at: minedAt(proof) }),
})
