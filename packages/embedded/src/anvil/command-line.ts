import { dumpIntervalSeconds } from './state-copies.ts'

export interface NodeArguments {
  port: number
  chainId: number
  /** Seconds; the clock of the chain runs on from here. */
  startsAt: number
  state: { bytes: number }
  stateFile?: string
  blockTimeSeconds?: number
  mnemonic?: string
  extraArgs?: string[]
}

/** Contract reads at older blocks than this are refused; blocks, receipts and logs are kept for ever. */
const statesInMemory = '256'

export function nodeArguments(node: NodeArguments): string[] {
  const args = ['--host', '127.0.0.1', '--port', String(node.port), '--chain-id', String(node.chainId)]
  // Set at start and not by a call afterwards: a block may be mined before such a call arrives.
  args.push('--timestamp', String(node.startsAt))
  args.push('--slots-in-an-epoch', '1', '--order', 'fifo', '--quiet')
  if (node.stateFile) {
    args.push('--state', node.stateFile, '--state-interval', String(dumpIntervalSeconds(node.state.bytes)))
    args.push('--prune-history', statesInMemory)
  } else {
    // Old states would be written to the home folder, about a megabyte for each block of a long chain.
    args.push('--max-persisted-states', '0')
  }
  if (node.blockTimeSeconds !== undefined) args.push('--block-time', String(node.blockTimeSeconds), '--mixed-mining')
  if (node.mnemonic !== undefined) args.push('--mnemonic', node.mnemonic)
  return [...args, ...(node.extraArgs ?? [])]
}
