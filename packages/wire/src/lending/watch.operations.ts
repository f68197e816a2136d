import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Instant, Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors, marketErrors, validationErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { collateralModes, pageQuery } from './lending.schemas.ts'
import { deliveryErrors, hookErrors, hookLimitErrors, inactiveHookErrors, webhookUrlErrors } from './watch.errors.ts'
import {
  CreatedHook,
  Delivery,
  HealedShortfall,
  Hook,
  hookRequest,
  LienAdapter,
  LienPass,
  OpenShortfall,
  Secret,
} from './watch.schemas.ts'

const optional = Type.Optional
const tooLong = Type.String({ maxLength: 100 })
const HookPath = Type.Object({ marketId: tooLong, hookId: tooLong })
const DeliveryPath = Type.Object({ marketId: tooLong, hookId: tooLong, deliveryId: tooLong })
const hookIdCode = { ...marketIdCode, hookId: 'MISSING_HOOK_ID' } as const
const ofHook = { params: HookPath, fieldCodes: hookIdCode } as const

export const listLiens = defineOperation({
  ...lendingPath('/markets/{marketId}/liens'),
  id: 'listLiens',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List lien shortfalls',
  description:
    'Whether the collateral of this market is still there. A watcher compares all liens with what the token shows frozen, or held in custody; what is missing is listed while it is missing, and after it healed (`limit` 50, at most 200, or `cursor`).',
  params: MarketPath,
  query: Type.Object({ limit: pageQuery.limit, cursor: pageQuery.cursor }),
  fieldCodes: marketIdCode,
  legs: {
    read: {
      data: Data({
        marketId: Type.String(),
        adapterAddress: LienAdapter,
        mode: OneOf(collateralModes),
        intact: Nullable(
          Type.Boolean({ description: 'null: not known, because no pass was made or wallets could not be read.' }),
        ),
        lastPass: Nullable(LienPass),
        open: Type.Array(OpenShortfall),
        healed: Type.Array(HealedShortfall),
        limit: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...deployedMarketErrors, ...validationErrors },
    },
  },
})

export const createHook = defineOperation({
  ...lendingPath('/hooks/{marketId}', 'v1'),
  id: 'createHook',
  administrative: true,
  method: 'POST',
  scope: 'lending:write',
  summary: 'Create a hook',
  description:
    'Tells a URL of yours when something happens in this market: once when it begins to hold, and again only after it stopped. The answer holds the only copy of the secret. At most 20 a market.',
  secret: true,
  params: MarketPath,
  body: Body({ ...hookRequest, active: optional(Type.Boolean({ description: 'Default true.' })) }),
  fieldCodes: marketIdCode,
  legs: {
    write: {
      data: CreatedHook,
      errors: { ...validationErrors, ...deployedMarketErrors, ...webhookUrlErrors, ...hookLimitErrors },
    },
  },
})

export const listHooks = defineOperation({
  ...lendingPath('/hooks/{marketId}', 'v1'),
  id: 'listHooks',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List hooks',
  description: 'The hooks of your instance on this market, oldest first. Secrets are not shown again.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: { read: { data: Data({ hooks: Type.Array(Hook) }), errors: marketErrors } },
})

export const getHook = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}', 'v1'),
  ...ofHook,
  id: 'getHook',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a hook',
  legs: { read: { data: Hook, errors: hookErrors } },
})

export const updateHook = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}', 'v1'),
  ...ofHook,
  id: 'updateHook',
  administrative: true,
  method: 'PUT',
  scope: 'lending:write',
  summary: 'Change a hook',
  description:
    'Any of the fields; the others stay. With another kind or limit it begins anew: what holds then is reported, also if it was reported before.',
  body: Body({
    name: optional(hookRequest.name),
    kind: optional(hookRequest.kind),
    threshold: hookRequest.threshold,
    seconds: hookRequest.seconds,
    url: optional(hookRequest.url),
  }),
  legs: { write: { data: Hook, errors: { ...validationErrors, ...hookErrors, ...webhookUrlErrors } } },
})

export const toggleHook = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}/toggle', 'v1'),
  id: 'toggleHook',
  administrative: true,
  method: 'POST',
  scope: 'lending:write',
  summary: 'Switch a hook on or off',
  description: 'Off: nothing is sent any more, not even what waits. On: it begins anew.',
  params: HookPath,
  body: Body({ active: Type.Boolean() }),
  fieldCodes: { ...hookIdCode, active: 'INVALID_ACTIVE' },
  legs: {
    write: {
      data: Hook,
      errors: {
        ...validationErrors,
        ...hookErrors,
        INVALID_ACTIVE: { status: 400, message: 'active must be true or false.' },
      },
    },
  },
})

export const rotateHookSecret = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}/rotate-secret', 'v1'),
  ...ofHook,
  id: 'rotateHookSecret',
  administrative: true,
  method: 'POST',
  scope: 'lending:write',
  summary: 'Rotate the secret of a hook',
  description:
    'For 24 hours every message carries two signatures, of the new secret and of the one before it; a second rotation ends the older one. The answer holds the only copy.',
  secret: true,
  legs: {
    write: {
      data: Data({
        id: Type.String(),
        secret: Secret,
        rotatedAt: Instant,
        previousSecretUntil: Type.String({
          format: 'date-time',
          description: 'Until then the secret before it signs too.',
        }),
      }),
      errors: { ...hookErrors },
    },
  },
})

export const testHook = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}/test', 'v1'),
  ...ofHook,
  id: 'testHook',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Send a test event',
  description:
    'Queues an event `hook.test`, sent like any other; the log of deliveries tells how it went. While one waits, that one is answered.',
  legs: { write: { data: Delivery, errors: { ...hookErrors, ...inactiveHookErrors } } },
})

export const listDeliveries = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}/deliveries', 'v1'),
  ...ofHook,
  id: 'listDeliveries',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List deliveries',
  description:
    'What was sent and what waits, newest first, kept for 30 days: `limit` 50 (at most 200), `offset`, or `cursor`.',
  query: Type.Object(pageQuery),
  legs: {
    read: {
      data: Data({
        deliveries: Type.Array(Delivery),
        total: Type.Integer(),
        hasMore: Type.Boolean(),
        limit: Type.Integer(),
        offset: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...validationErrors, ...hookErrors },
    },
  },
})

export const redeliver = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}/deliveries/{deliveryId}/redeliver', 'v1'),
  id: 'redeliver',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Send a message again',
  description: 'The same message with the same webhook-id, as a new delivery with all its attempts.',
  params: DeliveryPath,
  fieldCodes: { ...hookIdCode, deliveryId: 'MISSING_DELIVERY_ID' },
  legs: {
    write: {
      data: Delivery,
      errors: { ...hookErrors, ...deliveryErrors, ...inactiveHookErrors },
    },
  },
})

export const deleteHook = defineOperation({
  ...lendingPath('/hooks/{marketId}/{hookId}', 'v1'),
  ...ofHook,
  id: 'deleteHook',
  administrative: true,
  method: 'DELETE',
  scope: 'lending:write',
  summary: 'Delete a hook',
  description: 'With its log of deliveries.',
  legs: {
    write: {
      data: Data({ id: Type.String(), deleted: Type.Literal(true) }),
      errors: { ...hookErrors },
    },
  },
})
