import type { Address } from 'viem'
import type { PriceSource } from '../core/index.rules.ts'
import type { GatesState } from './identity-gates.reads.ts'

/** The first implementation with a register each for borrowers and providers. */
const TWO_REGISTERS_SINCE = 2

export const generationOf = (version: number) =>
  version >= TWO_REGISTERS_SINCE ? ('TWO_REGISTERS' as const) : ('SINGLE_REGISTER' as const)

/** The gates of a market as the interface shows them. */
export function shownGates(marketAddress: Address, priceSource: PriceSource, gates: GatesState) {
  const generation = generationOf(gates.version)
  const isCurrent = generation === 'TWO_REGISTERS'
  return {
    marketAddress,
    generation,
    adjustable: isCurrent && gates.curator !== null,
    upgradeRequired: !isCurrent,
    pendingCurator: gates.curator === null,
    priceSource,
    borrowerRegistry: gates.borrower,
    providerRegistry: gates.provider,
    operatorOnlyLiquidity: isCurrent && gates.vaults.length === 0,
    borrowerGateRequired: priceSource === 'MARKET',
    providerGateRequired: false,
    vaultOnlyLiquidity: isCurrent,
    providerGateReadBy: isCurrent ? ('VAULTS' as const) : ('MARKET' as const),
    borrower: { address: gates.borrower, ...gates.borrowerShape },
    provider: { address: gates.provider, ...gates.providerShape },
  }
}
