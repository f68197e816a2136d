import { providersPartWad } from '../market/index.rules.ts'

const WAD = 10n ** 18n
const BPS = 10_000n
const WAD_PER_BPS = 10n ** 14n
const MAX_RATE_BPS = 50_000n
const FIXED = 2

interface Curve {
  readonly baseBps: number
  readonly multiplierBps: number
  readonly jumpBps: number
  readonly kinkBps: number
}

/** The raw curve at a utilization, before any clamp: the same steps as the contract takes. */
export function curveRateWad(curve: Curve, utilization: bigint): bigint {
  const kink = BigInt(curve.kinkBps) * WAD_PER_BPS
  const below = utilization < kink ? utilization : kink
  const rate =
    BigInt(curve.baseBps) * WAD_PER_BPS +
    (below * BigInt(curve.multiplierBps)) / BPS +
    ((utilization - below) * BigInt(curve.jumpBps)) / BPS
  const most = MAX_RATE_BPS * WAD_PER_BPS
  return rate < most ? rate : most
}

/** What providers earn a year on all of the pool when borrowers pay `rateWad` on what is lent. */
export const supplyRateWad = (rateWad: bigint, utilization: bigint, protocolFeeBps: number): bigint =>
  (((rateWad * utilization) / WAD) * providersPartWad(protocolFeeBps)) / WAD

/** The rate that new loans pay: the stamp where there is one. */
export const offeredRateWad = (
  offer: { readonly mode: number; readonly fixedBps: number },
  variable: bigint,
): bigint => (offer.mode === FIXED ? BigInt(offer.fixedBps) * WAD_PER_BPS : variable)
