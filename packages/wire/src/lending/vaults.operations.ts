import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, Line } from '../primitives.ts'
import { Body, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import {
  confirmVaultErrors,
  connectedVaultsErrors,
  deployVaultErrors,
  deregisterBuildErrors,
  drawCapBuildErrors,
  drawCapConfirmErrors,
  registerBuildErrors,
  registerConfirmErrors,
  switchBuildErrors,
  switchConfirmErrors,
  vaultLiquidityReadErrors,
  vaultsUnreadableErrors,
} from './vaults.errors.ts'
import {
  ConnectedVaults,
  DeregisterBuilt,
  DrawCapBuilt,
  DrawCapConfirmed,
  RegisterBuilt,
  RegistrationConfirmed,
  SwitchBuilt,
  SwitchConfirmed,
  VaultBuilt,
  VaultDeployed,
  VaultLiquidity,
  VaultList,
} from './vaults.schemas.ts'

export * from './vault-markets.operations.ts'
export * from './vault-money.operations.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const optional = Type.Optional

export const getVaultLiquidity = defineOperation({
  ...lendingPath('/markets/{marketId}/vault-liquidity'),
  id: 'getVaultLiquidity',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get vault liquidity',
  description:
    'Which vaults the market draws on when its own pool is short. Three things have to come together: the switch, the registration, and a cap that the vault grants.',
  ...ofMarket,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: { read: { data: VaultLiquidity, errors: vaultLiquidityReadErrors } },
})

const enabled = Type.Boolean({ description: 'Required to build.' })

export const setVaultLiquidity = defineOperation({
  ...lendingPath('/markets/{marketId}/vault-liquidity'),
  id: 'setVaultLiquidity',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Switch vault liquidity',
  description:
    'Lets the market draw on its registered vaults, or stops it. The market admin signs. With `txHash`: confirms it; `enabled` is then a cross-check.',
  ...ofMarket,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { body: Body({ enabled }), data: SwitchBuilt, errors: switchBuildErrors },
    confirm: {
      body: Body({ enabled: optional(enabled), txHash: Hash }),
      data: SwitchConfirmed,
      errors: switchConfirmErrors,
    },
  },
})

const registration = {
  params: MarketPath,
  fieldCodes: { ...marketIdCode, vaultAddress: 'INVALID_VAULT' },
  unreadable: 'MARKET_STATE_UNAVAILABLE',
} as const
// Left out where it is needed it is missing, which is no invalid vault: the build says so itself.
const vaultAddress = optional(Address)
const namingVault = { build: Body({ vaultAddress }), confirm: Body({ vaultAddress, txHash: Hash }) } as const

export const registerVault = defineOperation({
  ...lendingPath('/markets/{marketId}/vault-liquidity/register'),
  id: 'registerVault',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Register a vault',
  description:
    'Puts a vault at the end of those that the market draws on. The market admin signs. With `txHash`: confirms it; `vaultAddress` is then a cross-check.',
  ...registration,
  legs: {
    build: { body: namingVault.build, data: RegisterBuilt, errors: registerBuildErrors },
    confirm: { body: namingVault.confirm, data: RegistrationConfirmed, errors: registerConfirmErrors },
  },
})

export const deregisterVault = defineOperation({
  ...lendingPath('/markets/{marketId}/vault-liquidity/deregister'),
  id: 'deregisterVault',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Deregister a vault',
  description:
    'Takes a vault out; the last one takes its place in the order. Its pool shares stay its own. The market admin signs. With `txHash`: confirms it.',
  ...registration,
  legs: {
    build: { body: namingVault.build, data: DeregisterBuilt, errors: deregisterBuildErrors },
    confirm: { body: namingVault.confirm, data: RegistrationConfirmed, errors: registerConfirmErrors },
  },
})

export const listConnectedVaults = defineOperation({
  ...lendingPath('/markets/{marketId}/connected-vaults'),
  id: 'listConnectedVaults',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List connected vaults',
  description:
    'The registered vaults of the market in the order of draws, then your own vaults that hold the same asset.',
  ...ofMarket,
  unreadable: 'VAULTS_UNREADABLE',
  legs: { read: { data: ConnectedVaults, errors: connectedVaultsErrors } },
})

export const listVaults = defineOperation({
  ...lendingPath('/vaults'),
  id: 'listVaults',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List vaults',
  description: 'The vaults that your instance recorded, newest first, and what the chain says of them now.',
  unreadable: 'VAULTS_UNREADABLE',
  legs: { read: { data: VaultList, errors: vaultsUnreadableErrors } },
})

const newVault = {
  name: Line(64),
  symbol: Line(16),
  assetAddress: Type.String({ description: 'The token that it holds. Required to build.' }),
  owner: optional(
    Type.String({
      description:
        'Default: the primary wallet of your instance. It must be the operator wallet of the markets that the vault serves.',
    }),
  ),
  markets: optional(
    Type.Array(
      Body({
        marketId: Type.String({ maxLength: 100 }),
        cap: Type.String({ description: 'Decimal, in whole units of the asset.' }),
      }),
      {
        maxItems: 16,
        description:
          'Markets that the vault serves from the start. Those that come later are announced and wait 14 days.',
      },
    ),
  ),
} as const

export const deployVault = defineOperation({
  ...lendingPath('/vaults/deploy'),
  id: 'deployVault',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Deploy a vault',
  description:
    'Builds the creation of a vault that takes the money of investors and lends it to markets of its owner. With `txHash`: proves by its code that the vault stands, and records it; other fields are then ignored.',
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: { body: Body(newVault), data: VaultBuilt, errors: deployVaultErrors },
    confirm: { body: withHash(newVault), data: VaultDeployed, errors: confirmVaultErrors },
  },
})

const marketId = Type.String({ maxLength: 100 })
const cap = Type.String({ description: 'Decimal, in whole units of the asset. Required to build.' })

export const setDrawCap = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/draw-cap'),
  id: 'setDrawCap',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Set a draw cap',
  description:
    'How much of the vault a market may hold at most; 0 stops further draws. The owner of the vault signs, who must be the operator of the market. A lower cap counts at once. A higher one, or the first of a market, takes two steps: the first request builds the announcement, and the same request builds the cap itself once `readyAt` has come, for 14 days. 0 for a market without a cap takes an announcement back. With `txHash`: confirms either step; `cap` is then a cross-check.',
  params: Type.Object({ vaultAddress: Address }),
  fieldCodes: { vaultAddress: 'INVALID_ADDRESS' },
  unreadable: 'VAULTS_UNREADABLE',
  legs: {
    build: { body: Body({ marketId, cap }), data: DrawCapBuilt, errors: drawCapBuildErrors },
    confirm: {
      body: Body({ marketId, cap: optional(cap), txHash: Hash }),
      data: DrawCapConfirmed,
      errors: drawCapConfirmErrors,
    },
  },
})
