import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export interface DeployArgs {
  readonly collateralToken: Address
  readonly borrowAsset: Address
  readonly mode: 0 | 1
  readonly priceSource: 0 | 1
  readonly initialPrice: bigint
  readonly fallbackDecimals: number
  readonly borrowerRegistry: Address
  readonly providerRegistry: Address
  readonly candidates: readonly Address[]
  readonly isOpenToAnyCurator: boolean
  readonly curve: { baseBps: number; multiplierBps: number; jumpBps: number; kinkBps: number }
  readonly offer: { mode: 0 | 1 | 2; floorBps: number; capBps: number; fixedBps: number }
  readonly maxLoanDuration: number
  readonly gracePeriod: number
  readonly terminalDueAt: number
  readonly assetDataHash: `0x${string}`
}

/** Which deployment is meant; a field that is not named is not checked. */
export interface ExpectedDeployment {
  readonly collateralToken?: Address
  readonly market?: Address
}

export const deployMarketCall = contractCall<DeployArgs, ExpectedDeployment>({
  kind: 'factory',
  abi: abis.factory,
  functionName: 'deployMarket',
  eventName: 'MarketDeployed',
  args: (params) => [params],
  isFor: (effect, { collateralToken, market }) =>
    (collateralToken === undefined || effect.collateralToken === collateralToken) &&
    (market === undefined || effect.market === market),
})
