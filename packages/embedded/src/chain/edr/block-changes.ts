import type { Ask } from './binding.ts'
import { type Hex, toHex } from './hex.ts'
import { type AccountChange, type Changes, emptyWord } from './world-state.ts'

interface TracedAccount {
  balance?: Hex
  nonce?: number
  code?: Hex
  storage?: Record<Hex, Hex>
}

/** What the tracer saw before and after one transaction: only what changed, and a slot that became zero only before. */
export interface TracedChange {
  pre: Record<Hex, TracedAccount>
  post: Record<Hex, TracedAccount>
}

const DELEGATION = '0xef0100'

export function changesOfTrace({ pre, post }: TracedChange): Changes {
  const changes: Changes = {}
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)] as Hex[])) {
    const { balance, nonce, code, storage = {} } = post[address] ?? {}
    const change: AccountChange = { storage: { ...storage } }
    for (const slot of Object.keys(pre[address]?.storage ?? {}) as Hex[])
      if (storage[slot] === undefined && change.storage) change.storage[slot] = emptyWord
    if (balance !== undefined) change.balance = balance
    if (nonce !== undefined) change.nonce = toHex(nonce)
    if (code !== undefined) change.code = code
    changes[address] = change
  }
  return changes
}

/** An account that gave its delegation up: the tracer tells the code before, and nothing after. */
const mayHaveLostItsCode = ({ pre, post }: TracedChange): Hex[] =>
  (Object.keys(pre) as Hex[]).filter(
    (address) => pre[address]?.code?.startsWith(DELEGATION) && post[address]?.code === undefined,
  )

/** What each transaction of the newest block made of the accounts, in their order. */
export async function changesOfTransactions(ask: Ask, hashes: readonly Hex[]): Promise<Changes[]> {
  const all: Changes[] = []
  for (const hash of hashes) {
    const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
    const traced = await ask<TracedChange>('debug_traceTransaction', [hash, options])
    const changes = changesOfTrace(traced)
    for (const address of mayHaveLostItsCode(traced))
      changes[address] = { ...changes[address], code: await ask<Hex>('eth_getCode', [address, 'latest']) }
    all.push(changes)
  }
  return all
}
