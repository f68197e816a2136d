import type { ErrorTable } from '../operation.ts'
import { marketErrors } from './lending.errors.ts'

/** Every route that takes the id of a hook. */
export const hookErrors = {
  ...marketErrors,
  MISSING_HOOK_ID: { status: 400, message: 'The hook id in the path is longer than 100 characters.' },
  HOOK_NOT_FOUND: { status: 404, message: 'This market has no hook with this id.' },
} as const satisfies ErrorTable

export const webhookUrlErrors = {
  WEBHOOK_URL_REFUSED: {
    status: 400,
    message: 'Nothing can be sent to this URL: it must be https and lead to public addresses only.',
  },
} as const satisfies ErrorTable

export const hookLimitErrors = {
  HOOK_LIMIT_REACHED: { status: 409, message: 'This market has 20 hooks of your instance. Delete one first.' },
} as const satisfies ErrorTable

/** Sending needs a hook that is on. */
export const inactiveHookErrors = {
  HOOK_INACTIVE: { status: 409, message: 'This hook is switched off, so nothing is sent. Switch it on first.' },
} as const satisfies ErrorTable

export const deliveryErrors = {
  MISSING_DELIVERY_ID: { status: 400, message: 'The delivery id in the path is longer than 100 characters.' },
  DELIVERY_NOT_FOUND: { status: 404, message: 'This hook has no delivery with this id. The log reaches back 30 days.' },
  DELIVERY_PENDING: { status: 409, message: 'This message is still waiting to be sent.' },
} as const satisfies ErrorTable
