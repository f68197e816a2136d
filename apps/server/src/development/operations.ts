import { defineOperation, Line, OneOf, sessionOperations, userRoles, validationErrors } from '@tallystick/wire'
import { Type } from 'typebox'

const development = { feature: 'access', scope: 'access:read' } as const

const Role = Type.Object(
  {
    role: Type.String(),
    name: Type.String(),
    instanceId: Type.String(),
    instanceName: Type.String(),
    address: Type.String(),
    userRole: OneOf(userRoles),
  },
  { additionalProperties: false },
)

export const listRoles = defineOperation({
  ...development,
  id: 'listDevelopmentRoles',
  open: true,
  method: 'GET',
  path: '/demo/api/roles',
  summary: 'Roles of the demo',
  legs: { read: { data: Type.Object({ roles: Type.Array(Role) }, { additionalProperties: false }), errors: {} } },
})

const unknownRole = {
  USER_UNKNOWN: { status: 403, message: 'The demo has no such role, or it is not seeded yet.' },
} as const

export const signInAs = defineOperation({
  ...development,
  id: 'signInAsDevelopmentRole',
  open: true,
  method: 'POST',
  path: '/demo/api/sign-in',
  summary: 'Sign in as a role of the demo',
  body: Type.Object({ role: Line(100) }, { additionalProperties: false }),
  legs: {
    write: { data: sessionOperations.getSession.legs.read.data, errors: { ...validationErrors, ...unknownRole } },
  },
})

const Data = Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$' })

export const send = defineOperation({
  ...development,
  id: 'sendWithDevelopmentWallet',
  method: 'POST',
  path: '/demo/api/send',
  summary: 'Sign and send with the development wallet of who is signed in',
  largestBody: 1024 * 1024,
  body: Type.Object(
    {
      transactions: Type.Array(
        Type.Object(
          {
            to: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
            data: Data,
            value: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]*)$' })),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 20 },
      ),
      from: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
    },
    { additionalProperties: false },
  ),
  legs: {
    write: {
      data: Type.Object({ from: Type.String(), hashes: Type.Array(Type.String()) }, { additionalProperties: false }),
      errors: {
        ...validationErrors,
        ...unknownRole,
        TX_REVERTED: { status: 400, message: 'The chain would refuse this transaction. Nothing was sent.' },
      },
    },
  },
})

const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const Amount = Type.String({ pattern: '^(0|[1-9][0-9]*)$', maxLength: 78 })

export const signOrder = defineOperation({
  ...development,
  id: 'signOrderWithDevelopmentWallet',
  method: 'POST',
  path: '/demo/api/sign-order',
  summary: 'Sign an order (EIP-712) with the development wallet of who is signed in',
  body: Type.Object(
    {
      domain: Type.Object(
        { name: Line(100), version: Line(10), chainId: Type.Integer(), verifyingContract: Address },
        { additionalProperties: false },
      ),
      order: Type.Object(
        {
          ...{ trader: Address, token: Address, quote: Address, isBuy: Type.Boolean() },
          ...{ quantity: Amount, price: Amount, maxFee: Amount, expiry: Amount, nonce: Amount },
          salt: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  legs: {
    write: {
      data: Type.Object({ signature: Type.String() }, { additionalProperties: false }),
      errors: { ...validationErrors, ...unknownRole },
    },
  },
})
