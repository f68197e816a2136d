import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Archive } from './archive.ts'
import type { Hex } from './hex.ts'
import { toHex } from './hex.ts'
import { createHistoryRpc } from './history-rpc.ts'
import { answerBody } from './json-rpc-server.ts'
import { RpcFault } from './rpc-fault.ts'

type Handler = (params: readonly unknown[]) => unknown

/**
 * The engine keeps answers about blocks only that lie far behind the newest one. Those that it asks about never change while it lives, so
 * they may seem to: otherwise it asks for the same account and slot again with every call.
 */
const DEPTH_OF_FINAL = 100_000

const paddedSlot = (slot: string): Hex => `0x${slot.slice(2).padStart(64, '0')}`

/**
 * The archive as the engine asks for it: the engine goes on from a block as if that were a fork of another chain, and this is the
 * other chain. On a port of its own and on this machine only.
 */
export async function serveArchive(archive: Archive): Promise<{ url: string; close(): void }> {
  const history = createHistoryRpc(archive)
  const lower = (address: unknown) => String(address).toLowerCase() as Hex

  function stateAt(block: unknown) {
    const number = block === 'latest' ? Number(archive.head().block.number) : Number(block)
    const state = archive.stateAt(number)
    if (!state) throw new RpcFault(-32_000, `the state of block ${number} is no longer kept`)
    return state
  }

  const state = new Map<string, Handler>([
    ['eth_chainId', () => toHex(archive.chainId)],
    ['net_version', () => String(archive.chainId)],
    ['eth_blockNumber', () => toHex(Number(archive.head().block.number) + DEPTH_OF_FINAL)],
    ['eth_getBalance', ([address, block]) => stateAt(block).balance(lower(address))],
    ['eth_getTransactionCount', ([address, block]) => stateAt(block).nonce(lower(address))],
    ['eth_getCode', ([address, block]) => stateAt(block).code(lower(address))],
    ['eth_getStorageAt', ([address, slot, block]) => stateAt(block).slot(lower(address), paddedSlot(String(slot)))],
  ])

  async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const handler = state.get(method) ?? history.get(method)
    if (!handler) throw new RpcFault(-32_601, 'Method not found')
    return handler(params)
  }

  const server = createServer((request, response) => answerBody(request, response, answer))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
