import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'

export const keyLookupErrors = {
  INVALID_PARAM: { status: 400, message: 'The id is longer than 100 characters.' },
  KEY_NOT_FOUND: { status: 404, message: 'Your instance has no such key.' },
} as const satisfies ErrorTable

export const keyLimitErrors = {
  KEY_LIMIT_REACHED: {
    status: 409,
    message: 'Your instance has 10 active keys. A rotated key keeps its slot until it lapses; revoke one first.',
  },
} as const satisfies ErrorTable

export const grantErrors = {
  SCOPE_NOT_HELD: {
    status: 403,
    message: 'A key cannot hand out scopes that it does not hold itself.',
    extra: Type.Object({ missing: Type.Array(Type.String()) }),
  },
} as const satisfies ErrorTable

export const boundErrors = {
  KEY_BOUNDS_EXCEEDED: {
    status: 403,
    message: 'A key cannot hand out a higher rate limit or a longer life than its own.',
    extra: Type.Object({ details: Type.Array(Type.Object({ field: Type.String(), message: Type.String() })) }),
  },
} as const satisfies ErrorTable

export const walletAddressErrors = {
  INVALID_ADDRESS: {
    status: 400,
    message: 'address must be 0x and 40 hex digits with a valid checksum, if mixed case.',
  },
} as const satisfies ErrorTable

export const walletLookupErrors = {
  ...walletAddressErrors,
  WALLET_NOT_FOUND: { status: 404, message: 'Your instance has no such wallet.' },
} as const satisfies ErrorTable

export const walletRoomErrors = {
  WALLET_ALREADY_REGISTERED: { status: 409, message: 'This wallet is registered on your instance already.' },
  WALLET_LIMIT_REACHED: { status: 409, message: 'Your instance has 10 wallets. Remove one first.' },
} as const satisfies ErrorTable
