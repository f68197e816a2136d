import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Nullable, OneOf } from '../primitives.ts'
import { relayerSetupErrors } from './relayer.errors.ts'
import { DailyLimit, GasCeiling, RelayedTransactionPage, RelayerRecord, relayedStatuses } from './relayer.schemas.ts'

const relayer = { feature: 'access' } as const

export const getRelayer = defineOperation({
  ...relayer,
  id: 'getRelayer',
  method: 'GET',
  path: '/access/api/relayer',
  scope: 'access:read',
  summary: 'State of the relayer',
  description:
    'The account that signs and submits for the instance where it is asked to: its address and balance, its limits and what is used of them, and what is on its way.',
  legs: { read: { data: RelayerRecord, errors: relayerSetupErrors } },
})

export const setRelayerLimits = defineOperation({
  ...relayer,
  id: 'setRelayerLimits',
  administrative: true,
  method: 'PATCH',
  path: '/access/api/relayer/limits',
  scope: 'access:write',
  summary: 'Limit the relayer',
  description:
    'Fields that are left out stay as they are. `maxGasPerTx` also bounds what a stuck transaction may be replaced with; null removes it.',
  body: Type.Object(
    { dailyTxLimit: Type.Optional(DailyLimit), maxGasPerTx: Type.Optional(Nullable(GasCeiling)) },
    { additionalProperties: false },
  ),
  legs: { write: { data: RelayerRecord, errors: { ...validationErrors, ...relayerSetupErrors } } },
})

export const freezeRelayer = defineOperation({
  ...relayer,
  id: 'freezeRelayer',
  administrative: true,
  method: 'POST',
  path: '/access/api/relayer/freeze',
  scope: 'access:write',
  summary: 'Freeze the relayer',
  description: 'Nothing new is submitted from now on. What is stored already is still brought to an end.',
  legs: { write: { data: RelayerRecord, errors: relayerSetupErrors } },
})

export const unfreezeRelayer = defineOperation({
  ...relayer,
  id: 'unfreezeRelayer',
  administrative: true,
  method: 'POST',
  path: '/access/api/relayer/unfreeze',
  scope: 'access:write',
  summary: 'Unfreeze the relayer',
  legs: { write: { data: RelayerRecord, errors: relayerSetupErrors } },
})

export const listRelayedTransactions = defineOperation({
  ...relayer,
  id: 'listRelayedTransactions',
  method: 'GET',
  path: '/access/api/relayer/transactions',
  scope: 'access:read',
  summary: 'List relayed transactions',
  description:
    'Every transaction that the relayer signed, newest first: `limit` 50 (at most 200), `cursor` goes on. A replaced one names its replacement; `relayId` finds all that were signed for one call.',
  query: Type.Object({
    status: Type.Optional(OneOf(relayedStatuses)),
    relayId: Type.Optional(Type.String({ maxLength: 100 })),
    limit: Type.Optional(Type.String()),
    cursor: Type.Optional(Type.String({ maxLength: 400 })),
  }),
  legs: { read: { data: RelayedTransactionPage, errors: validationErrors } },
})
