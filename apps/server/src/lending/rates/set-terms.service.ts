import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { roleReads, signerBlock } from '../signer.reads.ts'
import { readOr } from '../unreadable.ts'
import { setReserveRatioCall } from './set-reserve-ratio.call.ts'
import { setTermConfigCall } from './set-term-config.call.ts'
import { createSettings, requireCurator } from './setting.service.ts'
import { needsTermsForRate, newTerms, termReach, termWarnings, whyInvalid } from './term-config.rules.ts'
import { termReads, termState } from './terms.reads.ts'

type TermBody = BodyOf<typeof lendingOperations.setTermConfig>
type ReserveBody = BodyOf<typeof lendingOperations.setReserveRatio>

const termConfig = { pair: setTermConfigCall, kind: 'market', path: 'term-config' } as const
const reserveRatio = { pair: setReserveRatioCall, kind: 'market', path: 'reserve-ratio' } as const

/** The terms of new loans and the part of the pool that is not lent: both are the issuer's to set. */
export function createSetTerms(parts: LendingParts) {
  const settings = createSettings(parts)

  return {
    async buildTermConfig(call: MarketCall, marketId: string, body: TermBody) {
      const { maxLoanDurationDays } = body
      if (maxLoanDurationDays === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'maxLoanDurationDays', message: 'is required' }])
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const reading = parts.chains
        .get(market.chainId)
        .read([...termReads(market), ...roleReads(market.address, 'ISSUER_ROLE', wallets)])
      const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', reading)
      const [term, pool, config, reserve, isPaused, operator, offer, stamps, ...roles] = results
      const state = termState([term, pool, config, reserve, isPaused, operator, offer, stamps])
      if (!state) throw new AppError('MARKET_STATE_UNAVAILABLE')
      requireCurator(state.operator)
      const args = newTerms({ ...body, maxLoanDurationDays }, state)
      const reason = whyInvalid(args, state, block.time)
      if (reason) throw new AppError('INVALID_TERM_OFFERING', { detail: reason })
      if (needsTermsForRate(args, state)) throw new AppError('TERMS_REQUIRED_BY_FIXED_RATE')
      const signer = signerBlock('ISSUER_ROLE', wallets, roles)
      const description = 'Replaces the terms that new loans get. Loans that are open keep their own.'
      const built = await settings.build(call, termConfig, { marketId, market, args, block, signer, description })
      return { ...built, data: { ...built.data, ...termReach(state), warnings: termWarnings(args, state) } }
    },

    confirmTermConfig: (call: MarketCall, marketId: string, txHash: string) =>
      settings.confirm(call, termConfig, marketId, txHash),

    async buildReserveRatio(call: MarketCall, marketId: string, { reserveRatioBps }: ReserveBody) {
      if (reserveRatioBps === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'reserveRatioBps', message: 'is required' }])
      const { market, wallets } = await findDeployedMarket(call, marketId)
      const reading = parts.chains
        .get(market.chainId)
        .read([
          contractRead(market.address, abis.market, 'operatorFeeRecipient', []),
          ...roleReads(market.address, 'ISSUER_ROLE', wallets),
        ])
      const { block, results } = await readOr('MARKET_STATE_UNAVAILABLE', reading)
      const [operator, ...roles] = results
      if (!operator?.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
      requireCurator(operator.value)
      const signer = signerBlock('ISSUER_ROLE', wallets, roles)
      const description = `Keeps ${reserveRatioBps} bps of the pool from borrowers. Providers may withdraw it.`
      const args = { reserveRatioBps }
      return settings.build(call, reserveRatio, { marketId, market, args, block, signer, description })
    },

    confirmReserveRatio: (call: MarketCall, marketId: string, txHash: string) =>
      settings.confirm(call, reserveRatio, marketId, txHash),
  }
}

export type SetTerms = ReturnType<typeof createSetTerms>
