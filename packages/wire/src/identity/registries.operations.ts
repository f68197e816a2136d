import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Body, Data } from '../lending/lending.operation.ts'
import { Address, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { checkErrors, probeErrors, registerErrors } from './identity.errors.ts'
import { RegistryChoice, registerFields, registerKinds } from './identity.schemas.ts'
import { identity } from './identity-path.ts'

const Whole = Type.Optional(
  Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$', description: 'Whole number in the smallest unit; default 0.' }),
)

export const checkTransfer = defineOperation({
  ...identity('/can-transfer'),
  id: 'checkTransfer',
  method: 'POST',
  scope: 'identity:read',
  summary: 'Check a transfer',
  description: 'Whether the registry would let one wallet send to another now, and if not, why.',
  body: Body({
    from: Address,
    to: Address,
    amount: Whole,
    fromBalance: Whole,
    toBalance: Whole,
    registryAddress: RegistryChoice,
  }),
  fieldCodes: {
    from: 'INVALID_INPUT',
    to: 'INVALID_INPUT',
    amount: 'INVALID_INPUT',
    fromBalance: 'INVALID_INPUT',
    toBalance: 'INVALID_INPUT',
    registryAddress: 'INVALID_ADDRESS',
  },
  unreadable: 'REGISTRY_PROBE_FAILED',
  fault: 'CHECK_FAILED',
  legs: {
    read: {
      data: Data({
        ...registerFields,
        allowed: Type.Boolean(),
        reason: Type.Integer({
          description:
            '0 none; 1, 2 sender, receiver has no active identity; 3, 4 is frozen; 5, 6 is past its hard expiry; 10 a compliance module refused; 11 one failed.',
        }),
        reasonLabel: Type.String(),
        module: Nullable(
          Type.String({ description: 'The compliance module that refused or failed, where the registry tells.' }),
        ),
        senderStatus: Type.Integer({ minimum: 0, maximum: 3 }),
        receiverStatus: Type.Integer({ minimum: 0, maximum: 3 }),
      }),
      errors: { ...registerErrors, ...probeErrors, ...checkErrors },
    },
  },
})

export const listRegistries = defineOperation({
  ...identity('/registry'),
  id: 'listRegistries',
  method: 'GET',
  scope: 'identity:read',
  summary: 'List registries',
  description:
    'The registry of this deployment and those of the imported tokens, of which kind they are, and what the wallets of the instance may do there.',
  unreadable: 'REGISTRY_PROBE_FAILED',
  legs: {
    read: {
      data: Data({
        ownRegistry: Nullable(LowercaseAddress),
        registries: Type.Array(
          Data({
            registryAddress: LowercaseAddress,
            registerKind: Nullable(OneOf(registerKinds)),
            isOwn: Type.Boolean(),
            tokens: Type.Array(LowercaseAddress),
            wallets: Type.Array(Data({ address: LowercaseAddress, roles: Nullable(Type.Array(Type.String())) }), {
              description: 'Verified wallets of the instance; roles are null where they could not be read.',
            }),
          }),
        ),
        truncated: Type.Boolean({ description: 'There are more than 50; the newest imports are shown.' }),
      }),
      errors: probeErrors,
    },
  },
})
