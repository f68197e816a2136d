import { gzipSync } from 'node:zlib'
import type { Archive } from './archive.ts'
import type { Ask } from './binding.ts'
import type { ChainClock } from './chain-clock.ts'
import { type Hex, hexOf, toHex } from './hex.ts'
import { createHistoryRpc } from './history-rpc.ts'
import type { Answer } from './json-rpc-server.ts'
import { invalidParams, RpcFault } from './rpc-fault.ts'
import { createSimulation } from './simulation.ts'
import type { Placed, Tip } from './tip.ts'
import type { Turns } from './turns.ts'
import type { Changes } from './world-state.ts'

interface MethodParts {
  ask: Ask
  tip: Tip
  clock: ChainClock
  turns: Turns
  archive: Archive | undefined
  blockGasLimit: bigint
}

type Handler = (params: readonly unknown[]) => Promise<unknown>

/** Blocks by which `safe` and `finalized` are behind the newest one, as with an epoch of one slot. */
const BEHIND: Record<string, number> = { safe: 1, finalized: 2 }
/**
 * For a call that names none. The engine records every step: a million of gas that is burnt in a loop takes about 200 MB. Real nodes cap
 * the gas of a call as well, only higher; a call that needs more here names it.
 */
const GAS_OF_A_CALL = 3_000_000n
const RAW_TRANSACTIONS_KEPT = 10_000

const isTag = (value: unknown): value is string => typeof value === 'string' && value in BEHIND
const word = (hex: unknown): Hex => `0x${String(hex).slice(2).padStart(64, '0')}`
const lower = (address: unknown) => String(address).toLowerCase() as Hex

/** What a direct change of the state makes of its account. */
const directChanges: Record<string, (params: readonly unknown[]) => Changes> = {
  hardhat_setBalance: ([address, balance]) => ({ [lower(address)]: { balance: toHex(BigInt(balance as Hex)) } }),
  hardhat_setNonce: ([address, nonce]) => ({ [lower(address)]: { nonce: toHex(BigInt(nonce as Hex)) } }),
  hardhat_setCode: ([address, code]) => ({ [lower(address)]: { code: code as Hex } }),
  hardhat_setStorageAt: ([address, slot, value]) => ({
    [lower(address)]: { storage: { [word(slot)]: word(value) } },
  }),
}

/** The methods of this node: those of the engine, under the names and with the behaviour of anvil where the two differ. */
export function createMethods({ ask, tip, clock, turns, archive, blockGasLimit }: MethodParts): Answer {
  const simulation = createSimulation({ ask, tip, blockGasLimit })
  const history = archive && createHistoryRpc(archive)
  const rawTransactions = new Map<Hex, Hex>()
  let minesAtOnce = true

  async function submit(what: Hex | object): Promise<Hex> {
    const isSigned = typeof what === 'string'
    const hash = await ask<Hex>(isSigned ? 'eth_sendRawTransaction' : 'eth_sendTransaction', [what])
    if (isSigned) rawTransactions.set(hash, what)
    const [oldest] = rawTransactions.keys()
    if (rawTransactions.size > RAW_TRANSACTIONS_KEPT && oldest) rawTransactions.delete(oldest)
    return hash
  }

  /** A transaction behind a gap of nonces waits in the pool, and no block is mined for it. */
  async function canBeMined(hash: Hex): Promise<boolean> {
    const { from, nonce } = await ask<{ from: Hex; nonce: Hex }>('eth_getTransactionByHash', [hash])
    return Number(nonce) < Number(await ask<Hex>('eth_getTransactionCount', [from, 'pending']))
  }

  async function send(what: unknown): Promise<Hex> {
    const hash = await submit(what as Hex | object)
    if (minesAtOnce && (await canBeMined(hash))) await tip.mine()
    return hash
  }

  async function sendAndShow(what: unknown): Promise<object> {
    const hash = await submit(what as Hex | object)
    await tip.mine()
    const receipt = await ask<object>('eth_getTransactionReceipt', [hash])
    return { ...receipt, blockTimestamp: toHex(tip.time()) }
  }

  async function mineMany([count, interval]: readonly unknown[]): Promise<null> {
    for (let left = Number(count ?? 1), isFirst = true; left > 0; left--, isFirst = false)
      await tip.mine(isFirst || !Number(interval ?? 0) ? undefined : tip.time() + Number(interval))
    return null
  }

  async function change(method: string, params: readonly unknown[]): Promise<unknown> {
    const result = await ask(method, params)
    const changes = directChanges[method]
    if (changes) archive?.change(changes(params))
    return result
  }

  /** The engine sets a nonce only when nothing waits and, after something did, only in a new block. */
  async function setNonce(params: readonly unknown[]): Promise<unknown> {
    const set = () => change('hardhat_setNonce', params)
    return set().catch(async () => {
      const waiting = await ask<{ hash: Hex }[]>('eth_pendingTransactions')
      await tip.dropPending()
      await tip.mine()
      const result = await set()
      for (const { hash } of waiting) {
        const raw = rawTransactions.get(hash)
        // What the new nonce has passed cannot be sent any more.
        if (raw) await submit(raw).catch(() => undefined)
      }
      return result
    })
  }

  const timeOf = (value: unknown) =>
    Number(typeof value === 'object' && value !== null && 'timestamp' in value ? value.timestamp : value)

  const writes: Record<string, Handler> = {
    eth_sendRawTransaction: ([raw]) => send(raw),
    eth_sendTransaction: ([transaction]) => send(transaction),
    eth_sendRawTransactionSync: ([raw]) => sendAndShow(raw),
    eth_sendTransactionSync: ([transaction]) => sendAndShow(transaction),
    eth_simulateV1: ([payload]) => simulation.simulate(payload),
    evm_mine: async ([time]) => {
      await tip.mine(time === undefined || time === null ? undefined : timeOf(time))
      return '0x0'
    },
    anvil_mine: mineMany,
    hardhat_mine: mineMany,
    evm_setAutomine: async ([enabled]) => {
      minesAtOnce = enabled === true
      if (minesAtOnce && (await ask<unknown[]>('eth_pendingTransactions')).length > 0) await tip.mine()
      return null
    },
    evm_setNextBlockTimestamp: async ([seconds]) => {
      clock.chooseNext(Number(seconds), tip.time())
      return null
    },
    evm_increaseTime: async ([seconds]) => toHex(clock.increase(Number(seconds))),
    evm_snapshot: () => tip.snapshot(),
    evm_revert: ([id]) => tip.revert(id as Hex),
    anvil_rollback: async ([depth]) => {
      await tip.rollback(Number(depth ?? 1))
      return null
    },
    anvil_reorg: async ([first, placed]) => {
      const depth = Number(typeof first === 'object' && first !== null && 'depth' in first ? first.depth : first)
      await tip.reorganise(depth, (placed ?? []) as Placed[], submit)
      return null
    },
    anvil_setNonce: setNonce,
    anvil_dropAllTransactions: async () => {
      await tip.dropPending()
      return null
    },
    anvil_dropTransaction: async ([hash]) => ((await ask('hardhat_dropTransaction', [hash])) ? hash : null),
  }

  const reads: Record<string, Handler> = {
    eth_getRawTransactionByHash: async ([hash]) => rawTransactions.get(hash as Hex) ?? null,
    txpool_status: async () => {
      const waiting = await ask<{ hash: Hex }[]>('eth_pendingTransactions')
      const canBe = await Promise.all(waiting.map(({ hash }) => canBeMined(hash)))
      const pending = canBe.filter(Boolean).length
      return { pending: toHex(pending), queued: toHex(canBe.length - pending) }
    },
    anvil_dumpState: async () => {
      if (!archive) throw new RpcFault(-32_000, 'a chain in memory has no state to dump')
      return hexOf(gzipSync(archive.dump()))
    },
    eth_call: async ([call, block, overrides]) =>
      ask('eth_call', [withinGas(call), block ?? 'latest', overrides ?? {}]),
  }

  function withinGas(call: unknown): object {
    const { gas, ...rest } = (call ?? {}) as { gas?: Hex }
    const wanted = gas === undefined ? GAS_OF_A_CALL : BigInt(gas)
    return { ...rest, gas: toHex(wanted < blockGasLimit ? wanted : blockGasLimit) }
  }

  /** `safe` and `finalized` become numbers, wherever they stand; in files so do the other tags. */
  function withNumbers(value: unknown): unknown {
    if (isTag(value)) return toHex(Math.max(0, tip.number() - (BEHIND[value] ?? 0)))
    if (history && value === 'earliest') return '0x0'
    if (typeof value !== 'object' || value === null || !('fromBlock' in value || 'toBlock' in value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, tag]) => [key, withNumbers(tag)]))
  }

  async function fromHistory(method: string, params: readonly unknown[]): Promise<unknown> {
    const [block, ...rest] = params
    const isNewest = method === 'eth_getBlockByNumber' && (block === 'latest' || block === 'pending')
    const found = history?.get(method)?.(isNewest ? [toHex(tip.number()), ...rest] : params)
    // One that is not mined yet is known to the engine alone.
    return found ?? (method === 'eth_getTransactionByHash' ? ask(method, params) : null)
  }

  async function answerEngine(method: string, params: readonly unknown[]): Promise<unknown> {
    if (history?.has(method)) return fromHistory(method, params)
    return reads[method] ? reads[method](params) : ask(method, params)
  }

  return async (asked, given) => {
    const method = asked in writes || asked in reads ? asked : asked.replace(/^anvil_/, 'hardhat_')
    const params = given.map(withNumbers)
    const write = writes[method]
    if (write) return turns.write(() => write(params))
    if (/^hardhat_|^evm_/.test(method)) return turns.write(() => change(method, params))
    const [call, , overrides, blockOverrides] = params
    if (method === 'eth_call' && blockOverrides) {
      const { time } = blockOverrides as { time?: Hex }
      if (time === undefined) throw invalidParams('of a block only the time can be chosen')
      return turns.write(() => simulation.callAt(Number(time), withinGas(call), overrides))
    }
    return turns.read(() => answerEngine(method, params))
  }
}
