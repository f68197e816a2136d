import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, LowercaseAddress, Nullable } from '../primitives.ts'
import { defineStockWrite, stocks, tokenCode } from './stock-write.ts'
import { missingFields, tokenErrors } from './stocks.errors.ts'
import { amountText, Exactly, reasonText, stockRecord, TokenPath } from './stocks.schemas.ts'

const account = { account: Type.Optional(Address) } as const
const accountAndAmount = { ...account, amount: Type.Optional(amountText) } as const
const limitText = Type.Optional(Type.String({ description: 'Decimal in shares; 0: no limit of its own.' }))

const roleChange = <const R extends string, const A extends string>(role: R, action: A) => ({
  account: LowercaseAddress,
  role: Type.Literal(role),
  action: Type.Literal(action),
})

export const freezeShares = defineStockWrite({
  id: 'freezeShares',
  path: '/manage/{tokenAddress}/freeze',
  summary: 'Freeze shares',
  description: 'Builds `freezeTokens`: the holder keeps the shares and cannot move them.',
  body: accountAndAmount,
  built: {},
  done: { account: LowercaseAddress, amount: DecimalString },
  errors: missingFields,
})

export const unfreezeShares = defineStockWrite({
  id: 'unfreezeShares',
  path: '/manage/{tokenAddress}/unfreeze',
  summary: 'Unfreeze shares',
  description: 'Builds `unfreezeTokens`: releases what controllers froze, never what an agent such as a lender did.',
  body: accountAndAmount,
  built: {},
  done: { account: LowercaseAddress, amount: DecimalString },
  errors: missingFields,
})

export const forceTransferShares = defineStockWrite({
  id: 'forceTransferShares',
  path: '/manage/{tokenAddress}/force-transfer',
  summary: 'Force a transfer',
  description: 'Builds `forceTransfer`: moves shares without the holder, frozen ones first. Works while paused.',
  body: {
    from: Type.Optional(Address),
    to: Type.Optional(Address),
    amount: Type.Optional(amountText),
    reason: reasonText,
  },
  built: {},
  done: { from: LowercaseAddress, to: LowercaseAddress, amount: DecimalString },
  errors: missingFields,
})

export const pauseStock = defineStockWrite({
  id: 'pauseStock',
  path: '/manage/{tokenAddress}/pause',
  summary: 'Pause a stock token',
  description: 'Builds `pause`: nothing moves but what a controller forces.',
  body: {},
  built: {},
  done: { paused: Type.Literal(true) },
  errors: {},
})

export const unpauseStock = defineStockWrite({
  id: 'unpauseStock',
  path: '/manage/{tokenAddress}/unpause',
  summary: 'Unpause a stock token',
  description: 'Builds `unpause`.',
  body: {},
  built: {},
  done: { paused: Type.Literal(false) },
  errors: {},
})

export const addController = defineStockWrite({
  id: 'addController',
  path: '/manage/{tokenAddress}/controller/add',
  summary: 'Add a controller',
  description: 'Builds `addController`: the account may freeze, unfreeze and force transfers.',
  body: account,
  built: {},
  done: roleChange('CONTROLLER', 'granted'),
  errors: missingFields,
})

export const removeController = defineStockWrite({
  id: 'removeController',
  path: '/manage/{tokenAddress}/controller/remove',
  summary: 'Remove a controller',
  description: 'Builds `removeController`. What it froze stays frozen until another controller releases it.',
  body: account,
  built: {},
  done: roleChange('CONTROLLER', 'revoked'),
  errors: missingFields,
})

export const addSubIssuer = defineStockWrite({
  id: 'addSubIssuer',
  path: '/manage/{tokenAddress}/sub-issuer/add',
  summary: 'Add a sub-issuer',
  description:
    'Builds `addSubIssuer`: the account may issue, and redeem what is its own or allowed to it. The token must allow sub-issuers.',
  body: account,
  built: {},
  done: roleChange('SUB_ISSUER', 'granted'),
  errors: missingFields,
})

export const removeSubIssuer = defineStockWrite({
  id: 'removeSubIssuer',
  path: '/manage/{tokenAddress}/sub-issuer/remove',
  summary: 'Remove a sub-issuer',
  description:
    'Builds `removeSubIssuer`. What the account has outstanding stays readable and the issuer can redeem it. For an account that is no sub-issuer the simulation tells that it would fail.',
  body: account,
  built: {},
  done: roleChange('SUB_ISSUER', 'revoked'),
  errors: missingFields,
})

export const setSubIssuerCap = defineStockWrite({
  id: 'setSubIssuerCap',
  path: '/manage/{tokenAddress}/sub-issuer/cap',
  summary: 'Cap a sub-issuer',
  description: 'Builds `setSubIssuerCap`: how many shares it may have outstanding, net of what it redeemed. 0: no cap.',
  body: { ...account, cap: Type.Optional(Type.String({ description: 'Decimal in shares; 0: no cap.' })) },
  built: {},
  done: { account: LowercaseAddress, cap: DecimalString },
  errors: missingFields,
})

export const allowSubIssuers = defineStockWrite({
  id: 'allowSubIssuers',
  path: '/manage/{tokenAddress}/sub-issuer/allow',
  summary: 'Allow sub-issuers',
  description:
    'Builds `setSubIssuersAllowed`: whether sub-issuers can be added and act. False stops those that are appointed, too; their roles, counters and caps stay.',
  body: { allowed: Type.Optional(Type.Boolean()) },
  built: {},
  done: { allowed: Type.Boolean() },
  errors: missingFields,
})

const registry = { identityRegistry: Type.Optional(Address) } as const

export const announceIdentityRegistry = defineStockWrite({
  id: 'announceIdentityRegistry',
  path: '/manage/{tokenAddress}/identity-registry/announce',
  summary: 'Announce another identity registry',
  description:
    'Builds `announceIdentityRegistry`: tells holders 14 days ahead which registry comes. From then on it can be taken for 14 days. The zero address withdraws what was announced. `GET` of the token shows what stands announced, and from when on it can be taken.',
  body: registry,
  built: {},
  done: { identityRegistry: Nullable(LowercaseAddress) },
  errors: missingFields,
})

export const setIdentityRegistry = defineStockWrite({
  id: 'setIdentityRegistry',
  path: '/manage/{tokenAddress}/identity-registry',
  summary: 'Take another identity registry',
  description:
    'Builds `setIdentityRegistry`: the registry that was announced 14 to 28 days ago decides from now on who may hold shares. Before or after that the simulation tells that it would fail.',
  body: registry,
  built: {},
  done: { identityRegistry: LowercaseAddress },
  errors: missingFields,
})

export const releaseSurplus = defineStockWrite({
  id: 'releaseSurplus',
  path: '/manage/{tokenAddress}/surplus/release',
  summary: 'Release what a split added to a pledge',
  description:
    'Builds `releaseSurplus`: shares that a split added to what an agent had frozen stay frozen until nothing of its own freeze is left; then the issuer may release them to the holder.',
  body: {
    agent: Type.Optional(Address),
    ...account,
    amount: Type.Optional(Type.String({ description: 'Decimal in shares.' })),
  },
  built: {},
  done: { agent: LowercaseAddress, account: LowercaseAddress, amount: DecimalString },
  errors: missingFields,
})

export const addAuthorizedContract = defineStockWrite({
  id: 'addAuthorizedContract',
  path: '/manage/{tokenAddress}/authorized-contract/add',
  summary: 'Authorise a contract',
  description:
    'Builds `addAuthorizedContract`: it holds, sends and receives shares without an identity, as a vault does.',
  body: account,
  built: {},
  done: { account: LowercaseAddress, action: Type.Literal('authorized') },
  errors: missingFields,
})

export const removeAuthorizedContract = defineStockWrite({
  id: 'removeAuthorizedContract',
  path: '/manage/{tokenAddress}/authorized-contract/remove',
  summary: 'Withdraw the authorisation of a contract',
  description: 'Builds `removeAuthorizedContract`.',
  body: account,
  built: {},
  done: { account: LowercaseAddress, action: Type.Literal('removed') },
  errors: missingFields,
})

export const setHoldingLimits = defineStockWrite({
  id: 'setHoldingLimits',
  path: '/manage/{tokenAddress}/compliance/limits',
  summary: 'Set holding limits',
  description:
    'Builds `setDefaultLimits`, or with `account` `setUserLimits`: how much a holder may hold at most and must hold at least. Leaving altogether is always allowed, and the default minimum does not bind authorised contracts.',
  body: { ...account, maxHolding: limitText, minHolding: limitText },
  built: {},
  done: { account: Nullable(LowercaseAddress), maxHolding: DecimalString, minHolding: DecimalString },
  errors: missingFields,
})

export const setLockup = defineStockWrite({
  id: 'setLockup',
  path: '/manage/{tokenAddress}/compliance/lockup',
  summary: 'Lock a holder up',
  description: 'Builds `setLockup`: the account sends nothing before `until`, in unix seconds. 0 clears it.',
  body: {
    ...account,
    until: Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'Unix seconds.' })),
  },
  built: {},
  done: { account: LowercaseAddress, until: Type.Integer() },
  errors: missingFields,
})

export const updateStock = defineOperation({
  ...stocks,
  id: 'updateStock',
  method: 'PATCH',
  path: '/stocks/api/manage/token/{tokenAddress}',
  scope: 'stocks:write',
  summary: 'Update the record of a token',
  description: 'Changes what your instance calls the token and where it points to. Nothing on chain.',
  params: TokenPath,
  body: Exactly({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    metadataURI: Type.Optional(Nullable(Type.String({ maxLength: 1024, description: 'https or ipfs; null: none.' }))),
  }),
  fieldCodes: tokenCode,
  legs: { write: { data: Exactly(stockRecord), errors: { ...tokenErrors, ...validationErrors } } },
})
