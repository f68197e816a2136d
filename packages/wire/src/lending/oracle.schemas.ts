import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { IntegerString, UnixSeconds } from './lending.schemas.ts'

const optional = Type.Optional
const YEAR_9999 = 253_402_300_799

/** A price as people write it; the borrow asset's decimals bound how fine it may be. */
export const PriceInput = Type.String({
  maxLength: 80,
  description: 'Decimal above zero: borrow asset per whole collateral token.',
})

/** What somebody signed off chain, exactly as it was signed. */
export const signedPrice = {
  price: Type.String({ pattern: '^(0|[1-9][0-9]{0,76})$', description: 'Smallest units per whole collateral token.' }),
  timestamp: Type.Integer({ minimum: 0, maximum: YEAR_9999, description: 'Unix seconds.' }),
  validUntil: Type.Integer({ minimum: 0, maximum: YEAR_9999, description: 'Unix seconds.' }),
  signature: Type.String({ pattern: '^0x[0-9a-fA-F]{130}$', description: '65 bytes.' }),
} as const

/** A signed price that was reported; `pushedTxHash` is known once it reached the oracle. */
const attested = {
  id: Type.String(),
  price: DecimalString,
  attestedAt: Instant,
  validUntil: Instant,
  signer: LowercaseAddress,
  source: Type.Literal('API'),
  pushedTxHash: Nullable(Type.String()),
  pushedAt: Nullable(Instant),
} as const

export const PriceAttestation = Data({
  ...attested,
  price: IntegerString,
  priceDecimal: DecimalString,
  createdAt: Instant,
})

export const SignedHistoryRow = Data({ ...attested, priceWei: IntegerString })

export const PushedHistoryRow = Data({
  id: Type.String(),
  price: DecimalString,
  priceWei: IntegerString,
  previousPrice: Nullable(DecimalString),
  updater: LowercaseAddress,
  txHash: Type.String(),
  blockNumber: Type.String(),
  pushedAt: Instant,
})

/** Every figure is null together with `readFailed`: what could not be read is never made up. */
export const OracleStatus = Data({
  configured: Type.Boolean({ description: 'The oracle answers. False only together with `readFailed`.' }),
  oracleAddress: LowercaseAddress,
  price: Nullable(DecimalString),
  priceRaw: Nullable(IntegerString),
  timestamp: Nullable(UnixSeconds),
  lastUpdate: Nullable(Instant),
  isStale: Nullable(Type.Boolean()),
  priceAge: Nullable(Type.Integer({ description: 'Seconds.' })),
  maxPriceAge: Nullable(Type.Integer({ description: 'Seconds.' })),
  maxDeviationBps: Nullable(Type.Integer()),
  owner: Nullable(LowercaseAddress),
  ownerIsInstanceWallet: Nullable(Type.Boolean()),
  signerAddress: Nullable(LowercaseAddress),
  signerAuthorized: Nullable(Type.Boolean()),
  priceSigner: Nullable(LowercaseAddress),
  priceSignerAuthorized: Nullable(Type.Boolean()),
  readFailed: optional(Type.Literal(true)),
  error: optional(Type.String()),
})

const Field = Data({ name: Type.String(), type: Type.String() })

/** EIP-712, ready for `eth_signTypedData_v4`. */
export const PriceTypedData = Data({
  domain: Data({
    name: Type.Literal('SecurityPriceOracle'),
    version: Type.Literal('1'),
    chainId: Type.Integer(),
    verifyingContract: LowercaseAddress,
  }),
  types: Data({ EIP712Domain: Type.Array(Field), PriceUpdate: Type.Array(Field) }),
  primaryType: Type.Literal('PriceUpdate'),
  message: Data({ price: IntegerString, timestamp: Type.String(), validUntil: Type.String() }),
})
