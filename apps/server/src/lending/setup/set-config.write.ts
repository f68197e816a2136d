import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { fieldError, type Refuse } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { Market } from '../core/index.rules.ts'
import { at, type MarketSubject, marketWrite, roleReads, signerBlock } from '../core/index.ts'
import {
  configFaults,
  isSameConfig,
  type MarketConfig,
  movesTooFar,
  parseConfig,
  shownConfig,
} from './market-config.rules.ts'
import { configReads } from './settings.reads.ts'
import { firstGuess, settled } from './setup-view.service.ts'
import { admissionOf } from './token-admission.rules.ts'
import { registryNow, type TokenSide, tokenSide, tokenSideReads } from './token-side.reads.ts'

const orNull = (address: Address): Address | null =>
  address === zeroAddress ? null : (address.toLowerCase() as Address)

/** The settings as they are, and everything that bears on new ones, at one block. */
async function readCurrent({ chain, market, record }: MarketSubject, refuse: Refuse<'MARKET_STATE_UNAVAILABLE'>) {
  const { wallets } = record
  const { block, results, actual } = await settled(firstGuess(record), async (guess) => {
    const answer = await readNamed(chain, {
      ...configReads(market),
      issuers: roleReads(market.address, 'ISSUER_ROLE', wallets),
      ...tokenSideReads(market, guess, wallets),
    })
    const { parts } = answer.results
    const venue = parts.ok ? orNull(parts.value.auctionModule) : guess.venue
    return { ...answer, actual: { registry: registryNow(answer.results, guess), venue } }
  })
  const { config, terms, parts, deployment } = results
  if (!config.ok || !terms.ok || !parts.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  return {
    block,
    current: config.value,
    termPenaltyBps: terms.value.termPenaltyBps,
    isAdopted: parts.value.operator !== zeroAddress,
    token: tokenSide(results, actual, wallets),
    issuer: deployment.ok ? orNull(deployment.value.issuer) : null,
    signing: signerBlock('ISSUER_ROLE', wallets, results.issuers),
  }
}

type AuctionCode = 'AUCTION_UNSUPPORTED_PRICE_SOURCE' | 'AUCTION_MODULE_NOT_SET' | 'AUCTION_VENUE_NOT_ADMITTED'

function requireAuctionsPossible(
  config: MarketConfig,
  { priceSource }: Market,
  token: TokenSide,
  refuse: Refuse<AuctionCode>,
): void {
  if (!config.useDutchAuction) return
  if (priceSource === 'MARKET') throw refuse('AUCTION_UNSUPPORTED_PRICE_SOURCE')
  if (!token.venue) throw refuse('AUCTION_MODULE_NOT_SET')
  if (admissionOf(token, token.venue).admitted !== true) throw refuse('AUCTION_VENUE_NOT_ADMITTED')
}

const change = at('market', 'setConfig', 'ConfigUpdated')

/** The risk and auction settings of a market: they are the issuer's to set. */
export const setConfig = marketWrite(lendingOperations.setConfig, {
  call: {
    ...change,
    // A configuration that is not named is not compared.
    isFor: ({ config }, expected) => expected.config === undefined || isSameConfig(config, expected.config),
  } satisfies typeof change,

  async build(request) {
    const { market, body, refuse } = request
    const { block, current, termPenaltyBps, isAdopted, token, issuer, signing } = await readCurrent(request, refuse)
    if (!isAdopted) throw refuse('MARKET_PENDING_CURATOR')
    const { config, faults } = parseConfig(body.config, market)
    const isMarketPriced = market.priceSource === 'MARKET'
    const all = [...faults, ...configFaults(config, { isMarketPriced, termPenaltyBps })]
    if (all.length > 0) throw fieldError('INVALID_CONFIG', all)
    if (movesTooFar(current, config))
      throw refuse('CONFIG_CHANGE_TOO_LARGE', {
        detail: `The liquidation threshold stands at ${current.liquidationThresholdBps} and moves by at most 1000 bps per call.`,
      })
    requireAuctionsPossible(config, market, token, refuse)
    return {
      block,
      signer: signing.signerAddress ?? issuer,
      args: { newConfig: config },
      answer: { ...signing, config: shownConfig(config, market) },
    }
  },

  expect: ({ body, market }) => ({ config: body.config && parseConfig(body.config, market).config }),

  proven: ({ effect, transaction }, { market }) => ({
    signedBy: transaction.from,
    config: shownConfig(effect.config, market),
  }),
})
