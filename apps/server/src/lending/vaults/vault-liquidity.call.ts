import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** What is meant; what is not named is not checked. */
export interface ExpectedSwitch {
  readonly enabled?: boolean
}

export const setVaultLiquidityCall = contractCall<{ enabled: boolean }, ExpectedSwitch>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setVaultLiquidity',
  eventName: 'VaultLiquidityUpdated',
  args: ({ enabled }) => [enabled],
  isFor: (effect, { enabled }) => enabled === undefined || effect.isEnabled === enabled,
})

export interface ExpectedVault {
  readonly vault?: Address
}

const registration = (functionName: string, eventName: string) =>
  contractCall<{ vault: Address }, ExpectedVault>({
    kind: 'market',
    abi: abis.market,
    functionName,
    eventName,
    args: ({ vault }) => [vault],
    isFor: (effect, { vault }) => vault === undefined || effect.vault === vault,
  })

export const registerVaultCall = registration('registerVault', 'VaultRegistered')
export const deregisterVaultCall = registration('deregisterVault', 'VaultDeregistered')
