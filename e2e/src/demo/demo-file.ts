import { readFileSync } from 'node:fs'
import type { Address, Hex } from '@tallystick/sdk'

/** `demo.json`, as far as the journeys need it. */
export interface DemoFile {
  readonly baseUrl: string
  readonly rpcUrl: string
  readonly chainId: number
  readonly instances: Readonly<Record<string, DemoInstance>>
  readonly registerKey: string
  readonly contracts: Readonly<Record<string, Address>>
  readonly tokens: Readonly<Record<string, Address>>
  readonly markets: Readonly<Record<string, DemoMarket>>
  readonly orderBooks: Readonly<Record<string, { instance: string; class: string; orderBookId: string }>>
  readonly rfqs: Readonly<Record<string, { instance: string; rfqId: string }>>
  readonly liquidations: Readonly<Record<string, { instance: string; marketId: string; liquidationId: string }>>
}

interface DemoMarket {
  readonly marketAddress: Address
  readonly records: Readonly<Record<string, string>>
  readonly loans: Readonly<Record<string, number>>
}

interface DemoInstance {
  readonly apiKey: string
  readonly wallets: ReadonlyArray<{ address: Address; privateKey: Hex; label: string }>
}

export const readDemoFile = (path: string): DemoFile => JSON.parse(readFileSync(path, 'utf8')) as DemoFile

/** What a label of the file stands for, or a sentence that says which labels there are. */
export function labelled<T>(things: Readonly<Record<string, T>>, label: string, kind: string): T {
  const found = things[label]
  if (found === undefined) throw new Error(`the demo has no ${kind} ${label}, only ${Object.keys(things).join(', ')}`)
  return found
}
