import { randomBytes } from 'node:crypto'
import { type Hex, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { call } from './call.ts'
import type { Report } from './report.ts'
import { type RunningDemo, startDemo } from './soak/demo.ts'
import { childOf, cpuOf, cpuOfDatabase } from './trading/cpu.ts'
import { interleaveOrders, type OrderLoad } from './trading/load.ts'

interface DemoWorld {
  readonly baseUrl: string
  readonly instances: Readonly<
    Record<string, { readonly apiKey: string; readonly wallets: readonly { privateKey: Hex; label: string }[] }>
  >
  readonly orderBooks: Readonly<Record<string, { readonly orderBookId: string; readonly instance: string }>>
}

/** What the interface asks a trader to sign. */
interface Prepared {
  readonly order: Readonly<Record<'quantity' | 'price' | 'maxFee' | 'expiry' | 'nonce', string>> & {
    readonly salt: Hex
  }
  readonly domain: object
  readonly types: object
}

const PREFIX = '/orderbooks/commodities/api'
/** Far from what others ask for, so that each order rests, and little enough for tens of thousands of them. */
const TERMS = { side: 'BUY', price: '70000000', quantity: '1000' } as const
const DAY_SECONDS = 86_400
/** More than a server takes in a second: each signature serves for one order. */
const MOST_PER_SECOND = 1_500

/** Orders that one trader signs on the demo's book of gold. */
async function createSigner(
  url: string,
  headers: Record<string, string>,
  orderBookId: string,
  account: PrivateKeyAccount,
) {
  const asked = { orderBookId, userAddress: account.address, ...TERMS }
  const expiry = String(Math.floor(Date.now() / 1_000) + DAY_SECONDS)
  const answer = await call<{ data: Prepared }>(`${url}/orders/prepare`, { headers, body: { ...asked, expiry } })
  const { order, domain, types } = answer.data
  const { maxFee, nonce } = order
  const terms = { quantity: BigInt(order.quantity), price: BigInt(order.price), maxFee: BigInt(maxFee) }
  return async (): Promise<string> => {
    // It begins as the contract may ask for.
    const salt = `${order.salt.slice(0, 10)}${toHex(randomBytes(28)).slice(2)}` as Hex
    const message = { ...order, ...terms, expiry: BigInt(order.expiry), nonce: BigInt(nonce), salt }
    const signature = await account.signTypedData({ domain, types, primaryType: 'Order', message } as never)
    return JSON.stringify({ ...asked, orderType: 'LIMIT', maxFee, expiry, nonce, salt, signature })
  }
}

function costsOf({ pid }: RunningDemo<unknown>) {
  const database = childOf(pid, 'postgres')
  const [server, rows] = [cpuOf(pid), cpuOfDatabase(database)]
  return () => ({ server: cpuOf(pid) - server, database: cpuOfDatabase(database) - rows })
}

/** Orders that settle on chain: signatures, reads of the chain and rows, in the demo as it is started. */
export async function measureSigned(report: Report, { rounds, seconds }: { rounds: number; seconds: number }) {
  const demo = await startDemo<DemoWorld>()
  try {
    const { baseUrl, instances, orderBooks } = demo.world
    const { orderBookId = '', instance = '' } = orderBooks.commodity ?? {}
    const wallets = Object.values(instances).flatMap((one) => one.wallets)
    const trader = wallets.find(({ label }) => label.toLowerCase().includes('borrower'))
    if (!trader) throw new Error('the demo has no borrower')
    const url = `${baseUrl}${PREFIX}`
    const headers = { 'x-api-key': instances[instance]?.apiKey ?? '' }
    const sign = await createSigner(url, headers, orderBookId, privateKeyToAccount(trader.privateKey))
    const bodies: string[] = []
    for (let left = 2 * (rounds + 1) * seconds * MOST_PER_SECOND; left > 0; left -= 1) bodies.push(await sign())
    const body = () => {
      const next = bodies.pop()
      if (!next) throw new Error('all signed orders are sent: MOST_PER_SECOND is too low')
      return next
    }
    const plain: OrderLoad = { url: `${url}/orders`, headers, body, orders: 1 }
    const costs = costsOf(demo)
    const signed = bodies.length
    const { ours, keyed } = await interleaveOrders({ ours: plain, keyed: { ...plain, isKeyed: true } }, rounds, seconds)
    const { server, database } = costs()
    report.throughput('signed orders with an Idempotency-Key, beside those without', keyed, ours, 0.7)
    const micros = (cpuSeconds: number) => `${Math.round((cpuSeconds / (signed - bodies.length)) * 1e6)} us`
    process.stdout.write(`        CPU of a signed order: server ${micros(server)}, database ${micros(database)}\n`)
  } finally {
    await demo.stop()
  }
}
