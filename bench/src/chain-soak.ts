import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type EngineName, engineCalled, residentBytes, startChain } from '@tallystick/embedded'

// A chain as old as a demo that ran for a week, on each engine: what it takes on disk and in memory, and how long it needs to start again.
const { values } = parseArgs({
  options: {
    /** One every two seconds. */
    blocks: { type: 'string', default: String((7 * 24 * 3600) / 2) },
    /** Each in a block of its own, as the bots send them. */
    transactions: { type: 'string', default: '20000' },
    engine: { type: 'string' },
  },
})
const WITHIN_SECONDS = 20
const ROUNDS = 100

/** Keeps the word that it is called with and tells of it, ten times over, as a settlement of several trades does. */
const runtime = `5f35805f555f52${'600160205fa1'.repeat(10)}`
const contract = `0x60${(runtime.length / 2).toString(16)}600a5f3960${(runtime.length / 2).toString(16)}5ff3${runtime}`

async function rpc(url: string, calls: readonly [method: string, params: unknown[]][]): Promise<unknown[]> {
  const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })))
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
  return answers.map(({ result, error }) => {
    if (error) throw new Error(error.message)
    return result
  })
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
const sizeOf = (folder: string) =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

async function live(engine: EngineName): Promise<boolean> {
  const folder = join(mkdtempSync(join(tmpdir(), 'tallystick-chain-soak-')), 'chain')
  const options = { engine, folder, now: () => new Date() }
  const hex = (value: number) => `0x${value.toString(16)}`
  try {
    const node = await startChain(options)
    const [[from = '']] = (await rpc(node.url, [['eth_accounts', []]])) as [string[]]
    const [receipt] = (await rpc(node.url, [
      ['eth_sendTransactionSync', [{ from, data: contract, gas: hex(500_000) }]],
    ])) as [{ contractAddress: string }]
    const call = { from, to: receipt.contractAddress, gas: hex(200_000), data: `0x${'11'.repeat(32)}` }
    const livedAt = performance.now()
    let largest = 0
    for (let round = 1; round <= ROUNDS; round++) {
      const count = Math.ceil(Number(values.transactions) / ROUNDS)
      for (let sent = 0; sent < count; sent++) await rpc(node.url, [['eth_sendTransactionSync', [call]]])
      for (let left = Math.ceil(Number(values.blocks) / ROUNDS); left > 0; left -= 500)
        await rpc(node.url, [['anvil_mine', [hex(Math.min(500, left)), '0x2']]])
      largest = Math.max(largest, residentBytes(node.pid))
      // A week is here over in minutes: what is done once a minute has to be waited for.
      for (let waited = 0; engineCalled(engine).hasOutgrown(folder, node.pid) && waited < 120; waited++)
        await sleep(1000)
      for (let waited = 0; waited < 60 && !(await rpc(node.url, [['eth_chainId', []]]).catch(() => null)); waited++)
        await sleep(1000)
    }
    const [head] = (await rpc(node.url, [['eth_getBlockByNumber', ['latest', false]]])) as [
      { number: string; hash: string },
    ]
    await sleep(1500)
    node.kill9()
    await node.exited
    const disk = sizeOf(folder)
    const startedAt = performance.now()
    const again = await startChain(options)
    const seconds = (performance.now() - startedAt) / 1000
    const [same] = (await rpc(again.url, [['eth_getBlockByNumber', [head.number, false]]])) as [{ hash: string } | null]
    const isSame = same?.hash === head.hash
    const lived = ((startedAt - livedAt) / 1000).toFixed(0)
    await again.stop()
    console.log(
      `${engine}: ${Number(head.number)} blocks in ${lived} s; ${megabytes(disk)} on disk, at most ${megabytes(largest)} in memory; ` +
        `started again after a kill in ${seconds.toFixed(1)} s (at most ${WITHIN_SECONDS}), ${isSame ? 'with its newest block' : 'WITHOUT its newest block'}`,
    )
    return seconds <= WITHIN_SECONDS && isSame
  } finally {
    if (existsSync(folder)) rmSync(join(folder, '..'), { recursive: true, force: true })
  }
}

const chosen = (['anvil', 'edr'] as const).filter(
  (engine) => engineCalled(engine).isInstalled() && (values.engine === undefined || values.engine === engine),
)
const outcomes: boolean[] = []
for (const engine of chosen) outcomes.push(await live(engine))
process.exitCode = outcomes.length > 0 && outcomes.every(Boolean) ? 0 : 1
