import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Hash, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { actErrors, confirmTransactionErrors, proposeErrors } from './extensions.errors.ts'
import { ExtensionActivity, ExtensionKind, extensionBuilt, Moment, Ordinal, Proposal } from './extensions.schemas.ts'
import { deployedMarketErrors, validationErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { verifiedBy } from './lending.schemas.ts'
import { settingBuildErrors, settingConfirmErrors } from './rates.errors.ts'
import { SettingConfirmed, settingBuilt } from './rates.schemas.ts'

const optional = Type.Optional
const onMarket = { params: MarketPath, fieldCodes: marketIdCode } as const

export const proposeExtension = defineOperation({
  ...lendingPath('/markets/{marketId}/extensions'),
  ...onMarket,
  id: 'proposeExtension',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Propose an extension',
  description:
    'First of two steps: ISSUER_ROLE proposes a later maturity, the admin confirms it within seven days. No borrower signs, and no rate changes. Report the transaction to confirm-tx.',
  body: Body({
    kind: ExtensionKind,
    loanId: optional(Ordinal),
    newDueAt: Moment,
  }),
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: { build: { data: Data(extensionBuilt), errors: proposeErrors } },
})

export const confirmExtensionTransaction = defineOperation({
  ...lendingPath('/markets/{marketId}/extensions/confirm-tx'),
  ...onMarket,
  id: 'confirmExtensionTransaction',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Confirm an extension transaction',
  description:
    'Proves and records a mined proposal, confirmation, application, cancellation or turn of the extension switch, and tells what it did.',
  body: Body({ txHash: Hash }),
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    confirm: {
      data: Data({
        txHash: Type.String(),
        functionName: Type.String(),
        signedBy: LowercaseAddress,
        ...verifiedBy,
        activity: Type.Array(ExtensionActivity),
        appliedLoans: Type.Array(Type.String()),
        noOp: Type.Boolean({ description: 'A page was applied and found no loan to move.' }),
        outcome: optional(Type.Literal('NO_LOAN_EXTENDED')),
        notice: optional(Type.String()),
      }),
      errors: confirmTransactionErrors,
    },
  },
})

export const listExtensions = defineOperation({
  ...lendingPath('/markets/{marketId}/extensions'),
  ...onMarket,
  id: 'listExtensions',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List extension proposals',
  description:
    'Newest first, each with what it would do to which loan. When the chain cannot be read, our record of it is shown and `chainReadFailed` is true.',
  query: Type.Object({
    limit: optional(Type.String({ description: 'Default 50, at most 100.' })),
    cursor: optional(Type.String({ description: 'nextCursor of the page before.' })),
  }),
  legs: {
    read: {
      data: Data({
        proposals: Type.Array(Proposal),
        chainReadFailed: Type.Boolean(),
        limit: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...deployedMarketErrors, ...validationErrors },
    },
  },
})

export const actOnExtension = defineOperation({
  ...lendingPath('/markets/{marketId}/extensions/{proposalId}/{action}'),
  id: 'actOnExtension',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Confirm, apply or cancel an extension',
  description:
    'confirm: the admin, within seven days. apply: anyone, a page of up to 200 loans of a confirmed BATCH. cancel: issuer or admin. Report the transaction to confirm-tx.',
  params: Type.Object({
    ...MarketPath.properties,
    proposalId: Type.String({ pattern: '^[0-9]{1,20}$' }),
    action: OneOf(['confirm', 'apply', 'cancel']),
  }),
  fieldCodes: marketIdCode,
  body: Body({ loanIds: optional(Type.Array(Ordinal, { minItems: 1, maxItems: 200, description: 'For apply.' })) }),
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: { build: { data: Data({ ...extensionBuilt, proposalId: Type.String() }), errors: actErrors } },
})

const allowed = Type.Boolean({ description: 'Required to build.' })

export const setAllowExtension = defineOperation({
  ...lendingPath('/markets/{marketId}/allow-extension'),
  ...onMarket,
  id: 'setAllowExtension',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Set the extension switch',
  description:
    'Off: nothing is proposed, confirmed or applied; what was applied stays. DEFAULT_ADMIN_ROLE signs. With `txHash`: confirms it and reads the offering again.',
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: { body: Body({ allowed }), data: Data(settingBuilt), errors: settingBuildErrors },
    confirm: {
      body: Body({ allowed: optional(allowed), txHash: Hash }),
      data: SettingConfirmed,
      errors: settingConfirmErrors,
    },
  },
})
