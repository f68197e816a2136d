import type { realizationModes } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { lowered } from '../../platform/values/address.rules.ts'
import type { CollateralMode, PriceSource } from '../core/index.rules.ts'

/** A market as its factory knows it. */
export interface FactoryEntry {
  readonly address: Address
  readonly deployer: Address
  readonly deployedAt: Date
  readonly curator: Address | null
  readonly adoptedAt: Date | null
  readonly collateralToken: Address
  readonly borrowAsset: Address
  readonly oracle: Address
  readonly rateModel: Address
  readonly insuranceFund: Address
  readonly adapter: Address
  readonly router: Address
  readonly proposedProviderRegistry: Address | null
  readonly mode: CollateralMode
  readonly priceSource: PriceSource
  readonly isOpenToAnyCurator: boolean
  readonly realizationMode: (typeof realizationModes)[number]
  readonly liquidityCommitment: bigint
  readonly candidates: readonly Address[]
  /** Null: none. Undefined: the market itself did not say. */
  readonly borrowerRegistry: Address | null | undefined
}

/** The struct as it is decoded. */
interface Deployment {
  readonly deployer: Address
  readonly curator: Address
  readonly collateralToken: Address
  readonly borrowAsset: Address
  readonly oracle: Address
  readonly model: Address
  readonly fund: Address
  readonly adapter: Address
  readonly router: Address
  readonly proposedProviderRegistry: Address
  readonly mode: number
  readonly priceSource: number
  readonly isOpenToAnyCurator: boolean
  readonly realizationMode: number
  readonly deployedAt: number
  readonly adoptedAt: number
  readonly liquidityCommitment: bigint
}

const realizations: typeof realizationModes = ['UNDECLARED', 'EXCHANGE_SALE', 'ISSUER_REDEMPTION', 'AUCTION']

export const orNull = (address: string): Address | null => (address === zeroAddress ? null : lowered(address))
const dateOf = (seconds: number) => new Date(seconds * 1000)

export const realizationName = (mode: number) => realizations[mode] ?? 'UNDECLARED'
export const realizationNumber = (name: (typeof realizationModes)[number]) => realizations.indexOf(name)

export function factoryEntry(
  address: Address,
  deployment: Deployment,
  candidates: readonly Address[],
  borrowerRegistry: Address | null,
): FactoryEntry {
  return {
    address,
    deployer: lowered(deployment.deployer),
    deployedAt: dateOf(deployment.deployedAt),
    curator: orNull(deployment.curator),
    adoptedAt: deployment.adoptedAt === 0 ? null : dateOf(deployment.adoptedAt),
    collateralToken: lowered(deployment.collateralToken),
    borrowAsset: lowered(deployment.borrowAsset),
    oracle: lowered(deployment.oracle),
    rateModel: lowered(deployment.model),
    insuranceFund: lowered(deployment.fund),
    adapter: lowered(deployment.adapter),
    router: lowered(deployment.router),
    proposedProviderRegistry: orNull(deployment.proposedProviderRegistry),
    mode: deployment.mode === 0 ? 'FREEZE' : 'CUSTODY',
    priceSource: deployment.priceSource === 0 ? 'NAV' : 'MARKET',
    isOpenToAnyCurator: deployment.isOpenToAnyCurator,
    realizationMode: realizationName(deployment.realizationMode),
    liquidityCommitment: deployment.liquidityCommitment,
    candidates: candidates.map(lowered),
    borrowerRegistry: borrowerRegistry === null ? undefined : orNull(borrowerRegistry),
  }
}
