import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { AssetRef, builtB, ConfirmWith, IntegerString, Simulation, signerBlock, verifiedBy } from './lending.schemas.ts'

const unread = 'null: could not be read.'

export const VaultLiquidity = Data({
  useVaultLiquidity: Type.Boolean(),
  registeredVaults: Type.Array(
    Data({
      vaultAddress: LowercaseAddress,
      drawCap: Nullable(IntegerString),
      idleAssets: Nullable(IntegerString),
      depositsPaused: Nullable(Type.Boolean()),
      drawnValue: IntegerString,
      inert: Nullable(
        Type.Boolean({ description: `Nothing can be drawn from it: the switch is off or it has no cap. ${unread}` }),
      ),
    }),
    { description: 'In the order in which they are drawn on; amounts in the smallest unit.' },
  ),
  inertHalves: Data({
    enabledWithoutVaults: Type.Boolean(),
    registeredButDisabled: Type.Boolean(),
    cappedButUnregisteredIsInvisible: Type.Literal(true),
  }),
})

const Warning = Data({
  code: OneOf(['VAULT_LIQUIDITY_OFF', 'VAULT_WITHOUT_CAP', 'VAULT_OF_OTHER_OPERATOR'] as const),
  message: Type.String(),
})

const built = { ...builtB, ...signerBlock, description: Type.String(), confirmWith: ConfirmWith } as const

const confirmed = {
  txHash: Type.String(),
  ...verifiedBy,
  functionName: Type.String(),
  signedBy: LowercaseAddress,
  at: Instant,
} as const

export const SwitchBuilt = Data({ ...built, enabled: Type.Boolean() })
export const SwitchConfirmed = Data({ ...confirmed, enabled: Type.Boolean() })
export const RegisterBuilt = Data({ ...built, vaultAddress: LowercaseAddress, warnings: Type.Array(Warning) })
export const DeregisterBuilt = Data({ ...built, vaultAddress: LowercaseAddress })
export const RegistrationConfirmed = Data({
  ...confirmed,
  vaultAddress: LowercaseAddress,
  registered: Type.Boolean(),
})
const capStep = {
  step: OneOf(['SET', 'ANNOUNCE', 'CANCEL'] as const, {
    description:
      'SET: the cap counts at once. ANNOUNCE: it can be set 14 days later, within 14 days. CANCEL: what was announced is taken back.',
  }),
  readyAt: Nullable(Instant),
} as const

export const DrawCapBuilt = Data({
  ...built,
  vaultAddress: LowercaseAddress,
  marketId: Type.String(),
  marketAddress: LowercaseAddress,
  cap: DecimalString,
  capRaw: IntegerString,
  previousCapRaw: IntegerString,
  ...capStep,
  confirmWith: Data({
    endpoint: Type.String(),
    field: Type.Literal('txHash'),
    body: Data({ marketId: Type.String(), txHash: Type.Null() }),
  }),
})
export const DrawCapConfirmed = Data({
  ...confirmed,
  vaultAddress: LowercaseAddress,
  marketId: Type.String(),
  marketAddress: LowercaseAddress,
  cap: DecimalString,
  capRaw: IntegerString,
  ...capStep,
})

const unreadVault = { readFailed: Type.Literal(true) } as const

const identity = {
  id: Nullable(Type.String({ description: "The record of your own instance; null: somebody else's vault." })),
  vaultAddress: LowercaseAddress,
  own: Type.Boolean(),
  registered: Type.Boolean(),
  positionValue: DecimalString,
} as const

export const ConnectedVaults = Data({
  useVaultLiquidity: Type.Boolean(),
  vaults: Type.Array(
    Type.Union([
      Data({
        ...identity,
        readFailed: Type.Literal(false),
        name: Type.String(),
        symbol: Type.String(),
        owner: LowercaseAddress,
        operatorMatches: Type.Boolean({ description: 'Only then the vault accepts a cap for this market.' }),
        assetAddress: LowercaseAddress,
        assetMatches: Type.Boolean(),
        assetDecimals: Type.Integer(),
        depositsPaused: Type.Boolean(),
        depositable: Type.Boolean(),
        depositRefusal: Nullable(OneOf(['DEPOSITS_PAUSED', 'MARKET_UNREADABLE'] as const)),
        sharePrice: DecimalString,
        totalAssets: DecimalString,
        idleAssets: DecimalString,
        identityRegistryAddress: Nullable(LowercaseAddress),
        drawCap: DecimalString,
        drawableNow: DecimalString,
      }),
      Data({ ...identity, ...unreadVault }),
    ]),
  ),
})

export const VaultRecord = Data({
  id: Type.String(),
  vaultAddress: LowercaseAddress,
  name: Type.String(),
  symbol: Type.String(),
  asset: AssetRef,
  deployTxHash: Type.String(),
  createdAt: Instant,
})

/** Which release a vault is of. */
export const vaultGeneration = {
  version: Type.Integer({ description: '1: a vault of the first generation.' }),
  factory: Nullable(
    Type.String({ description: 'Where its markets come from; null: from anywhere, as in the first generation.' }),
  ),
  weaknesses: Type.Array(
    Data({
      code: OneOf(['NO_REDEMPTION_WAIT', 'NO_ANNOUNCEMENTS', 'BROKEN_MARKET_STOPS_ALL'] as const),
      message: Type.String(),
      remedy: Type.String(),
    }),
    { description: 'What a vault of an earlier release cannot help. Vaults are not upgradeable.' },
  ),
} as const

const onChain = Type.Union([
  Data({
    readFailed: Type.Literal(false),
    owner: LowercaseAddress,
    depositsPaused: Type.Boolean(),
    depositorRegistry: Nullable(LowercaseAddress),
    idleAssets: DecimalString,
    totalAssets: DecimalString,
    redeemableNow: DecimalString,
    totalShares: DecimalString,
    sharePrice: DecimalString,
    markets: Type.Array(LowercaseAddress),
    ...vaultGeneration,
  }),
  Data(unreadVault),
])

export const VaultList = Data({
  vaults: Type.Array(Data({ ...VaultRecord.properties, onChain })),
})

export const VaultBuilt = Data({
  action: Type.Literal('SIGN_TRANSACTION'),
  transaction: Data({ data: Type.String() }),
  contractCreation: Type.Literal(true),
  functionName: Type.Literal('deployLendingVault'),
  value: Type.Literal('0'),
  chainId: Type.Integer(),
  simulation: Simulation,
  description: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  asset: AssetRef,
  owner: LowercaseAddress,
  factory: LowercaseAddress,
  markets: Type.Array(
    Data({ marketId: Type.String(), marketAddress: LowercaseAddress, cap: DecimalString, capRaw: IntegerString }),
    { description: 'They have their caps from the start.' },
  ),
  next: Type.String(),
  confirmWith: ConfirmWith,
})

export const VaultDeployed = Data({
  vault: VaultRecord,
  txHash: Type.String(),
  ...verifiedBy,
  signedBy: LowercaseAddress,
  owner: LowercaseAddress,
  next: Type.String(),
})
