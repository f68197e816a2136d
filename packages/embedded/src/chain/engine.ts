import type { SupervisedProcessOptions } from '../supervised-process.ts'

/** Which program runs the chain. Nothing outside of this folder knows more of it than the name. */
export type EngineName = 'anvil' | 'edr'

/**
 * fresh: no chain yet. kept: it goes on where it was. previous: its newest file was not complete, the one before it is used.
 * lost: nothing was usable, the chain starts empty.
 */
export type Restoration = 'fresh' | 'kept' | 'previous' | 'lost'

export interface RestoredState {
  restoration: Restoration
  /** Seconds; undefined when the chain starts empty. */
  latestTimestamp?: number
}

export interface NodeArguments {
  port: number
  chainId: number
  /** Seconds; the clock of the chain runs on from here. */
  startsAt: number
  /** Without one the chain lives in memory only. */
  folder?: string
  blockTimeSeconds?: number
  mnemonic?: string
  /** How many accounts of the phrase have funds and are signed for; ten when not given. */
  accounts?: number
  /** Of a block; 30 million when not given. */
  gasLimit?: number
  /** A node that can forget the transactions of older blocks does; for runs of millions of them. */
  keepsTransactionsOfBlocks?: number
}

export interface ChainEngine {
  readonly name: EngineName
  isInstalled(): boolean
  /** Its environment is added to the little that every node gets. */
  command(node: NodeArguments): Pick<SupervisedProcessOptions, 'binary' | 'args'> & { env?: NodeJS.ProcessEnv }
  /** Whether a command line is one of this engine; of the chain in that folder, when one is given. */
  isNode(command: string, folder?: string): boolean
  /** Whether a folder holds a chain of this engine. */
  hasChain(folder: string): boolean
  /** Puts what a kill may have damaged in order, makes old files small, and says what is left. */
  restore(folder: string): RestoredState
  /** What has to go on beside a running node. */
  accompany?(folder: string): { stop(): void }
  /** Whether a running chain has become so large that it should be stopped, restored and started again. */
  hasOutgrown(folder: string, pid: number): boolean
  /** Files of a dump, as the node gives it, in an empty folder. */
  place(folder: string, dump: string): void
}
