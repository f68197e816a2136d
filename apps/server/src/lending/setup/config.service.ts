import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { DeployedRecord, MarketCall } from '../market/markets.service.ts'
import { endpointAt, findDeployedMarket } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { roleReads, signerBlock } from '../signer.reads.ts'
import {
  asConfig,
  type ConfigBody,
  configFaults,
  type MarketConfig,
  movesTooFar,
  parseConfig,
  shownConfig,
} from './market-config.rules.ts'
import { setConfigCall } from './settings.call.ts'
import { configRead, configReads } from './settings.reads.ts'
import { firstGuess, settled } from './setup-view.service.ts'
import { admissionOf } from './token-admission.rules.ts'
import { registryNow, type TokenSide, tokenSide, tokenSideReads } from './token-side.reads.ts'

type SetConfigBody = BodyOf<typeof lendingOperations.setConfig>

/** The risk and auction settings of a market. */
export function createConfig({ chains, intents }: LendingParts) {
  const intentOf = ({ market }: DeployedRecord) => ({
    chain: chains.get(market.chainId),
    pair: setConfigCall,
    target: market.address,
    kind: 'market',
  })

  /** The settings as they are, and everything that bears on new ones, at one block. */
  async function readCurrent(record: DeployedRecord) {
    const { market, wallets } = record
    const chain = chains.get(market.chainId)
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
    if (!config.ok || !terms.ok || !parts.ok) throw new ChainUnavailableError('the market did not answer')
    return {
      block,
      current: asConfig({ ...config.value }),
      termPenaltyBps: terms.value.termPenaltyBps,
      isAdopted: parts.value.operator !== zeroAddress,
      venue: actual.venue,
      token: tokenSide(results, actual, wallets),
      issuer: deployment.ok ? orNull(deployment.value.issuer) : null,
      signer: signerBlock('ISSUER_ROLE', wallets, results.issuers),
    }
  }

  function requireAuctionsPossible(config: MarketConfig, { market }: DeployedRecord, token: TokenSide): void {
    if (!config.useDutchAuction) return
    if (market.priceSource === 'MARKET') throw new AppError('AUCTION_UNSUPPORTED_PRICE_SOURCE')
    if (!token.venue) throw new AppError('AUCTION_MODULE_NOT_SET')
    if (admissionOf(token, token.venue).admitted !== true) throw new AppError('AUCTION_VENUE_NOT_ADMITTED')
  }

  async function build(call: MarketCall, record: DeployedRecord, body: ConfigBody) {
    const { market, marketId } = record
    const { block, current, termPenaltyBps, isAdopted, token, issuer, signer } = await readCurrent(record)
    if (!isAdopted) throw new AppError('MARKET_PENDING_CURATOR')
    const { config, faults } = parseConfig(body, market)
    const isMarketPriced = market.priceSource === 'MARKET'
    const all = [...faults, ...configFaults(config, { isMarketPriced, termPenaltyBps })]
    if (all.length > 0) throw fieldError('INVALID_CONFIG', all)
    if (movesTooFar(current, config))
      throw new AppError('CONFIG_CHANGE_TOO_LARGE', {
        detail: `The liquidation threshold stands at ${current.liquidationThresholdBps} and moves by at most 1000 bps per call.`,
      })
    requireAuctionsPossible(config, record, token)
    const built = await intents.build(intentOf(record), config, signer.signerAddress ?? issuer, explainLending)
    const data = {
      ...built,
      ...signer,
      config: shownConfig(config, market),
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/config`),
        field: 'txHash' as const,
      },
    }
    return { data, block, calls: [built.transaction] }
  }

  async function confirm({ tenant }: MarketCall, record: DeployedRecord, txHash: Hex, body: ConfigBody | undefined) {
    const { market } = record
    const expected = body ? { config: parseConfig(body, market).config } : {}
    const { effect, transaction, verifiedBy } = await intents.confirm(tenant, intentOf(record), expected, txHash)
    const data = {
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      signedBy: transaction.from,
      config: shownConfig(asConfig(effect), market),
    }
    return { data, block: transaction.block }
  }

  return {
    async get(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { block, results } = await chains.get(market.chainId).read([configRead(market)])
      const [config] = results
      if (!config.ok) throw new ChainUnavailableError('the market did not answer')
      return { data: shownConfig(asConfig({ ...config.value }), market), block }
    },

    async set(call: MarketCall, marketId: string, { config, txHash }: SetConfigBody) {
      const record = await findDeployedMarket(call, marketId)
      if (txHash !== undefined) return confirm(call, record, txHash as Hex, config)
      if (!config) throw fieldError('VALIDATION_ERROR', [{ field: 'config', message: 'is required' }])
      return build(call, record, config)
    },
  }
}

export type Config = ReturnType<typeof createConfig>

const orNull = (address: Address): Address | null =>
  address === zeroAddress ? null : (address.toLowerCase() as Address)
