import type { BodyOf, identityOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { latestReader } from './block-reader.ts'
import type { FindRegister, IdentityCall } from './find-register.ts'

type CheckBody = BodyOf<typeof identityOperations.checkTransfer>

const reasons: Readonly<Record<number, string>> = {
  0: 'NONE',
  1: 'SENDER_NOT_VERIFIED',
  2: 'RECEIVER_NOT_VERIFIED',
  3: 'SENDER_FROZEN',
  4: 'RECEIVER_FROZEN',
  5: 'SENDER_EXPIRED',
  6: 'RECEIVER_EXPIRED',
  10: 'MODULE_REFUSED',
  11: 'MODULE_FAILED',
}
const LARGEST = 2n ** 256n - 1n

function requireParty(field: 'from' | 'to', text: string): Address {
  const address = parseAddress(text)
  if (!address) throw fieldError('INVALID_INPUT', [{ field, message: 'has a wrong checksum' }])
  return address
}

function requireWhole(field: 'amount' | 'fromBalance' | 'toBalance', text = '0'): bigint {
  const value = BigInt(text)
  if (value > LARGEST) throw fieldError('INVALID_INPUT', [{ field, message: 'is larger than any balance' }])
  return value
}

/** What the registry would say to a transfer. */
export function createCheckTransfer(registers: FindRegister) {
  return async (call: IdentityCall, body: CheckBody) => {
    const transfer = {
      from: requireParty('from', body.from),
      to: requireParty('to', body.to),
      amount: requireWhole('amount', body.amount),
      fromBalance: requireWhole('fromBalance', body.fromBalance),
      toBalance: requireWhole('toBalance', body.toBalance),
    }
    const { register, chain } = await registers.find(call, body.registryAddress)
    const reader = latestReader(chain)
    const verdict = await register.checkTransfer(reader, transfer)
    const data = {
      registerKind: register.kind,
      registryAddress: register.address,
      allowed: verdict.allowed,
      reason: verdict.reason,
      reasonLabel: reasons[verdict.reason] ?? 'UNKNOWN',
      module: verdict.module,
      senderStatus: verdict.senderStatus,
      receiverStatus: verdict.receiverStatus,
    }
    return { data, block: reader.block() }
  }
}

export type CheckTransfer = ReturnType<typeof createCheckTransfer>
