import { PassThrough } from 'node:stream'
import { notaryAbi, notaryBytecode } from '@tallystick/abi/testing'
import { deploy, startTestChain, type TestChain, type TestChainOptions } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { type Address, type Hex, pad, parseEther, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Chain } from '../../src/platform/chain/chain.ts'
import { createDatabase, type Database, type TenantDatabase } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import {
  createRelayerOperator,
  createRelayerService,
  type RelayerKeys,
  type RelayerService,
} from '../../src/relayer/index.ts'
import { createUpkeep, type Upkeep } from '../../src/relayer/upkeep.service.ts'
import { BUSY_MACHINE } from '../busy-machine.ts'
import { type RpcProxy, rpcProxy } from '../rpc-proxy.ts'
import { connectSuperuser } from '../superuser.ts'
import { createWorld, type TestInstance, type World } from '../world.ts'
import { createKeystoreFolder, type KeystoreFolder, keystoreOf } from './keystores.ts'
import { recordCall, relayRoute } from './relay-route.ts'

/** A node answers before the block is there. */
export const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 20 })

export const STUCK_MS = 120_000
const log = createLog({ level: 'silent' })

/** An instance with a relayer that has a key and money. */
export interface Relayed {
  readonly instance: TestInstance
  readonly address: Address
  readonly privateKey: Hex
  readonly tenant: TenantDatabase
}

export interface RelayerWorld extends World {
  readonly node: TestChain
  readonly proxy: RpcProxy
  readonly notary: Address
  readonly superuser: Sql
  readonly keystores: KeystoreFolder
  readonly served: Chain
  readonly relayer: RelayerService
  readonly upkeep: Upkeep
  createRelayed(given?: { signerUrl?: string; privateKey?: Hex; ether?: string }): Promise<Relayed>
  tenantOf(instanceId: string, database?: Database): Promise<TenantDatabase>
  /** A service that reaches keys another way, and what it logged. */
  serviceWith(keys: RelayerKeys): { service: RelayerService; lines(): string }
  /** A service of another process: with connections and opened keys of its own. */
  anotherService(): { service: RelayerService; database: Database }
  newId(): Hex
  record(id: Hex, amount?: bigint): { to: Address; data: Hex; value: bigint }
  /** Ids of the notes that this account recorded on chain, in the order of the chain. */
  recordedBy(address: Address): Promise<Hex[]>
  /** The chain takes them in their order only, so that none is missing. */
  minedNonces(address: Address): Promise<number[]>
  pass(): Promise<void>
  /**
   * Mines only once the work is done. anvil that gets a transaction at the very moment when it mines the one before takes the new one for
   * later than it is: it stays queued, and with it all that follow.
   */
  minedAfter<T>(work: () => Promise<T>): Promise<T>
  /** Looks until nothing of the instance waits any more. */
  settle(instance: TestInstance): Promise<void>
  rpc(method: string, params: unknown[]): Promise<unknown>
  history(instance: TestInstance): Promise<HistoryLine[]>
}

export interface HistoryLine {
  relayId: string
  transactionHash: Hex
  status: string
  kind: string
  purpose: string
  nonce: number
  replacedBy: Hex | null
  reason: string | null
  maxFeePerGas: string
  to: Address
  from: Address
}

/** The product on a chain of its own, behind a proxy, with a contract to write to and relayers that sign. */
export async function createRelayerWorld(options: TestChainOptions = {}): Promise<RelayerWorld> {
  const node = await startTestChain(options)
  const proxy = await rpcProxy(node.url)
  const keystores = createKeystoreFolder()
  const notary = (await deploy(node, { abi: notaryAbi, bytecode: notaryBytecode })).toLowerCase() as Address
  const record = (id: Hex, amount = 7n) => recordCall(notary, id, amount)
  const held: { relayer?: RelayerService } = {}
  const serving = () => {
    if (!held.relayer) throw new Error('the world is not ready')
    return held.relayer
  }
  const world = await createWorld({
    rpcUrls: [proxy.url],
    relayerKeys: keystores.keys,
    extraRoutes: () => [relayRoute(serving, notary)],
  })
  const { database, chains, clock } = world
  const parts = { log, clock, random: systemRandom, keys: keystores.keys }
  const relayer = createRelayerService({ ...parts, database, chains })
  held.relayer = relayer
  const upkeep = createUpkeep({ ...parts, database, confirmations: 3, stuckMs: STUCK_MS })
  const superuser = connectSuperuser(world.databaseUrl)
  const operator = createRelayerOperator(database, { clock, keys: keystores.keys })
  const [served] = chains.all
  if (!served) throw new Error('the world serves no chain')
  const others: Database[] = []
  let ids = 0

  async function tenantOf(instanceId: string, on: Database = database): Promise<TenantDatabase> {
    const [row] = await superuser`
      select key_id, k.epoch as key_epoch, i.epoch as instance_epoch from api_keys k join instances i using (instance_id)
      where instance_id = ${instanceId} order by k.created_at limit 1`
    const epochs = { keyEpoch: BigInt(row?.key_epoch), instanceEpoch: BigInt(row?.instance_epoch) }
    return on.tenant({ keyId: row?.key_id, instanceId, ...epochs })
  }

  async function pass(): Promise<void> {
    await upkeep.pass(served as Chain, (error) => {
      throw error
    })
  }

  const rpc: RelayerWorld['rpc'] = (method, params) =>
    node.testClient.request({ method, params } as unknown as Parameters<typeof node.testClient.request>[0])

  async function history(instance: TestInstance): Promise<HistoryLine[]> {
    const { status, body } = await instance.call('GET', '/access/api/relayer/transactions?limit=200')
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.data.transactions
  }

  return {
    ...world,
    node,
    proxy,
    notary,
    superuser,
    keystores,
    served,
    relayer,
    upkeep,
    record,
    tenantOf,
    async createRelayed({ signerUrl, privateKey = generatePrivateKey(), ether = '100' } = {}) {
      const instance = await world.createInstance()
      const address = privateKeyToAccount(privateKey).address.toLowerCase() as Address
      await node.testClient.setBalance({ address, value: parseEther(ether) })
      if (!signerUrl) keystores.put(`${instance.instanceId}.json`, keystoreOf(privateKey))
      const signing = signerUrl
        ? { remoteUrl: signerUrl, address }
        : { keystoreFile: `${instance.instanceId}.json`, passwordFile: null }
      await operator.set(instance.instanceId, signing, false)
      return { instance, address, privateKey, tenant: await tenantOf(instance.instanceId) }
    },
    serviceWith(keys) {
      const destination = new PassThrough()
      const chunks: string[] = []
      destination.on('data', (chunk) => chunks.push(String(chunk)))
      const own = createLog({ level: 'trace', destination })
      return {
        service: createRelayerService({ ...parts, log: own, keys, database, chains }),
        lines: () => chunks.join(''),
      }
    },
    anotherService() {
      const own = createDatabase({
        url: world.databaseUrl,
        poolSize: 8,
        applicationName: 'tally-other',
        ...BUSY_MACHINE.database,
      })
      others.push(own)
      return { service: createRelayerService({ ...parts, database: own, chains }), database: own }
    },
    newId() {
      ids += 1
      return pad(toHex(ids))
    },
    async recordedBy(address) {
      const events = await node.publicClient.getContractEvents({
        address: notary,
        abi: notaryAbi,
        eventName: 'Recorded',
        args: { by: address },
        fromBlock: 0n,
      })
      return events.map(({ args }) => args.id as Hex)
    },
    async minedNonces(address) {
      const used = await node.publicClient.getTransactionCount({ address })
      return Array.from({ length: used }, (_, nonce) => nonce)
    },
    pass,
    async minedAfter(work) {
      await rpc('evm_setAutomine', [false])
      try {
        return await work()
      } finally {
        await rpc('evm_setAutomine', [true])
        await rpc('evm_mine', [])
      }
    },
    async settle(instance) {
      await eventually(async () => {
        await pass()
        return (await history(instance)).filter(({ status }) => status === 'pending')
      }).toEqual([])
    },
    rpc,
    history,
    async close() {
      await Promise.all(others.map((one) => one.close()))
      await superuser.end()
      await world.close()
      await proxy.stop()
      await node.stop()
      keystores.remove()
    },
  }
}
