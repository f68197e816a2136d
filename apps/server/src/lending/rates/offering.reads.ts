import { rateModes } from '@tallystick/wire'
import { allValues, contractRead, type ResultsOf } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

const orNone = (value: number | bigint): string | null => (BigInt(value) === 0n ? null : value.toString())

/** What a lender offers, for one multicall. */
export const offeringReads = ({ address, rateModel }: Market) =>
  [
    contractRead(rateModel, abis.rateModel, 'offer', []),
    contractRead(rateModel, abis.rateModel, 'maxFixedRateBps', []),
    contractRead(address, abis.market, 'termConfig', []),
    contractRead(address, abis.market, 'reserveRatioBps', []),
  ] as const

/** Null: a part of it could not be read. */
export function offeringOf(results: ResultsOf<ReturnType<typeof offeringReads>>) {
  const values = allValues(results)
  if (!values) return null
  const [offer, maxFixedRateBps, term, reserveRatioBps] = values
  return {
    rateMode: rateModes[offer.mode] ?? 'CURVE',
    rateFloor: String(offer.floorBps),
    rateCap: String(offer.capBps),
    maxFixedRate: orNone(maxFixedRateBps),
    maxLoanDuration: String(term.maxLoanDuration),
    termGracePeriod: String(term.gracePeriod),
    terminalDueDate: orNone(term.terminalDueAt),
    marketDueFloor: orNone(term.dueFloor),
    termPenalty: String(term.termPenaltyBps),
    allowExtension: term.isExtensionAllowed,
    reserveRatio: reserveRatioBps.toString(),
    operatorShare: '800',
  }
}
