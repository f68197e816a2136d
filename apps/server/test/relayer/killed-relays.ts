import { fileURLToPath } from 'node:url'
import { seededRandom } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { createUpkeep } from '../../src/relayer/upkeep.service.ts'
import { type Program, runCommand } from '../process/program.ts'
import { bundledFile } from '../process/programs.ts'
import { type RpcProxy, rpcProxy } from '../rpc-proxy.ts'
import type { BurstRequest } from './burst.ts'
import { createRelayerWorld, eventually, type Relayed, type RelayerWorld } from './relayer-world.ts'
import { startTestSigner, type TestSigner } from './test-signer.ts'

const BURST = 8

interface Trial {
  readonly program: Program
  readonly signer: TestSigner
  readonly proxy: RpcProxy
}

/** When the process is killed: each between two steps that it takes. */
export const moments: readonly (readonly [moment: string, killAt: (trial: Trial, count: number) => void])[] = [
  [
    'before the signer has signed',
    ({ program, signer }, count) => {
      signer.behave = async (asked, sign) => {
        if (signer.asked.length === count) await program.kill9()
        return sign(asked)
      }
    },
  ],
  [
    'as soon as the signer has signed',
    ({ program, signer }, count) => {
      signer.behave = async (asked, sign) => {
        const raw = await sign(asked)
        if (signer.asked.length === count) setImmediate(() => void program.kill9())
        return raw
      }
    },
  ],
  [
    'before a node has got the transaction',
    ({ program, proxy }, count) => {
      let seen = 0
      proxy.replaceAnswer = ({ method }) => {
        if (method !== 'eth_sendRawTransaction') return undefined
        seen += 1
        if (seen < count) return undefined
        void program.kill9()
        return 'nothing'
      }
    },
  ],
  [
    'before it hears that the node took the transaction',
    ({ program, proxy }, count) => {
      let seen = 0
      proxy.afterCall = async (method) => {
        if (method === 'eth_sendRawTransaction') seen += 1
        if (seen === count) await program.kill9()
      }
    },
  ],
  [
    'at any time',
    ({ program }, count) => {
      void program.prints(/ready/).then(
        () => setTimeout(() => void program.kill9(), count * 40),
        () => {},
      )
    },
  ],
]

export const describeKilledAt = (chosen: typeof moments) =>
  describe('a process that is killed while it relays', () => {
    let world: RelayerWorld
    let program: string
    const random = seededRandom(Number(process.env.SEED ?? Date.now() % 1_000_000))

    beforeAll(async () => {
      world = await createRelayerWorld()
      program = await bundledFile(fileURLToPath(new URL('burst.ts', import.meta.url)), 'burst')
    })
    afterAll(() => world.close())

    function start({ instance }: Relayed, rpcUrl: string, ids: readonly Hex[]): Program {
      const { databaseUrl, notary } = world
      const request: BurstRequest = { databaseUrl, rpcUrl, apiKey: instance.apiKey, notary, ids }
      return runCommand(process.execPath, [program], { env: { BURST: JSON.stringify(request) } })
    }

    const ask = ({ instance }: Relayed, id: Hex) =>
      instance.call('POST', '/test/api/relay', { body: { id }, headers: { 'idempotency-key': `burst-${id}` } })

    async function settle({ instance, address }: Relayed): Promise<void> {
      const upkeep = createUpkeep({
        ...{ database: world.database, clock: world.clock, random: systemRandom, log: createLog({ level: 'silent' }) },
        ...{ keys: {}, confirmations: 3, stuckMs: Number.MAX_SAFE_INTEGER },
      })
      await eventually(async () => {
        await upkeep.pass(world.served, (error) => {
          throw error
        })
        const lines = await world.history(instance)
        const reserved = await world.superuser`select 1 from relays where sender = ${address} and state = 'RESERVED'`
        return [reserved.length, lines.filter(({ status }) => status !== 'confirmed')]
      }).toEqual([0, []])
    }

    it.each(chosen)('%s leaves nothing unsent, nothing sent twice and no gap', async (_, killAt) => {
      const privateKey = generatePrivateKey()
      const [signer, proxy] = await Promise.all([startTestSigner(privateKey), rpcProxy(world.node.url)])
      const relayed = await world.createRelayed({ signerUrl: signer.url, privateKey })
      const ids = Array.from({ length: BURST * 2 }, world.newId)
      const doomed = start(relayed, proxy.url, ids.slice(0, BURST))
      await world.minedAfter(async () => {
        killAt({ program: doomed, signer, proxy }, random.integer(1, BURST))
        await doomed.prints(/ready/)
        // On a busy machine some are refused, and the moment may never come: then it is killed when all is done.
        doomed.prints(/all answered/).then(doomed.kill9, () => undefined)
        // Meanwhile another process, this one, is asked for as many.
        const survived = await Promise.all(ids.slice(BURST).map((id) => ask(relayed, id)))
        expect(survived.map(({ status }) => status)).toEqual(survived.map(() => 200))
        expect(await doomed.ended, doomed.stderr()).toBeNull()
      })
      signer.behave = undefined
      const answered = [...doomed.stdout().matchAll(/answered 200 (\S+)/g)].map(([, id]) => id as Hex)

      // Those who were about to sign have been silent for a minute.
      world.clock.advance(61_000)
      await settle(relayed)
      const recorded = await world.recordedBy(relayed.address)
      for (const id of [...answered, ...ids.slice(BURST)]) expect(recorded).toContain(id)

      // Asking again with the same keys finishes what was lost, and repeats nothing.
      const again = await world.minedAfter(() => Promise.all(ids.map((id) => ask(relayed, id))))
      expect(again.map(({ status }) => status)).toEqual(ids.map(() => 200))
      await settle(relayed)
      expect((await world.recordedBy(relayed.address)).sort()).toEqual(ids)
      const lines = await world.history(relayed.instance)
      expect(lines.filter(({ kind }) => kind === 'call')).toHaveLength(ids.length)
      expect(await world.minedNonces(relayed.address)).toHaveLength(lines.length)
      await Promise.all([signer.stop(), proxy.stop()])
    })
  })
