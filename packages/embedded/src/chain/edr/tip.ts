import { randomBytes } from 'node:crypto'
import type { Archive } from './archive.ts'
import type { Ask } from './binding.ts'
import { changesOfTransactions } from './block-changes.ts'
import type { ChainClock } from './chain-clock.ts'
import { type Hex, hexOf, toHex } from './hex.ts'
import { invalidParams } from './rpc-fault.ts'
import type { RpcBlock, RpcReceipt } from './stored-block.ts'

/** A chain in memory can go back this far; one in files as far as its archive can. */
const SNAPSHOTS_KEPT = 300
/** What the engine keeps of every block adds up, so that a chain in files is put into a fresh one from time to time. */
const BLOCKS_PER_ENGINE = 5_000

export interface TipParts {
  ask: Ask
  archive: Archive | undefined
  clock: ChainClock
  /** Goes on in a fresh engine, from the newest block of the archive. */
  renewEngine: () => Promise<void>
}

interface UserSnapshot {
  number: number
  time: number
  mark: number
  clockAhead: number
}

/** A transaction that a reorganisation puts into the block at that place: signed, or of an account that the node signs for. */
export type Placed = [transaction: Hex | object, place: number]

/** The newest end of the chain: where it grows, and from where it goes back. Its callers take turns. */
export async function createTip({ ask, archive, clock, renewEngine }: TipParts) {
  const blockSnapshots = new Map<number, Hex>()
  const userSnapshots = new Map<Hex, UserSnapshot>()
  let number = 0
  let time = 0
  let blocksInEngine = 0
  await look()

  async function look(): Promise<void> {
    const block = await ask<RpcBlock>('eth_getBlockByNumber', ['latest', false])
    number = Number(block.number)
    time = Number(block.timestamp)
  }

  async function record(archive: Archive): Promise<void> {
    const block = await ask<RpcBlock>('eth_getBlockByNumber', ['latest', true])
    const hashes = block.transactions.map(({ hash }) => hash)
    const receipts: RpcReceipt[] = []
    for (const hash of hashes) receipts.push(await ask<RpcReceipt>('eth_getTransactionReceipt', [hash]))
    archive.append({ block, receipts, changes: await changesOfTransactions(ask, hashes) })
  }

  async function keepSnapshot(): Promise<void> {
    if (!blockSnapshots.has(number)) blockSnapshots.set(number, await ask<Hex>('evm_snapshot'))
    const [oldest] = blockSnapshots.keys()
    if (blockSnapshots.size > SNAPSHOTS_KEPT && oldest !== undefined) blockSnapshots.delete(oldest)
  }

  async function mine(at = clock.nextBlock(time)): Promise<void> {
    if (!archive) await keepSnapshot()
    await ask('evm_mine', [toHex(at)])
    number += 1
    time = at
    clock.mined(at)
    if (!archive) return
    await record(archive)
    blocksInEngine += 1
    if (blocksInEngine >= BLOCKS_PER_ENGINE && userSnapshots.size === 0 && (await pendingHashes()).length === 0)
      await renew()
  }

  async function renew(): Promise<void> {
    await renewEngine()
    userSnapshots.clear()
    blocksInEngine = 0
    await look()
  }

  async function pendingHashes(): Promise<Hex[]> {
    return (await ask<{ hash: Hex }[]>('eth_pendingTransactions')).map(({ hash }) => hash)
  }

  async function dropPending(): Promise<void> {
    for (const hash of await pendingHashes()) await ask('hardhat_dropTransaction', [hash])
  }

  function forgetAbove(target: number): void {
    for (const kept of [...blockSnapshots.keys()]) if (kept >= target) blockSnapshots.delete(kept)
    for (const [id, snapshot] of userSnapshots) if (snapshot.number > target) userSnapshots.delete(id)
  }

  /** Back to an earlier block, without the transactions that came after it. */
  async function rollback(depth: number): Promise<void> {
    const target = number - depth
    const unreachable = invalidParams(`block ${target} cannot be gone back to`)
    if (!Number.isSafeInteger(depth) || depth < 1 || target < 0) throw unreachable
    if (archive) {
      if (!archive.undoToBlock(target)) throw unreachable
      await renew()
      return
    }
    const snapshot = blockSnapshots.get(target)
    if (snapshot === undefined) throw unreachable
    await ask('evm_revert', [snapshot])
    await dropPending()
    forgetAbove(target)
    await look()
  }

  /** Other blocks in place of the newest ones, of the same seconds. */
  async function reorganise(
    depth: number,
    placed: readonly Placed[],
    submit: (what: Hex | object) => Promise<unknown>,
  ) {
    const times: number[] = []
    for (let at = number - depth + 1; at <= number; at++)
      times.push(Number((await ask<RpcBlock>('eth_getBlockByNumber', [toHex(at), false])).timestamp))
    await rollback(depth)
    for (const [place, at] of times.entries()) {
      for (const [transaction, where] of placed) if (where === place) await submit(transaction)
      // Otherwise an empty block would be the very one that it replaces.
      await ask('hardhat_setPrevRandao', [hexOf(randomBytes(32))])
      await mine(at)
    }
  }

  return {
    number: () => number,
    time: () => time,
    mine,
    rollback,
    reorganise,
    dropPending,
    async snapshot(): Promise<Hex> {
      const id = await ask<Hex>('evm_snapshot')
      userSnapshots.set(id, { number, time, mark: archive?.mark() ?? 0, clockAhead: clock.ahead() })
      return id
    },
    async revert(id: Hex): Promise<boolean> {
      const snapshot = userSnapshots.get(id)
      if (!snapshot || (archive && !archive.undoTo(snapshot.mark))) return false
      if (!(await ask<boolean>('evm_revert', [id]))) return false
      userSnapshots.delete(id)
      number = snapshot.number
      time = snapshot.time
      clock.goBack(snapshot.clockAhead)
      forgetAbove(number)
      return true
    },
  }
}

export type Tip = Awaited<ReturnType<typeof createTip>>
