import { AppError } from '../../platform/app-error.ts'

/** What was signed must outlive the moment by so much, or its settlement could come too late. */
const TIME_TO_SETTLE = 60
/** And by so much when nobody says otherwise: a signature that lies about longer serves nobody. */
const USUAL_TIME_TO_SETTLE = 3_600

const secondsOf = (moment: Date): number => Math.ceil(moment.getTime() / 1_000)

export function requireOutliving(expiry: number | string, moment: Date): void {
  if (Number(expiry) < secondsOf(moment) + TIME_TO_SETTLE)
    throw new AppError('INVALID_ORDER_EXPIRY', {
      detail: 'expiry must be at least 60 seconds after the end of the request, so that the trade can be settled.',
    })
}

export const usualExpiry = (moment: Date): number => secondsOf(moment) + USUAL_TIME_TO_SETTLE
