import { type Log, parseAbi, parseEventLogs } from 'viem'
import type { ReceiptLog } from './call-pair.ts'

const abi = parseAbi([
  'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
])

/** True when a wrapper (a Safe, an ERC-4337 entry point) reports that the call inside it failed although the transaction succeeded. */
export function reportsInnerFailure(logs: readonly ReceiptLog[]): boolean {
  const events = parseEventLogs({ abi, logs: logs as unknown as Log[], strict: false })
  return events.some((event) => event.eventName === 'ExecutionFailure' || event.args.success === false)
}
