import { Type } from 'typebox'
import { transactionErrors, validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalFor, DecimalString, Hash, LowercaseAddress, Nullable } from '../primitives.ts'
import { defineStockWrite, stocks } from './stock-write.ts'
import { arrayErrors, buildErrors, factoryErrors, missingFields, ratioErrors } from './stocks.errors.ts'
import {
  amountText,
  BuildBody,
  Built,
  ConfirmBody,
  Confirmed,
  Exactly,
  IntegerString,
  reasonText,
  StockTerms,
} from './stocks.schemas.ts'

const deployed = { name: Type.String(), symbol: Type.String(), isin: Type.String() } as const
const recorded = {
  ...deployed,
  instanceId: Type.String(),
  imported: Type.Boolean({
    description:
      'Whether the token is an active import of your instance. False: there are 200 already, or you revoked it.',
  }),
} as const
const limit = Type.Optional(Type.String({ description: 'Decimal in shares; omitted or 0: no limit.' }))

const deployment = {
  ...StockTerms,
  deployerAddress: Type.Optional(Address),
  identityRegistryAddress: Type.Optional(Address),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 18, description: '18 by default.' })),
  maxHolding: limit,
  minHolding: limit,
  salt: Type.Optional(Hash),
} as const

export const deployStock = defineOperation({
  ...stocks,
  id: 'deployStock',
  method: 'POST',
  path: '/stocks/api/tokenization/deploy',
  scope: 'stocks:write',
  summary: 'Deploy a stock token',
  description:
    'Builds the one transaction in which the factory makes the token and its compliance module, both initialised. `tokenAddress` is where it will stand when `deployerAddress` signs. With `txHash`: confirms it, records the token and imports it.',
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: {
      body: BuildBody(deployment),
      data: Built(
        {
          tokenAddress: LowercaseAddress,
          deployerAddress: LowercaseAddress,
          factoryAddress: LowercaseAddress,
          identityRegistry: LowercaseAddress,
          salt: Type.String({ description: 'What the factory is given.' }),
        },
        deployed,
      ),
      errors: { ...buildErrors, ...missingFields, ...factoryErrors },
    },
    confirm: {
      body: ConfirmBody(deployment),
      data: Confirmed(recorded),
      errors: { ...validationErrors, ...factoryErrors, ...transactionErrors },
    },
  },
})

export const logStockDeployment = defineOperation({
  ...stocks,
  id: 'logStockDeployment',
  method: 'POST',
  path: '/stocks/api/tokenization/log-deploy',
  scope: 'stocks:write',
  summary: 'Log a deployment',
  description:
    'Proves that the factory made this token in this transaction, records it for your instance and imports it. A token that is not logged is not found.',
  body: Exactly({ tokenAddress: Type.Optional(Address), ...StockTerms, deployTxHash: Type.Optional(Hash) }),
  legs: {
    confirm: {
      data: Confirmed(recorded),
      errors: { ...validationErrors, ...missingFields, ...factoryErrors, ...transactionErrors },
    },
  },
})

export const issueShares = defineStockWrite({
  id: 'issueShares',
  path: '/tokenization/{tokenAddress}/issue',
  summary: 'Issue shares',
  description: 'Builds `issue`: by the issuer, or by a sub-issuer within its cap. The recipient must be verified.',
  body: { recipient: Type.Optional(Address), amount: Type.Optional(amountText), reason: reasonText },
  built: {},
  done: { recipient: LowercaseAddress, amount: DecimalString },
  errors: missingFields,
})

export const batchIssueShares = defineStockWrite({
  id: 'batchIssueShares',
  path: '/tokenization/{tokenAddress}/batch-issue',
  summary: 'Issue shares to many',
  description:
    'Builds `batchIssue` for up to 200 recipients. It stops early when gas runs short: what is confirmed is what was issued.',
  body: {
    recipients: Type.Optional(Type.Array(Address, { minItems: 1, maxItems: 200 })),
    amounts: Type.Optional(Type.Array(amountText, { minItems: 1, maxItems: 200 })),
    reason: reasonText,
  },
  built: {
    gasLimit: Nullable(
      Type.String({
        description:
          'What to send it with: estimates of wallets find the least gas that does not fail, which is not enough for all. Null: unknown.',
      }),
    ),
  },
  done: { recipientCount: Type.Integer(), totalIssued: DecimalString },
  errors: { ...missingFields, ...arrayErrors },
})

export const redeemShares = defineStockWrite({
  id: 'redeemShares',
  path: '/tokenization/{tokenAddress}/redeem',
  summary: 'Redeem shares',
  description:
    'Builds `redeemFrom`: burns shares of a holder that are not frozen. The issuer redeems from anybody; a sub-issuer its own shares, or those of a holder who gave it an allowance (`approve`), under the rules for a sender.',
  body: { account: Type.Optional(Address), amount: Type.Optional(amountText), reason: reasonText },
  built: {},
  done: { account: LowercaseAddress, amount: DecimalString },
  errors: missingFields,
})

const ratio = { numerator: Type.Optional(Type.Integer()), denominator: Type.Optional(Type.Integer()) } as const
const maxHolders = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many holders one transaction converts.' }),
)
const converted = {
  completed: Type.Boolean({ description: 'False: go on with stock-split/continue; nothing else moves until then.' }),
  holdersLeft: IntegerString,
} as const

export const splitStock = defineStockWrite({
  id: 'splitStock',
  path: '/tokenization/{tokenAddress}/stock-split',
  summary: 'Split the stock',
  description:
    'Builds `stockSplit`, forward only: every holder gets floor(balance x numerator / denominator). What one transaction cannot convert, the following `steps` do.',
  body: { ...ratio, maxHolders },
  built: {
    holders: IntegerString,
    holdersPerTransaction: Type.Integer(),
    newTotalSupply: DecimalFor('What the supply will be, short of what rounding down leaves.'),
    steps: Type.Array(
      Exactly({
        to: LowercaseAddress,
        data: Type.String(),
        value: Type.Literal('0'),
        chainId: Type.Integer(),
        functionName: Type.String(),
        description: Type.String(),
      }),
      { description: 'All transactions in order, the first of them being `txData`; empty when one will do.' },
    ),
  },
  done: { numerator: IntegerString, denominator: IntegerString, ...converted },
  errors: { ...missingFields, ...ratioErrors },
  fieldCodes: { numerator: 'INVALID_RATIO', denominator: 'INVALID_RATIO' },
})

export const continueSplit = defineStockWrite({
  id: 'continueSplit',
  path: '/tokenization/{tokenAddress}/stock-split/continue',
  summary: 'Continue a split',
  description: 'Builds `continueSplit`, which converts further holders of a split that is under way. Anybody may sign.',
  body: { maxHolders },
  built: { holdersLeft: IntegerString, holdersPerTransaction: Type.Integer() },
  done: converted,
  errors: {},
})
