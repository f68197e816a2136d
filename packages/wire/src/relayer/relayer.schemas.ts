import { Type } from 'typebox'
import { DecimalFor, Hash, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

export const relayedStatuses = ['pending', 'confirmed', 'failed', 'replaced'] as const
export type RelayedStatus = (typeof relayedStatuses)[number]

const Wei = (description: string) => Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$', description })

/** A ceiling of nothing would be another way to freeze. */
export const GasCeiling = Type.String({
  pattern: '^[1-9][0-9]{0,76}$',
  description: 'Wei: the most that the gas of one transaction may cost, gas limit times fee.',
})

export const DailyLimit = Type.Integer({ minimum: 1, maximum: 10_000, description: 'Transactions per UTC day.' })

export const RelayerRecord = Type.Object(
  {
    chainId: Type.Integer(),
    address: LowercaseAddress,
    keySource: OneOf(['keystore', 'remote'], { description: 'Who signs: this deployment from a file, or a signer.' }),
    balance: Nullable(DecimalFor('Of the native currency; null: the chain could not be read just now.')),
    dailyTxLimit: DailyLimit,
    usedToday: Type.Integer(),
    resetsAt: Instant,
    maxGasPerTx: Nullable(GasCeiling),
    frozen: Type.Boolean(),
    frozenAt: Nullable(Instant),
    pending: Type.Integer({ description: 'Nonces whose transaction is stored and not mined yet.' }),
    oldestPendingAt: Nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { additionalProperties: false },
)

const RelayedTransactionRecord = Type.Object(
  {
    relayId: Type.String({ description: 'The same for a transaction and its replacements.' }),
    transactionHash: Hash,
    status: OneOf(relayedStatuses),
    kind: OneOf(['call', 'fill'], {
      description: 'fill: moves nothing, and only keeps the nonces without a gap.',
    }),
    purpose: Type.String(),
    from: LowercaseAddress,
    to: LowercaseAddress,
    nonce: Type.Integer(),
    gasLimit: Wei('Gas.'),
    maxFeePerGas: Wei('Wei.'),
    replacedBy: Nullable(Hash),
    reason: Nullable(Type.String({ description: 'Why it failed, or why a node has not taken it yet.' })),
    blockNumber: Nullable(Type.String()),
    gasUsed: Nullable(Type.String()),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { additionalProperties: false },
)

export const RelayedTransactionPage = Type.Object(
  {
    transactions: Type.Array(RelayedTransactionRecord),
    hasMore: Type.Boolean(),
    limit: Type.Integer(),
    nextCursor: Nullable(Type.String()),
  },
  { additionalProperties: false },
)
