import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { LowercaseAddress, Nullable } from '../primitives.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import { builtB, signerBlock, verifiedBy } from './lending.schemas.ts'
import { confirmGatesErrors, readGatesErrors, setGatesErrors } from './registers.errors.ts'
import { IdentityGates } from './registers.schemas.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const register = Type.Optional(
  Nullable(Type.String({ description: 'Left out: stays. An address: installed. null, empty or zero: cleared.' })),
)
const registers = { borrowerRegistry: register, providerRegistry: register } as const
const registry = Nullable(LowercaseAddress)

export const getIdentityGates = defineOperation({
  ...lendingPath('/markets/{marketId}/identity-gates'),
  ...ofMarket,
  id: 'getIdentityGates',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the identity gates',
  description:
    'The register that the market asks about borrowers, and the one it declares for its providers. The first decides about new loans and draws only: repaying, closing and redeeming are never gated. The second is a declaration: each vault asks the register that its own operator set.',
  fault: 'IDENTITY_GATES_READ_FAILED',
  unreadable: 'IDENTITY_GATES_UNREADABLE',
  legs: { read: { data: IdentityGates, errors: readGatesErrors } },
})

export const setIdentityGates = defineOperation({
  ...lendingPath('/markets/{marketId}/identity-gates'),
  ...ofMarket,
  id: 'setIdentityGates',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Change the identity gates',
  description: 'Both registers in one call. With `txHash`: confirms it; the other fields are then ignored.',
  unreadable: 'IDENTITY_GATES_UNREADABLE',
  legs: {
    build: {
      body: Body(registers),
      data: Data({
        ...builtB,
        borrowerRegistry: registry,
        providerRegistry: registry,
        unchanged: Type.Literal(false),
        ...signerBlock,
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ txHash: Type.Null() }),
        }),
      }),
      errors: setGatesErrors,
    },
    confirm: {
      body: withHash(registers),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        signedBy: LowercaseAddress,
        borrowerRegistry: registry,
        providerRegistry: registry,
        gates: Nullable(IdentityGates),
      }),
      errors: confirmGatesErrors,
    },
  },
})
