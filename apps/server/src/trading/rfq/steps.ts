import { exact, type RfqOutcome, type RfqStep } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import type { Hold } from '../agreed/index.ts'
import type { StoredRfq } from './rfq.rules.ts'
import type { QuoteRow } from './rfq.store.ts'

/** The step, or the refusal in the words of the interface. */
export function requireStep(outcome: RfqOutcome): RfqStep {
  if ('code' in outcome) throw new AppError(outcome.code)
  return outcome
}

export const holdOf = ({ provider, lockToken, lockAmount }: QuoteRow): Hold => ({
  holder: provider,
  tokenAddress: lockToken,
  amount: exact(lockAmount),
})

/** What is reserved no longer once the step is taken. */
export function freedBy({ quotes }: StoredRfq, { events }: RfqStep): Hold[] {
  const released = new Set(events.flatMap((event) => (event.kind === 'released' ? [event.quote] : [])))
  return quotes.filter(({ quoteId }) => released.has(quoteId)).map(holdOf)
}
