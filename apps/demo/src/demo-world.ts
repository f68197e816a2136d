import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** What `var/demo.json` holds: everything a newcomer or a test needs to act in the demo. */
export interface DemoWorld {
  baseUrl: string
  rpcUrl: string
  chainId: number
  instances: Record<string, DemoInstance>
  registerKey: string
  contracts: Record<string, string>
  tokens: Record<string, string>
  markets: Record<string, DemoMarket>
  orderBooks: Record<string, DemoOrderBook>
  rfqs: Record<string, DemoRfq>
  liquidations: Record<string, DemoLiquidation>
}

export interface DemoInstance {
  instanceId: string
  apiKey: string
  wallets: { address: string; privateKey: string; label: string }[]
}

export interface DemoMarket {
  marketAddress: string
  mode: string
  priceSource: string
  /** Its record in the instance of a role. */
  records: Record<string, string>
  /** Numbers on chain. */
  loans: Record<string, number>
}

export interface DemoOrderBook {
  /** The role of its owner. */
  instance: string
  class: string
  orderBookId: string
}

export interface DemoRfq {
  instance: string
  rfqId: string
}

export interface DemoLiquidation {
  instance: string
  marketId: string
  liquidationId: string
}

export function emptyWorld(baseUrl: string, rpcUrl: string, chainId: number): DemoWorld {
  return {
    baseUrl,
    rpcUrl,
    chainId,
    instances: {},
    registerKey: '',
    contracts: {},
    tokens: {},
    markets: {},
    orderBooks: {},
    rfqs: {},
    liquidations: {},
  }
}

/** The world of an earlier start, or undefined: none yet, or a file that somebody broke. */
export function readWorld(file: string): DemoWorld | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoWorld
  } catch {
    return undefined
  }
}

export function writeWorld(file: string, world: DemoWorld): void {
  // Never half a file: it holds the only copy of the keys.
  writeFileSync(`${file}.new`, `${JSON.stringify(world, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
