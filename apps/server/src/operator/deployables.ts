import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import type { Abi, Hex } from 'viem'

/** Contracts that the operator of a deployment may put on chain. A feature with contracts adds them here. */
export const deployables: Readonly<Record<string, { readonly abi: Abi; readonly bytecode: Hex }>> = {
  /** A settlement token for test networks. */
  DemoCash: { abi: demoCashAbi, bytecode: demoCashBytecode },
}
