import type { Address, Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export interface DeployArgs {
  readonly terms: {
    readonly name: string
    readonly symbol: string
    readonly isin: string
    readonly metadataURI: string
    readonly decimals: number
    readonly identityRegistry: Address
    readonly issuer: Address
    readonly legalOperator: Address
    readonly allowSubIssuers: boolean
  }
  readonly maxHolding: bigint
  readonly minHolding: bigint
  readonly salt: Hex
}

/** Which deployment is meant; what is undefined is not checked. */
export interface ExpectedDeployment {
  readonly token?: Address | undefined
  readonly issuer?: Address | undefined
  readonly isin?: string | undefined
}

export const deployStockCall = contractCall<DeployArgs, ExpectedDeployment>({
  kind: 'stockFactory',
  abi: abis.stockFactory,
  functionName: 'deployStock',
  eventName: 'StockDeployed',
  args: ({ terms, maxHolding, minHolding, salt }) => [terms, maxHolding, minHolding, salt],
  isFor: (effect, { token, issuer, isin }) =>
    (token === undefined || effect.token === token) &&
    (issuer === undefined || effect.issuer === issuer) &&
    (isin === undefined || effect.isin === isin),
})
