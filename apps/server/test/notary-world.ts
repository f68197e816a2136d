import { notaryAbi, notaryBytecode } from '@tallystick/abi/testing'
import { deploy, rawTransaction, send, startTestChain, type TestChain, wallet } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { type Address, encodeFunctionData, type Hex, keccak256, pad, parseGwei, toHex } from 'viem'
import { createFollower, type Follower } from '../src/follower/index.ts'
import type { Chain } from '../src/platform/chain/chain.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import { createWritesService } from '../src/writes/index.ts'
import { notaryKinds } from './notary.call.ts'
import { notaryRoutes } from './notary.routes.ts'
import { createNoteTotals, type NoteTotals, noteTotals } from './note-totals.ts'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from './world.ts'

export interface Note {
  readonly id: Hex
  readonly amount: string
  readonly txHash: Hex
}

export interface NotaryWorld extends World {
  readonly node: TestChain
  readonly notary: Address
  readonly instance: TestInstance
  readonly totals: NoteTotals
  readonly superuser: Sql
  /** The chain as the product sees it. */
  readonly served: Chain
  readonly follower: Follower
  createFollower(settings?: { mayStartOver?: boolean; blocksPerPass?: bigint; lagGraceMs?: number }): Follower
  /** An id that no other test of this world uses. */
  newId(): Hex
  calldata(id: Hex, amount: bigint): Hex
  /** Records a note on chain, by a direct call. */
  note(amount?: bigint, id?: Hex): Promise<Note>
  confirm(note: Note, as?: TestInstance, headers?: Record<string, string>): Promise<TestAnswer>
  recorded(as?: TestInstance): Promise<{ id: string; txHash: string; finality: string; verifiedBy: string }[]>
  rpc(method: string, params: unknown[]): Promise<unknown>
  /** Replaces the last `depth` blocks by as many others, which hold these signed transactions: [transaction, block]. */
  reorg(depth: number, transactions?: [Hex, number][]): Promise<void>
  rawTransaction(hash: Hex): Promise<Hex>
  /** A note that is signed by a sender of its own, but not sent. */
  signedNote(amount: bigint, id?: Hex): Promise<Note & { raw: Hex }>
}

/** Genesis funds them, so that no reorganization takes their ether away. A second node of the same chain has as many. */
export const FUNDED_ACCOUNTS = 40

/** The product with a chain of its own, a notary contract on it, and a two-leg operation that writes there. */
export async function createNotaryWorld(
  settings: { rpcUrls?: (node: TestChain) => Promise<readonly string[]>; poolSize?: number } = {},
): Promise<NotaryWorld> {
  const node = await startTestChain({ accounts: FUNDED_ACCOUNTS })
  const totals = noteTotals()
  const world = await createWorld({
    rpcUrls: settings.rpcUrls ? await settings.rpcUrls(node) : [node.url],
    ...(settings.poolSize === undefined ? {} : { poolSize: settings.poolSize }),
    extraRoutes: ({ chains, clock }) =>
      notaryRoutes(
        chains,
        createWritesService({ clock, random: systemRandom, kinds: notaryKinds, projections: [totals.project] }),
      ),
  })
  await createNoteTotals(world.database)
  const superuser = connectSuperuser(world.databaseUrl)
  const instance = await world.createInstance()
  const notary = (await deploy(node, { abi: notaryAbi, bytecode: notaryBytecode })).toLowerCase() as Address
  const served = world.chains.all[0]
  if (!served) throw new Error('the world serves no chain')
  let ids = 0
  let signers = 0

  const rpc = (method: string, params: unknown[]): Promise<unknown> =>
    node.testClient.request({ method, params } as unknown as Parameters<typeof node.testClient.request>[0])
  const newId = () => {
    ids += 1
    return pad(toHex(ids))
  }
  const followerWith = (settings: { mayStartOver?: boolean; blocksPerPass?: bigint; lagGraceMs?: number } = {}) =>
    createFollower({
      database: world.database,
      clock: world.clock,
      random: systemRandom,
      log: createLog({ level: 'silent' }),
      kinds: notaryKinds,
      projections: [totals.project],
      confirmations: 3,
      mayStartOver: false,
      ...settings,
    })

  return {
    ...world,
    node,
    notary,
    instance,
    totals,
    superuser,
    served,
    follower: followerWith(),
    createFollower: followerWith,
    newId,
    calldata: (id, amount) => encodeFunctionData({ abi: notaryAbi, functionName: 'record', args: [id, amount] }),
    async note(amount = 5n, id = newId()) {
      const call = { address: notary, abi: notaryAbi, functionName: 'record', args: [id, amount] }
      const { transactionHash } = await send(node, call)
      return { id, amount: amount.toString(), txHash: transactionHash }
    },
    confirm: (note, as = instance, headers = {}) =>
      as.call('POST', `/test/api/notary/${notary}/record`, { body: note, headers }),
    async recorded(as = instance) {
      const { status, body } = await as.call('GET', '/test/api/notes')
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.data
    },
    rpc,
    async reorg(depth, transactions = []) {
      await rpc('anvil_reorg', [depth, transactions])
    },
    rawTransaction: (hash) => rawTransaction(node, hash),
    async signedNote(amount, id = newId()) {
      signers += 1
      const sender = wallet(9 + signers)
      const data = encodeFunctionData({ abi: notaryAbi, functionName: 'record', args: [id, amount] })
      const fees = { gas: 200_000n, maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei('1') }
      const raw = await sender.signTransaction({ chainId: node.chainId, to: notary, data, nonce: 0, ...fees })
      return { id, amount: amount.toString(), txHash: keccak256(raw), raw }
    },
    async close() {
      await superuser.end()
      await world.close()
      await node.stop()
    },
  }
}

/** What one table holds, in a fixed order. */
export async function rowsOf(sql: Sql, table: string): Promise<Record<string, unknown>[]> {
  const rows = await sql<{ row: Record<string, unknown> }[]>`
    select to_jsonb(t) as row from ${sql(table)} t order by to_jsonb(t)::text`
  return rows.map(({ row }) => row)
}

const chainTables = [
  'watched_contracts',
  'chain_logs',
  'chain_facts',
  'chain_notices',
  'recordings',
  'contract_access',
  'note_totals',
]

/** Everything that a confirm or the follower writes. */
export async function chainRows(sql: Sql): Promise<Record<string, Record<string, unknown>[]>> {
  const tables: Record<string, Record<string, unknown>[]> = {}
  for (const table of chainTables) tables[table] = await rowsOf(sql, table)
  return tables
}

export async function noticesOf(sql: Sql, txHash: Hex): Promise<string[]> {
  const rows = await sql<{ kind: string }[]>`
    select kind from chain_notices where tx_hash = ${txHash} order by noticed_at, notice_id`
  return rows.map(({ kind }) => kind)
}

/** How the record sees the events of a transaction. */
export const logsOf = (sql: Sql, txHash: Hex) => sql<
  { finality: string; blockNumber: string; blockHash: string; logIndex: number; blockLogIndex: number }[]
>`select finality, block_number as "blockNumber", block_hash as "blockHash", log_index as "logIndex", block_log_index as "blockLogIndex"
  from chain_logs where tx_hash = ${txHash} order by log_index`

export async function totalsOf(sql: Sql, subject: Address): Promise<{ notes: number; total: number }> {
  const [row] = await sql<{ notes: number; total: number }[]>`
    select notes::integer, total::integer from note_totals where subject = ${subject}`
  return row ?? { notes: 0, total: 0 }
}

/** Resolves once this many transactions of the database wait for another one. */
export async function lockWaiters(sql: Sql, count: number): Promise<void> {
  for (;;) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (row && row.waiting >= count) return
  }
}
