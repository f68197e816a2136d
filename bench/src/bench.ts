import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { createTestCluster, deploy, startTestChain } from '@tallystick/testkit'
import { createOperatorService } from '../../apps/server/src/access/index.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../apps/server/src/platform/db/migrate.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { interleave, median, ratio, type Sample } from './measure.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const IMPORTS = 20

function row(label: string, figure: number, bar: string, met: boolean, raw: string): string {
  return `${met ? 'met   ' : 'MISSED'}  ${label.padEnd(58)} ${figure.toFixed(2).padStart(6)}  (bar ${bar})  ${raw}`
}

const rate = (samples: readonly Sample[]) => `${Math.round(median(samples.map(({ perSecond }) => perSecond)))}/s`
const p50 = (samples: readonly Sample[]) => `p50 ${median(samples.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms`

/** A database and a chain with what the measured routes read. */
async function prepare() {
  const cluster = await createTestCluster()
  await cluster.createTemplate('bench', async (url) => {
    await migrate(url)
  })
  const { url } = await cluster.cloneDatabase('bench')
  const chain = await startTestChain()
  const database = createDatabase({ url, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const instance = await operator.createInstance({
    name: 'bench',
    chainId: chain.chainId,
    environment: 'DEVELOPMENT',
    services: ['external-tokens'],
  })
  await database.close()
  const owner = chain.accounts[0]?.address
  const tokens: string[] = []
  for (let index = 0; index < IMPORTS; index += 1)
    tokens.push(
      await deploy(chain, {
        abi: demoCashAbi,
        bytecode: demoCashBytecode,
        args: [`Token ${index}`, `T${index}`, 6, owner],
      }),
    )
  const stop = async () => {
    await Promise.all([cluster.stop(), chain.stop()])
  }
  return { url, chain, instance, tokens, stop }
}

async function startServers(args: readonly string[]) {
  const script = fileURLToPath(new URL('./servers.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { ports: JSON.parse(line) as { product: number; bare: number }, stop: () => child.kill('SIGKILL') }
}

const world = await prepare()
const [token = ''] = world.tokens
const servers = await startServers([world.url, world.chain.url, world.instance.instanceId, token])
const product = `http://127.0.0.1:${servers.ports.product}`
const bare = `http://127.0.0.1:${servers.ports.bare}`
const headers = { 'x-api-key': world.instance.apiKey, 'content-type': 'application/json' }
let missed = 0
const report = (line: string) => {
  if (line.startsWith('MISSED')) missed += 1
  process.stdout.write(`${line}\n`)
}
try {
  for (const tokenAddress of world.tokens)
    await fetch(`${product}/external-tokens/api/import`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ tokenAddress, assetType: 'BOND' }),
    })

  process.stdout.write(
    `${rounds} rounds of ${seconds} s each, interleaved, 16 connections; the figure is the median ratio\n`,
  )
  const list = await interleave(
    { ours: { url: `${product}/external-tokens/api/list`, headers }, bare: { url: `${bare}/list` } },
    rounds,
    seconds,
  )
  const listed = ratio(list.ours, list.bare, 'perSecond')
  report(
    row(
      `list ${IMPORTS} imports / bare route with the same select`,
      listed,
      '>= 0.70',
      listed >= 0.7,
      `${rate(list.ours)} / ${rate(list.bare)}`,
    ),
  )

  const body = JSON.stringify({ tokenAddress: token })
  const chainLoads = {
    ours: { url: `${product}/external-tokens/api/detect`, method: 'POST', headers, body },
    bare: { url: `${bare}/chain`, method: 'POST' },
    viem: { url: `${bare}/viem`, method: 'POST' },
  } as const
  const read = await interleave(chainLoads, rounds, seconds)
  const slower = ratio(read.ours, read.bare, 'p50Ms')
  report(
    row(
      'chain-backed read, p50 / bare route with the same read',
      slower,
      '<= 1.50',
      slower <= 1.5,
      `${p50(read.ours)} / ${p50(read.bare)}`,
    ),
  )
  const faster = ratio(read.ours, read.viem, 'perSecond')
  report(
    row(
      'chain-backed read / the same read by default viem',
      faster,
      '>= 2.00',
      faster >= 2,
      `${rate(read.ours)} / ${rate(read.viem)}`,
    ),
  )

  let last = 0
  const image = {
    url: `${product}/external-tokens/api/${token}/image`,
    method: 'PUT',
    headers,
    body: JSON.stringify({ imageURI: 'https://a.example/i.png' }),
  } as const
  const next = () => {
    last += 1
    return `bench-${process.pid}-${last}`
  }
  const write = await interleave(
    { keyed: { ...image, uniqueHeader: { name: 'idempotency-key', next } }, plain: image },
    rounds,
    seconds,
  )
  const keyed = ratio(write.keyed, write.plain, 'perSecond')
  report(row('idempotent POST / the plain one', keyed, 'printed', true, `${rate(write.keyed)} / ${rate(write.plain)}`))
} finally {
  servers.stop()
  await world.stop()
}
process.exitCode = missed > 0 ? 1 : 0
