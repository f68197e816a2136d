import { lendingOperations } from '@tallystick/wire'
import { requireOperator } from '../core/index.rules.ts'
import { at, marketWrite, readOr, roleReads, signerBlock } from '../core/index.ts'
import { confirmedSetting, senderOf } from './setting.ts'
import { needsTermsForRate, newTerms, termReach, termWarnings, whyInvalid } from './term-config.rules.ts'
import { termReads, termState } from './terms.reads.ts'

const call = at('market', 'setTermConfig', 'TermConfigUpdated')

/** The terms of new loans: they are the issuer's to set. */
export const setTermConfig = marketWrite(lendingOperations.setTermConfig, {
  call,
  shape: 'flat',

  async build({ market, record: { wallets }, chain, body, refuse }) {
    const reading = chain.read([...termReads(market), ...roleReads(market.address, 'ISSUER_ROLE', wallets)])
    const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', reading)
    const [term, pool, config, reserve, isPaused, operator, offer, stamps, ...roles] = results
    const state = termState([term, pool, config, reserve, isPaused, operator, offer, stamps])
    if (!state) throw refuse('MARKET_STATE_UNAVAILABLE')
    requireOperator(state.operator, refuse)
    const terms = newTerms(body, state)
    const reason = whyInvalid(terms, state, block.time)
    if (reason) throw refuse('INVALID_TERM_OFFERING', { detail: reason })
    if (needsTermsForRate(terms, state)) throw refuse('TERMS_REQUIRED_BY_FIXED_RATE')
    const signer = signerBlock('ISSUER_ROLE', wallets, roles)
    return {
      block,
      signer: senderOf(signer),
      args: {
        maxLoanDuration_: BigInt(terms.maxLoanDuration),
        gracePeriod: BigInt(terms.gracePeriod),
        terminalDueAt: BigInt(terms.terminalDueAt),
        termPenaltyBps: BigInt(terms.termPenaltyBps),
      },
      answer: {
        ...signer,
        description: 'Replaces the terms that new loans get. Loans that are open keep their own.',
        ...termReach(state),
        warnings: termWarnings(terms, state),
      },
    }
  },

  ...confirmedSetting(call.functionName),
})
