import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import type { Abi, Hex } from 'viem'

export interface Deployable {
  readonly abi: Abi
  readonly bytecode: Hex
  /** The view that tells what the constructor was given, per argument; or any value, for one that leaves no trace in the code. */
  readonly given: readonly ({ readonly view: string } | { readonly any: unknown })[]
}

/** Contracts that the operator of a deployment may put on chain one by one. A feature with such contracts adds them here. */
export const deployables: Readonly<Record<string, Deployable>> = {
  /** A settlement token for test networks. */
  DemoCash: {
    abi: demoCashAbi,
    bytecode: demoCashBytecode,
    given: [
      { view: 'name' },
      { view: 'symbol' },
      { view: 'decimals' },
      { any: '0x000000000000000000000000000000000000dead' },
    ],
  },
}
