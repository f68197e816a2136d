import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Address,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  publicActions,
  walletActions,
} from 'viem'
import { startDemo } from './demo.ts'

interface DemoFile {
  readonly rpcUrl: string
  readonly tokens: Readonly<Record<string, Address>>
  readonly markets: Readonly<Record<string, { readonly marketAddress: Address }>>
}

export interface AlarmDemo {
  /** The series of one name, with their labels, and the value of each. */
  series(name: string): Promise<Map<string, number>>
  /** Lines of the log with this message. */
  logged(message: string): Record<string, unknown>[]
  /** Takes all its money from a market, as nothing but a fault of the contract could. Answers which. */
  rob(): Promise<Address>
  stop(): Promise<void>
}

/** The demo with its bots. */
export async function startAlarmDemo(): Promise<AlarmDemo> {
  const { folder, metricsUrl, world: demo, stop } = await startDemo<DemoFile>('--bots')

  async function series(name: string): Promise<Map<string, number>> {
    const text = await (await fetch(metricsUrl)).text()
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    return new Map(
      lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    )
  }

  async function rob(): Promise<Address> {
    const transport = http(demo.rpcUrl)
    const chain = createPublicClient({ transport })
    const node = createTestClient({ mode: 'anvil', transport }).extend(walletActions).extend(publicActions)
    for (const { marketAddress } of Object.values(demo.markets))
      for (const token of Object.values(demo.tokens)) {
        const args = [marketAddress] as const
        // Not every token of the demo is a good one.
        const held = await chain
          .readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args })
          .catch(() => 0n)
        if (held === 0n) continue
        await node.impersonateAccount({ address: marketAddress })
        await node.setBalance({ address: marketAddress, value: 10n ** 18n })
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [token, held] })
        const hash = await node.sendTransaction({ account: marketAddress, to: token, data, chain: null })
        const { status } = await node.waitForTransactionReceipt({ hash })
        if (status === 'success') return marketAddress
      }
    throw new Error('the demo has no market with money')
  }

  return {
    series,
    logged: (message) =>
      readFileSync(join(folder, 'tallystick.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"msg":"${message}"`))
        .map((line) => JSON.parse(line)),
    rob,
    stop,
  }
}
