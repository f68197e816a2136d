import { fieldError } from '../../platform/app-error.ts'
import { type Slot, slotOf } from '../values/index.rules.ts'

export function requireSlot(claimType: string | number): Slot {
  const slot = slotOf(claimType)
  if (!slot)
    throw fieldError('INVALID_CLAIM_TYPE', [
      { field: 'claimType', message: 'must name a slot, or be a number of 0 to 7' },
    ])
  return slot
}
