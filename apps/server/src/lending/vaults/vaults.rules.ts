import { formatUnits } from '../../platform/amounts.rules.ts'

/** What one whole share of a vault is worth, as a redemption would reckon it; 18 decimals. */
export function sharePrice(totalAssets: bigint, totalSupply: bigint): string {
  return formatUnits((10n ** 18n * (totalAssets + 1n)) / (totalSupply + 1n), 18)
}

/** Known ones in the order of the market, and whether all of the market's are among them. */
export function inOrder<V extends { readonly address: string }>(
  registered: readonly string[],
  known: readonly V[],
): { readonly vaults: readonly V[]; readonly isComplete: boolean } {
  const vaults = registered.flatMap((address) => known.find((one) => one.address === address) ?? [])
  return { vaults, isComplete: vaults.length === registered.length }
}

/** Why a vault takes no deposit of anybody now; null: it does. */
export function closedFor(vault: { readonly depositsPaused: boolean; readonly unreadableMarkets: readonly string[] }) {
  if (vault.depositsPaused) return 'DEPOSITS_PAUSED' as const
  return vault.unreadableMarkets.length > 0 ? ('MARKET_UNREADABLE' as const) : null
}

/** How long a higher cap waits, and for how long it can be set after that; seconds. */
export const ANNOUNCEMENT_WAIT = 14 * 86_400
/** How long the shares of a deposit stay; seconds. */
export const REDEMPTION_WAIT = 3 * 86_400

export const instant = (seconds: number): string => new Date(seconds * 1000).toISOString()

export interface Announcement {
  readonly cap: bigint
  readonly readyAt: number
  readonly lapsesAt: number
}

/** As the vault tells it; all zero: nothing is announced. */
export const announcementOf = ([cap, readyAt, lapsesAt]: readonly [bigint, bigint, bigint]): Announcement => ({
  cap,
  readyAt: Number(readyAt),
  lapsesAt: Number(lapsesAt),
})

export type CapStep = 'SET' | 'ANNOUNCE' | 'CANCEL'

interface CapQuestion {
  readonly cap: bigint
  readonly previous: bigint
  /** Null: a vault that announces nothing. */
  readonly announcement: Announcement | null
  readonly now: number
}

/** What brings a cap about: set at once, announced, or waited for. Announcing anew what waits already would only make it wait longer. */
export function capStep({ cap, previous, announcement, now }: CapQuestion): CapStep | 'WAIT' {
  if (!announcement) return 'SET'
  if (cap <= previous) return previous === 0n && announcement.readyAt !== 0 ? 'CANCEL' : 'SET'
  if (cap > announcement.cap || now >= announcement.lapsesAt) return 'ANNOUNCE'
  return now >= announcement.readyAt ? 'SET' : 'WAIT'
}

const MOVE =
  'Deploy a vault of this release that names its markets, register it with them, and let holders redeem here and deposit there; then deregister this one.'

const firstGeneration = [
  {
    code: 'NO_REDEMPTION_WAIT' as const,
    message:
      'Whoever deposits just before fees, a penalty or a recovery arrive can leave right after, with most of it. Collect distributor fees before large deposits.',
    remedy: MOVE,
  },
  {
    code: 'NO_ANNOUNCEMENTS' as const,
    message: 'The owner can name any contract a market and give it all idle money at once.',
    remedy: MOVE,
  },
  {
    code: 'BROKEN_MARKET_STOPS_ALL' as const,
    message: 'A market that does not answer stops every deposit and redemption.',
    remedy: MOVE,
  },
]

/** What a vault of an earlier release cannot help, and how to move on. */
export const weaknessesOf = (version: number) => (version < 2 ? firstGeneration : [])
