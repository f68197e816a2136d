import { type TObject, Type } from 'typebox'
import { Address, DecimalString, Hash, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

export const stockRoles = ['ISSUER', 'SUB_ISSUER', 'CONTROLLER', 'LEGAL_OPERATOR'] as const

/** Exactly these fields. */
export function Exactly<P extends TObject['properties']>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export const TokenPath = Type.Object({ tokenAddress: Address })
export const amountText = Type.String({ description: 'Decimal above zero, in shares, no finer than the token.' })
const integerString = { pattern: '^(0|[1-9][0-9]*)$' }
export const IntegerString = Type.String(integerString)

export const Simulation = Type.Object(
  {
    simulated: Type.Boolean({ description: 'False: the node could not simulate, and nothing below is known.' }),
    success: Type.Boolean(),
    gasUsed: Nullable(Type.String()),
    revert: Nullable(Exactly({ error: Type.String(), code: Nullable(Type.String()), message: Type.String() })),
  },
  { additionalProperties: false, description: 'What would happen if it were sent now.' },
)

const TxData = Exactly({ to: LowercaseAddress, data: Type.String(), value: Type.Literal('0') })

/** What every build answers: the transaction, and what is known about it. */
const built = {
  success: Type.Literal(true),
  txData: TxData,
  chainId: Type.Integer(),
  functionName: Type.String(),
  requiredRole: Nullable(
    Type.String({ description: 'What the signer must be. Null: anybody may sign. Of several, any one will do.' }),
  ),
  signerAddress: Nullable(
    Type.String({ description: 'A wallet of your instance that holds the role; null: none is known to.' }),
  ),
  simulation: Simulation,
  confirmWith: Exactly({ endpoint: Type.String(), field: Type.Literal('txHash') }),
} as const

/** What every write takes beside its own fields. A confirmation takes it too, to say why it is refused there. */
const signing = {
  useRelayer: Type.Optional(
    Type.Boolean({ description: 'True: the relayer of your instance signs and sends. Not together with `txHash`.' }),
  ),
} as const

export function BuildBody<P extends TObject['properties']>(properties: P) {
  return Exactly({ ...properties, ...signing })
}

export function ConfirmBody<P extends TObject['properties']>(properties: P) {
  return Exactly({ ...properties, txHash: Hash, ...signing })
}

/** The answer of a build: unsigned, or sent by the relayer. `done` is what both the relayer's answer and a confirmation say. */
export function Built<E extends TObject['properties'], D extends TObject['properties']>(extra: E, done: D) {
  return Type.Union([Exactly({ ...built, ...extra }), Relayed(done)])
}

function Relayed<D extends TObject['properties']>(done: D) {
  return Exactly({ transactionHash: Type.String(), tokenAddress: LowercaseAddress, ...done })
}

export function Confirmed<D extends TObject['properties']>(done: D) {
  return Exactly({
    transactionHash: Type.String(),
    tokenAddress: LowercaseAddress,
    ...done,
    verifiedBy: Type.Optional(
      Type.Literal('receipt-log', { description: 'Present when the call was wrapped, by a Safe for instance.' }),
    ),
  })
}

export const reasonText = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'Up to 31 bytes stand on chain as they are; of a longer text its hash, and your instance keeps the words.',
  }),
)

export const StockTerms = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  symbol: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  isin: Type.Optional(Type.String({ description: 'ISO 6166, check digit verified.' })),
  issuerAddress: Type.Optional(Address),
  metadataURI: Type.Optional(Type.String({ maxLength: 1024, description: 'https or ipfs.' })),
  legalOperatorAddress: Type.Optional(Address),
  allowSubIssuers: Type.Optional(Type.Boolean()),
} as const

/** A token as an instance has it on record. */
export const stockRecord = {
  tokenAddress: LowercaseAddress,
  name: Type.String(),
  symbol: Type.String(),
  isin: Type.String(),
  decimals: Type.Integer(),
  metadataURI: Nullable(Type.String()),
  issuerAddress: Type.String({ description: 'Who the issuer was at deployment.' }),
  instanceId: Type.String(),
  recordedAt: Instant,
} as const

export const transactionTypes = [
  'issue',
  'redeem',
  'transfer',
  'force-transfer',
  'freeze',
  'unfreeze',
  'split',
  'pause',
  'unpause',
  'recovery',
  'sub-issuer-add',
  'sub-issuer-remove',
  'controller-add',
  'controller-remove',
] as const

export const StockTransaction = Exactly({
  transactionHash: Type.String(),
  type: OneOf(transactionTypes),
  from: Nullable(LowercaseAddress),
  to: Nullable(LowercaseAddress),
  amount: Nullable(DecimalString),
  timestamp: Instant,
  reason: Nullable(Type.String({ description: 'In words, where they stand on chain or your instance keeps them.' })),
  reasonHash: Nullable(Type.String({ description: 'The 32 bytes on chain.' })),
  by: Nullable(Type.String({ description: 'Whoever ordered it, where the token says so.' })),
  splitRatio: Nullable(Exactly({ numerator: IntegerString, denominator: IntegerString })),
  blockNumber: IntegerString,
  finality: OneOf(['MINED', 'SAFE', 'FINALIZED'] as const),
  recordedByThisInstance: Type.Boolean(),
})
