import { Type } from 'typebox'
import { approvalErrors } from '../common.errors.ts'
import type { ErrorTable } from '../operation.ts'
import { OneOf } from '../primitives.ts'

export const relayerSetupErrors = {
  RELAYER_NOT_CONFIGURED: {
    status: 400,
    message: 'Your instance has no relayer. The operator of the deployment sets one up.',
  },
} as const satisfies ErrorTable

/** What an operation can answer that lets the relayer sign and submit. None of them means that something was sent. */
export const relayErrors = {
  ...relayerSetupErrors,
  ...approvalErrors,
  RELAYER_FROZEN: { status: 403, message: 'The relayer of your instance is frozen: it submits nothing new.' },
  RELAYER_LIMIT_EXCEEDED: {
    status: 429,
    retry: true,
    message: 'The relayer may not submit this: a limit of your instance is reached.',
    extra: Type.Object({
      limit: OneOf(['dailyTxLimit', 'maxGasPerTx'], { description: 'Which of the limits it was.' }),
      retryAfterSeconds: Type.Integer({
        description: 'Until the day of the limit ends; for the price of gas, a moment.',
      }),
    }),
  },
  RELAYER_UNAVAILABLE: {
    status: 502,
    retry: true,
    message: 'The relayer could not sign or price the transaction. Nothing was submitted; try again.',
  },
} as const satisfies ErrorTable
