import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keystoreOf } from './keystores.ts'
import { createRelayerWorld, eventually, type Relayed, type RelayerWorld } from './relayer-world.ts'
import { startTestSigner, startWeb3Signer, type TestSigner } from './test-signer.ts'

const CHAIN_ID = 31_337
const UNAVAILABLE = { code: 'RELAYER_UNAVAILABLE' }

describe('the key of a relayer', () => {
  let world: RelayerWorld

  beforeAll(async () => {
    world = await createRelayerWorld()
  })
  afterAll(() => world.close())

  const relay = ({ tenant }: Relayed, id: Hex = world.newId()) =>
    world.relayer.relay(tenant, CHAIN_ID, 'signing', world.record(id))
  const nothingOf = async ({ address, instance }: Relayed) => {
    expect(await world.history(instance)).toEqual([])
    expect(await world.superuser`select nonce from relays where sender = ${address}`).toEqual([])
  }

  describe('with a remote signer', () => {
    let signer: TestSigner
    let relayed: Relayed

    beforeAll(async () => {
      const privateKey = generatePrivateKey()
      signer = await startTestSigner(privateKey)
      relayed = await world.createRelayed({ signerUrl: signer.url, privateKey })
    })
    afterAll(() => signer.stop())

    it('is never with us: the signer signs, and may answer the bytes in an object', async () => {
      await relay(relayed)
      signer.behave = async (asked, sign) => ({ raw: await sign(asked), tx: {} })
      await relay(relayed)
      signer.behave = undefined
      await eventually(() => world.minedNonces(relayed.address)).toEqual([0, 1])
      expect(await relayed.instance.call('GET', '/access/api/relayer')).toMatchObject({
        body: { data: { keySource: 'remote', address: relayed.address } },
      })
    })

    it('holds up nobody else: while it thinks about one transaction it gets the next', async () => {
      let waiting = 0
      signer.behave = async (asked, sign) => {
        waiting += 1
        const since = Date.now()
        while (waiting < 3 && Date.now() - since < 4_000) await sleep(5)
        expect(waiting).toBe(3)
        return sign(asked)
      }
      await world.minedAfter(() => Promise.all([relay(relayed), relay(relayed), relay(relayed)]))
      signer.behave = undefined
      await eventually(() => world.minedNonces(relayed.address)).toEqual([0, 1, 2, 3, 4])
    })

    const wrongs: [string, NonNullable<TestSigner['behave']>][] = [
      ['signs another call', (asked, sign) => sign({ ...asked, data: '0x' })],
      ['signs for another receiver', (asked, sign) => sign({ ...asked, to: `0x${'ab'.repeat(20)}` })],
      ['signs with another nonce', (asked, sign) => sign({ ...asked, nonce: '0x63' })],
      ['signs for another chain', (asked, sign) => sign({ ...asked, chainId: '0x1' })],
      ['offers more for gas', (asked, sign) => sign({ ...asked, maxFeePerGas: '0xffffffffff' })],
      ['signs an older form', (asked, sign) => sign({ ...asked, gasPrice: asked.maxFeePerGas ?? '0x1' })],
      [
        'signs with another key',
        (asked) => {
          const { to, data, gas, nonce, maxFeePerGas = '0x0', maxPriorityFeePerGas = '0x0' } = asked
          const fees = { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
          const content = { to, data, value: 0n, gas: BigInt(gas), nonce: Number(nonce), chainId: CHAIN_ID, ...fees }
          return privateKeyToAccount(generatePrivateKey()).signTransaction({ ...content, type: 'eip1559' })
        },
      ],
      ['does not sign', async (asked) => ({ unsigned: asked })],
      ['answers nonsense', async () => '0xdeadbeef'],
      ['refuses', async () => ({ error: { code: -32000, message: 'not for you' } })],
      ['fails', async () => Promise.reject(new Error('vault sealed'))],
    ]
    it.each(wrongs)('is not used when the signer %s: nothing is stored, and the nonce is free', async (_, behave) => {
      const before = await world.history(relayed.instance)
      signer.behave = behave
      await expect(relay(relayed)).rejects.toMatchObject(UNAVAILABLE)
      signer.behave = undefined
      expect(await world.history(relayed.instance)).toEqual(before)
      expect(
        await world.superuser`select nonce from relays where sender = ${relayed.address} and state = 'RESERVED'`,
      ).toEqual([])
      await relay(relayed)
      const nonces = await world.minedNonces(relayed.address)
      expect(nonces).toEqual(nonces.map((_nonce, index) => index))
    })

    it('leaves a gap only until the next call, when others were signed meanwhile', async () => {
      await world.settle(relayed.instance)
      const first = await world.minedNonces(relayed.address)
      const next = first.length
      let refuse: (() => void) | undefined
      signer.behave = async (asked, sign) => {
        if (Number(asked.nonce) !== next) return sign(asked)
        await new Promise<void>((resolve) => {
          refuse = resolve
        })
        return { error: { message: 'not this one' } }
      }
      const failing = relay(relayed)
      const failed = expect(failing).rejects.toMatchObject(UNAVAILABLE)
      while (!refuse) await sleep(5)
      await relay(relayed)
      refuse()
      await failed
      signer.behave = undefined
      expect(await world.minedNonces(relayed.address)).toHaveLength(next)
      const id = world.newId()
      await relay(relayed, id)
      await eventually(() => world.minedNonces(relayed.address)).toEqual([...first, next, next + 1])
      await eventually(() => world.recordedBy(relayed.address)).toContain(id)
    })

    it('is not waited for longer than the timeout', async () => {
      const { service } = world.serviceWith({ ...world.keystores.keys, signerTimeoutMs: 150 })
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      signer.behave = async (asked, sign) => {
        await released
        return sign(asked)
      }
      const late = service.relay(relayed.tenant, CHAIN_ID, 'late', world.record(world.newId()))
      await expect(late).rejects.toMatchObject(UNAVAILABLE)
      release()
      signer.behave = undefined
    })

    it('is told to be unusable when nobody listens', async () => {
      const gone = await world.createRelayed({ signerUrl: 'http://127.0.0.1:1' })
      await expect(relay(gone)).rejects.toMatchObject(UNAVAILABLE)
      await nothingOf(gone)
    })

    it('signs at one price where the chain has no base fee', async () => {
      world.proxy.changeResult = ({ method, result }) => {
        if (method !== 'eth_getBlockByNumber' || typeof result !== 'object' || result === null) return result
        const { baseFeePerGas: _, ...block } = result as Record<string, unknown>
        return block
      }
      const { txHash } = await relay(relayed)
      world.proxy.changeResult = undefined
      expect(await world.node.publicClient.getTransaction({ hash: txHash })).toMatchObject({ type: 'legacy' })
    })
  })

  describe('with Web3Signer', () => {
    const started: TestSigner[] = []
    const start = async (privateKey: Hex, chainId: number) => {
      const signer = await startWeb3Signer(privateKey, { chainId })
      started.push(signer)
      return signer
    }
    afterAll(() => Promise.all(started.map((signer) => signer.stop())))

    it('signs what is asked, at both kinds of prices', async () => {
      const privateKey = generatePrivateKey()
      const { url } = await start(privateKey, CHAIN_ID)
      const relayed = await world.createRelayed({ signerUrl: url, privateKey })
      const { txHash } = await relay(relayed)
      expect(await world.node.publicClient.getTransaction({ hash: txHash })).toMatchObject({ type: 'eip1559' })
      world.proxy.changeResult = ({ method, result }) => {
        if (method !== 'eth_getBlockByNumber' || typeof result !== 'object' || result === null) return result
        const { baseFeePerGas: _, ...block } = result as Record<string, unknown>
        return block
      }
      const legacy = await relay(relayed)
      world.proxy.changeResult = undefined
      expect(await world.node.publicClient.getTransaction({ hash: legacy.txHash })).toMatchObject({ type: 'legacy' })
    })

    it('is told why it refused, and its signature for another chain is not used', async () => {
      const [ours, theirs] = [generatePrivateKey(), generatePrivateKey()]
      const other = await world.createRelayed({ signerUrl: (await start(theirs, CHAIN_ID)).url, privateKey: ours })
      const { service, lines } = world.serviceWith(world.keystores.keys)
      const asked = service.relay(other.tenant, CHAIN_ID, 'x', world.record(world.newId()))
      await expect(asked).rejects.toMatchObject(UNAVAILABLE)
      expect(lines()).toContain('HTTP 400, No unlocked account matches the Sender')
      const key = generatePrivateKey()
      const mainnet = await world.createRelayed({ signerUrl: (await start(key, 1)).url, privateKey: key })
      await expect(relay(mainnet)).rejects.toMatchObject(UNAVAILABLE)
      await nothingOf(mainnet)
    })
  })

  describe('in a keystore', () => {
    it('is not opened with a wrong password, nor from a file that is gone, broken or of another account', async () => {
      const relayed = await world.createRelayed()
      const file = `${relayed.instance.instanceId}.json`
      const faults: [string, string][] = [
        ['another password', keystoreOf(relayed.privateKey, 'guessed')],
        ['no keystore', '{}'],
        ['no JSON', 'key'],
        ['another account', keystoreOf(generatePrivateKey())],
        ['no usable key', keystoreOf(`0x${'00'.repeat(32)}`)],
      ]
      for (const [fault, text] of faults) {
        world.keystores.put(file, text)
        await expect(relay(relayed), fault).rejects.toMatchObject(UNAVAILABLE)
      }
      await nothingOf(relayed)
      world.keystores.put(file, keystoreOf(relayed.privateKey))
      await relay(relayed)
      await eventually(() => world.minedNonces(relayed.address)).toEqual([0])
    })

    it('is not opened by a deployment that has no folder or no password', async () => {
      const relayed = await world.createRelayed()
      const { keystoreFolder } = world.keystores.keys
      for (const keys of [{}, { keystoreFolder }, { ...world.keystores.keys, passwordFile: '/nowhere' }]) {
        const { service } = world.serviceWith(keys)
        const asked = service.relay(relayed.tenant, CHAIN_ID, 'x', world.record(world.newId()))
        await expect(asked).rejects.toMatchObject(UNAVAILABLE)
      }
      await nothingOf(relayed)
    })

    it('stands neither in the database nor in what is logged', async () => {
      const relayed = await world.createRelayed()
      const { service, lines } = world.serviceWith(world.keystores.keys)
      await service.relay(relayed.tenant, CHAIN_ID, 'x', world.record(world.newId()))
      world.keystores.put(`${relayed.instance.instanceId}.json`, keystoreOf(relayed.privateKey, 'other'))
      const asked = service.relay(relayed.tenant, CHAIN_ID, 'x', world.record(world.newId()))
      await expect(asked).rejects.toMatchObject(UNAVAILABLE)
      expect(lines()).toContain('the password does not open the keystore')
      const secret = relayed.privateKey.slice(2)
      expect(lines()).not.toContain(secret)
      expect(lines()).not.toContain('correct horse')
      for (const table of ['relayers', 'relays', 'relay_attempts']) {
        const rows = await world.superuser`select to_jsonb(t)::text as row from ${world.superuser(table)} t`
        for (const { row } of rows) expect(row).not.toContain(secret)
      }
    })
  })
})
