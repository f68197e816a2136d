import type { NodeArguments } from '../engine.ts'
import { dumpIntervalSeconds } from './state-copies.ts'

interface AnvilArguments extends Omit<NodeArguments, 'folder'> {
  stateFile?: string
  stateBytes?: number
}

/** Contract reads at older blocks than this are refused. */
const statesInMemory = '256'

export function nodeArguments(node: AnvilArguments): string[] {
  const args = ['--host', '127.0.0.1', '--port', String(node.port), '--chain-id', String(node.chainId)]
  // Set at start and not by a call afterwards: a block may be mined before such a call arrives.
  args.push('--timestamp', String(node.startsAt))
  args.push('--slots-in-an-epoch', '1', '--order', 'fifo', '--quiet')
  if (node.stateFile) {
    args.push('--state', node.stateFile, '--state-interval', String(dumpIntervalSeconds(node.stateBytes ?? 0)))
    args.push('--prune-history', statesInMemory)
  } else {
    // Old states would be written to the home folder, about a megabyte for each block of a long chain.
    args.push('--max-persisted-states', '0')
  }
  if (node.blockTimeSeconds !== undefined) args.push('--block-time', String(node.blockTimeSeconds), '--mixed-mining')
  if (node.mnemonic !== undefined) args.push('--mnemonic', node.mnemonic)
  if (node.accounts !== undefined) args.push('--accounts', String(node.accounts))
  if (node.gasLimit !== undefined) args.push('--gas-limit', String(node.gasLimit))
  if (node.keepsTransactionsOfBlocks !== undefined)
    args.push('--transaction-block-keeper', String(node.keepsTransactionsOfBlocks))
  return args
}
