import { AppError } from '../../platform/app-error.ts'

/** How a book trades. */
export interface AuctionSettings {
  readonly tradingMode: 'CONTINUOUS' | 'PERIODIC_AUCTION' | 'HYBRID'
  readonly auctionIntervalSeconds: number | null
  readonly hybridSwitchSpreadBps: number | null
}

/** What is not sent stays. */
export type AuctionRequest = { readonly [K in keyof AuctionSettings]?: AuctionSettings[K] } & {
  readonly auctionRollUnmatched?: boolean
}

export const ALWAYS_CONTINUOUS: AuctionSettings = {
  tradingMode: 'CONTINUOUS',
  auctionIntervalSeconds: null,
  hybridSwitchSpreadBps: null,
}

/** The settings that a request leads to; INVALID_CONFIG when they do not go together. */
export function auctionsFrom(request: AuctionRequest, before: AuctionSettings, bookClass: string): AuctionSettings {
  const { auctionIntervalSeconds: seconds, hybridSwitchSpreadBps: spread } = request
  const settings = {
    tradingMode: request.tradingMode ?? before.tradingMode,
    auctionIntervalSeconds: seconds === undefined ? before.auctionIntervalSeconds : seconds,
    hybridSwitchSpreadBps: spread === undefined ? before.hybridSwitchSpreadBps : spread,
  }
  const { tradingMode: mode } = settings
  const refuse = (detail: string) => new AppError('INVALID_CONFIG', { detail })
  if (mode === 'CONTINUOUS') return settings
  if (bookClass !== 'stocks') throw refuse('Only stock books can be traded in auctions.')
  if (settings.auctionIntervalSeconds === null) throw refuse(`${mode} needs auctionIntervalSeconds.`)
  if (mode === 'HYBRID' && settings.hybridSwitchSpreadBps === null) throw refuse('HYBRID needs hybridSwitchSpreadBps.')
  return settings
}

export const auctionColumns = (settings: AuctionSettings) => ({
  trading_mode: settings.tradingMode,
  auction_interval_seconds: settings.auctionIntervalSeconds,
  hybrid_switch_spread_bps: settings.hybridSwitchSpreadBps,
})
