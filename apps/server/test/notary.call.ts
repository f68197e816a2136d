import { notaryAbi } from '@tallystick/abi/testing'
import { type Address, encodeFunctionData, type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem'
import type { CallKinds, CallPair, ReceiptLog } from '../src/platform/chain/call-pair.ts'
import { explainReverts } from '../src/platform/chain/reverts.ts'

export type NoteRecorded = { id: Hex; amount: string; by: string }
export type NoteErased = { id: Hex; by: string }

const emittedBy = (target: Address, logs: readonly ReceiptLog[]) =>
  logs.filter((log) => isAddressEqual(log.address, target)) as unknown as Log<bigint, number, false>[]

export const recordNote: CallPair<{ id: Hex; amount: bigint }, NoteRecorded, { id: Hex; amount: string }> = {
  operation: 'recordNote',
  abi: notaryAbi,
  functionName: 'record',
  prepare: (to, { id, amount }) => ({
    to,
    data: encodeFunctionData({ abi: notaryAbi, functionName: 'record', args: [id, amount] }),
    value: 0n,
  }),
  settle: (target, logs) =>
    parseEventLogs({ abi: notaryAbi, eventName: 'Recorded', logs: emittedBy(target, logs) }).map((event) => ({
      logIndex: event.logIndex,
      effect: { id: event.args.id, amount: event.args.amount.toString(), by: event.args.by.toLowerCase() },
    })),
  isCallFor: ([id, amount], expected) => id === expected.id && String(amount) === expected.amount,
  isFor: (effect, expected) => effect.id === expected.id && effect.amount === expected.amount,
}

export const eraseNote: CallPair<{ id: Hex }, NoteErased> = {
  operation: 'eraseNote',
  abi: notaryAbi,
  functionName: 'erase',
  prepare: (to, { id }) => ({
    to,
    data: encodeFunctionData({ abi: notaryAbi, functionName: 'erase', args: [id] }),
    value: 0n,
  }),
  settle: (target, logs) =>
    parseEventLogs({ abi: notaryAbi, eventName: 'Erased', logs: emittedBy(target, logs) }).map((event) => ({
      logIndex: event.logIndex,
      effect: { id: event.args.id, by: event.args.by.toLowerCase() },
    })),
  isCallFor: ([id], expected) => id === expected.id,
  isFor: (effect, expected) => effect.id === expected.id,
}

export const notaryKinds: CallKinds = { notary: [recordNote, eraseNote] }

export const explainNotary = explainReverts([notaryAbi], {
  AlreadyRecorded: { code: 'NOTE_EXISTS', message: 'There is a note with this id already.' },
  NotRecorded: { code: 'NOTE_UNKNOWN', message: 'There is no note with this id.' },
  ZeroAmount: { code: 'NOTE_EMPTY', message: 'A note needs an amount.' },
})
