import { setTimeout as sleep } from 'node:timers/promises'
import {
  createTestClient,
  type Hex,
  http,
  numberToHex,
  type PublicActions,
  pad,
  parseEther,
  publicActions,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  walletActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, inject } from 'vitest'
import { startNodesFrom } from '../src/chain/edr/edr-engine.ts'
import { allEngines } from '../src/chain/engines.ts'

/** Every engine that is made for this platform: where there are two, both have to behave alike. */
export const installedEngines = allEngines()
  .filter((engine) => engine.isInstalled())
  .map(({ name }) => name)
startNodesFrom(inject('chainNode'))

const phrase = 'test test test test test test test test test test test junk'
export const account = mnemonicToAccount(phrase)
export const secondAccount = mnemonicToAccount(phrase, { addressIndex: 1 })
export const receiver = '0x00000000000000000000000000000000000000aa'

const POLLING_MS = 20

/**
 * Asks for a receipt until it is there. The client's own way may wait for a next block although the transaction is mined (up to one in a hundred,
 * on a busy machine), and on a chain that mines with transactions only there is none.
 */
const withPatience = ({ getTransactionReceipt }: Pick<PublicActions, 'getTransactionReceipt'>) => ({
  async waitForTransactionReceipt({ hash }: { hash: Hex }): Promise<TransactionReceipt> {
    for (;;) {
      try {
        return await getTransactionReceipt({ hash })
      } catch (fault) {
        if (!(fault instanceof TransactionReceiptNotFoundError)) throw fault
      }
      await sleep(POLLING_MS)
    }
  },
})

export function clientOf({ url }: { url: string }) {
  return createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(url, { retryCount: 0 }),
    pollingInterval: POLLING_MS,
    // A block number that was asked for a moment ago is not the newest one any more.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
    .extend(withPatience)
}

export type Client = ReturnType<typeof clientOf>

/** Any method, also those that a client has no words for. */
export function rpc<Result>(client: Client, method: string, params: readonly unknown[] = []): Promise<Result> {
  return client.request({ method, params } as never) as Promise<Result>
}

export async function pay(node: { url: string }): Promise<bigint> {
  const client = clientOf(node)
  const hash = await client.sendTransaction({ account, to: receiver, value: parseEther('1') })
  const { status, blockNumber } = await client.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
  return (await client.getBlock({ blockNumber })).timestamp
}

export async function received(node: { url: string }): Promise<bigint> {
  return clientOf(node).getBalance({ address: receiver })
}

const creationOf = (runtime: string): Hex => {
  const length = (runtime.length / 2).toString(16).padStart(2, '0')
  return `0x60${length}600c60003960${length}6000f3${runtime}`
}

/** Keeps the word that it is called with, tells of it under topic 1 and returns it; refuses zero with 0xdeadbeef. */
export const keeper = creationOf(
  // The word, unless it is zero: stored, told as a log with topic 1, returned.
  `6000358015601b57806000556000526001602060` +
    // Otherwise.
    `00a160206000f35b63deadbeef6000526004601cfd`,
)
/** Returns the second of its block. */
export const timeTeller = creationOf('4260005260206000f3')
/** Never returns. */
export const endless = creationOf('5b600056')

export const word = (value: number): Hex => pad(numberToHex(value))

export async function deploy(client: Client, creation: Hex): Promise<Hex> {
  const hash = await client.deployContract({ account, abi: [], bytecode: creation })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('nothing was deployed')
  return contractAddress
}

/** Mined at once on a chain that mines with every transaction. */
export async function keep(client: Client, to: Hex, value: number): Promise<Hex> {
  const hash = await client.sendTransaction({ account, to, data: word(value), gas: 200_000n })
  await client.waitForTransactionReceipt({ hash })
  return hash
}

export const kept = async (client: Client, at: Hex): Promise<number> =>
  Number(await client.getStorageAt({ address: at, slot: word(0) }))
