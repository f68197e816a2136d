import { type TProperties, Type } from 'typebox'
import { transactionErrors, validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, LowercaseAddress, Nullable } from '../primitives.ts'
import { chainErrors, custodyErrors } from './custody.errors.ts'
import { ChainAmount, ChainAmountIn, CustodyPath, TradingSimulation, UnsignedTransaction } from './custody.schemas.ts'
import { Body, Data, onEveryClass, onVaultClasses, optional, trading } from './trading.operation.ts'

export const getCustodyBalance = defineOperation({
  ...trading,
  id: 'getCustodyBalance',
  method: 'GET',
  ...onEveryClass('/custody/{custodyContract}/balance/{userAddress}/{tokenAddress}'),
  scope: 'trading:read',
  summary: 'What a wallet can trade',
  description:
    'In smallest units of the token. `available` backs new orders: what the chain has (`onChainAvailable`) less what open orders, staged trades and quotes hold (`reserved`). In a vault only committed balance counts.',
  params: Type.Object({ ...CustodyPath.properties, userAddress: Address, tokenAddress: Address }),
  fieldCodes: {
    custodyContract: 'VALIDATION_ERROR',
    userAddress: 'VALIDATION_ERROR',
    tokenAddress: 'VALIDATION_ERROR',
  },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        total: ChainAmount,
        locked: Type.String({ description: 'Part of `total` that the chain does not let trade.' }),
        onChainAvailable: ChainAmount,
        reserved: ChainAmount,
        available: ChainAmount,
        vault: Nullable(
          Data({
            free: Type.String({ description: 'Can be withdrawn or committed.' }),
            committed: Type.String({ description: 'Can be spent by settlements.' }),
            requested: Type.String({ description: 'Part of the committed that was asked back.' }),
            readyAt: Nullable(Type.Integer({ description: 'Unix seconds at which it is free.' })),
          }),
        ),
      }),
      errors: { ...validationErrors, ...chainErrors, ...custodyErrors },
    },
  },
})

const Step = Data({
  transaction: UnsignedTransaction,
  functionName: Type.String(),
  description: Type.String(),
})

/** One call of a trader on the vault: built unsigned, or confirmed by its hash. */
function defineVaultCall<const I extends string, const P extends string, B extends TProperties>(
  id: I,
  path: P,
  { summary, description, body }: { summary: string; description: string; body: B },
) {
  return defineOperation({
    ...trading,
    id,
    method: 'POST',
    ...onVaultClasses(`/custody/{custodyContract}/${path}`),
    scope: 'trading:write',
    summary,
    description: `${description} Signed by \`userAddress\`. With \`txHash\`: confirms it; amounts are then cross-checks.`,
    params: CustodyPath,
    fieldCodes: { custodyContract: 'VALIDATION_ERROR' },
    unreadable: 'CHAIN_UNAVAILABLE',
    legs: {
      build: {
        body: Body({ userAddress: Address, tokenAddress: Address, ...body }),
        data: Data({
          action: Type.Literal('SIGN_TRANSACTIONS'),
          steps: Type.Array(Step, { description: 'In order; the last one is confirmed.' }),
          simulation: TradingSimulation,
          requiredSigner: LowercaseAddress,
          confirmWith: Data({ endpoint: Type.String(), field: Type.Literal('txHash') }),
        }),
        errors: { ...validationErrors, ...chainErrors, ...custodyErrors },
      },
      confirm: {
        body: Body({ userAddress: Address, tokenAddress: Address, ...body, txHash: Hash }),
        data: Data({
          txHash: Type.String(),
          custodyContract: LowercaseAddress,
          userAddress: LowercaseAddress,
          tokenAddress: LowercaseAddress,
          amount: Nullable(ChainAmount),
          readyAt: optional(Type.Integer({ description: 'Unix seconds at which what was asked back is free.' })),
          verifiedBy: optional(Type.Literal('receipt-log')),
        }),
        errors: { ...validationErrors, ...transactionErrors, ...custodyErrors },
      },
    },
  })
}

export const depositToCustody = defineVaultCall('depositToCustody', 'deposit', {
  summary: 'Bring tokens into the vault',
  description:
    'The allowance comes first where it is short. `commit` also commits them, so that they can back orders at once.',
  body: { amount: ChainAmountIn, commit: optional(Type.Boolean()) },
})

export const commitInCustody = defineVaultCall('commitInCustody', 'commit', {
  summary: 'Commit free balance',
  description: 'Committed balance backs orders; settlements of orders that the trader signed may spend it.',
  body: { amount: ChainAmountIn },
})

export const requestCustodyWithdrawal = defineVaultCall('requestCustodyWithdrawal', 'request-withdrawal', {
  summary: 'Ask committed balance back',
  description: 'Free after one day; it backs no new orders from now on.',
  body: { amount: ChainAmountIn },
})

export const cancelCustodyWithdrawal = defineVaultCall('cancelCustodyWithdrawal', 'cancel-withdrawal', {
  summary: 'Keep committed what was asked back',
  description: 'All of it.',
  body: {},
})

export const withdrawFromCustody = defineVaultCall('withdrawFromCustody', 'withdraw', {
  summary: 'Take free balance out of the vault',
  description: 'To the wallet that signs.',
  body: { amount: ChainAmountIn },
})
