import { type Address, isAddressEqual, type Log, parseAbi, parseEventLogs } from 'viem'
import type { ReceiptLog } from './call-pair.ts'

const abi = parseAbi([
  'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
])

/** True when a wrapper (a Safe, an ERC-4337 entry point) reports that the call inside it failed although the transaction succeeded. */
function reportsInnerFailure(logs: readonly ReceiptLog[]): boolean {
  const events = parseEventLogs({ abi, logs: logs as unknown as Log[], strict: false })
  return events.some((event) => event.eventName === 'ExecutionFailure' || event.args.success === false)
}

interface Unproven {
  readonly ok: false
  readonly code: 'TX_REVERTED' | 'TX_WRONG_TARGET' | 'TX_NOT_VERIFIED'
  readonly detail?: string
}

/**
 * Why a wrapped call that succeeded proves nothing. A bundle holds operations of strangers too: where the contract did something in it,
 * a failure that the bundle reports need not be that of the call that is meant.
 */
export function unprovenBy(logs: readonly ReceiptLog[], target: Address): Unproven {
  const touched = logs.some((log) => isAddressEqual(log.address, target))
  const failed = reportsInnerFailure(logs)
  if (touched && failed)
    return {
      ok: false,
      code: 'TX_NOT_VERIFIED',
      detail: 'A call inside the transaction failed, and what the contract did in the others is not what is claimed.',
    }
  if (touched) return { ok: false, code: 'TX_NOT_VERIFIED' }
  if (!failed) return { ok: false, code: 'TX_WRONG_TARGET' }
  return {
    ok: false,
    code: 'TX_REVERTED',
    detail: 'The transaction was mined, but the call inside it failed, so nothing happened on chain.',
  }
}
