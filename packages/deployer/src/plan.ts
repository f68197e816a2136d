import type { Address, Hex } from 'viem'

/** One transaction, unsigned. */
export interface Step {
  readonly name: string
  readonly to: Address
  readonly data: Hex
  /** Where code stands afterwards; null: it creates nothing. */
  readonly creates: Address | null
  /** What the factory in `to` hands out afterwards; null: it changes nothing there. */
  readonly serves: { readonly kind: ServedKind; readonly implementation: Address } | null
  readonly signer: 'anyone' | 'owner'
  readonly description: string
}

/** Of the contracts behind proxies that a factory serves. */
export const implementationKinds = ['market', 'rateModel', 'insuranceFund', 'router'] as const
export type ImplementationKind = (typeof implementationKinds)[number]

/** Of the contracts behind proxies that a stock factory serves. */
export const stockKinds = ['stockToken', 'complianceModule'] as const
export type StockKind = (typeof stockKinds)[number]

export type ServedKind = ImplementationKind | StockKind

/** Lowercase addresses. The last four are implementations; proxies of them belong to markets. */
export interface LendingSuite {
  readonly factory: Address
  readonly factoryImplementation: Address
  readonly satelliteDeployer: Address
  readonly market: Address
  readonly rateModel: Address
  readonly insuranceFund: Address
  readonly router: Address
}

/** Lowercase addresses. The last two are implementations; proxies of them are the stocks of issuers. */
export interface StockSuite {
  readonly identityRegistry: Address
  readonly identityRegistryImplementation: Address
  readonly stockFactory: Address
  readonly stockFactoryImplementation: Address
  readonly stockToken: Address
  readonly complianceModule: Address
}

/** Lowercase addresses. Both vaults run the same implementation at first; each moves on when its admin says so. */
export interface TradingSuite {
  readonly stockVault: Address
  readonly commodityVault: Address
  readonly vaultImplementation: Address
  readonly signedOrderSettlement: Address
}

export interface PlannedContract {
  readonly address: Address
  /** Linked, with the arguments of the constructor. */
  readonly creation: Hex
}

export interface Plan<Suite = LendingSuite> {
  /** In the order in which they have to be sent. */
  readonly steps: readonly Step[]
  readonly suite: Suite
  /** Everything that the steps create, libraries included. */
  readonly contracts: Readonly<Record<string, PlannedContract>>
}

/** New implementations for a factory that stands already. */
export type ImplementationPlan = Omit<Plan, 'suite'> & {
  readonly implementations: Readonly<Record<ImplementationKind, Address>>
}

/** A plan that cannot be made, or not be carried out on this chain. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}
