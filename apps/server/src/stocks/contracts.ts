import {
  complianceModuleAbi,
  controlModuleAbi,
  issuanceModuleAbi,
  refusalModuleAbi,
  setupModuleAbi,
  splitModuleAbi,
  stockFactoryAbi,
  stockTokenAbi,
} from '@tallystick/abi'
import type { Abi } from 'viem'
import type { CallKinds } from '../platform/chain/call-pair.ts'
import { eventKinds } from '../platform/chain/event-facts.ts'

/** The kinds of contracts that belong to a stock token. A fact is called `<kind>.<event>`. */
export const abis = {
  stock: stockTokenAbi,
  stockFactory: stockFactoryAbi,
  stockCompliance: complianceModuleAbi,
} as const satisfies Record<string, Abi>

/** Libraries that run inside the token: they refuse in words of their own. */
export const libraryAbis: readonly Abi[] = [
  controlModuleAbi,
  issuanceModuleAbi,
  refusalModuleAbi,
  setupModuleAbi,
  splitModuleAbi,
]

/** Every event of these contracts, for the follower. */
export const stocksKinds: CallKinds = eventKinds(abis)
