import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRelayerOperator } from '../../src/relayer/index.ts'
import { type Tally, tallyOn } from '../process/tally.ts'
import { keystoreOf } from './keystores.ts'
import { createRelayerWorld, type RelayerWorld } from './relayer-world.ts'

const CHAIN_ID = 31_337
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('setting up a relayer', () => {
  let world: RelayerWorld
  let operator: ReturnType<typeof createRelayerOperator>

  beforeAll(async () => {
    world = await createRelayerWorld()
    operator = createRelayerOperator(world.database, { clock: world.clock, keys: world.keystores.keys })
  })
  afterAll(() => world.close())

  const newKey = () => {
    const privateKey = generatePrivateKey()
    return { privateKey, address: privateKeyToAccount(privateKey).address.toLowerCase() }
  }
  const refusal = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      (error: { detail?: string }) => error.detail ?? String(error),
    )

  it('takes the account from the keystore, and keeps limits and freeze when the key changes', async () => {
    const { instanceId, call } = await world.createInstance()
    const [first, second] = [newKey(), newKey()]
    world.keystores.put('first.json', keystoreOf(first.privateKey))
    world.keystores.put('second.json', keystoreOf(second.privateKey, 'own password'))
    world.keystores.put('second.password', 'own password')
    const set = await operator.set(instanceId, { keystoreFile: 'first.json', passwordFile: null }, false)
    expect(set).toEqual({
      instanceId,
      chainId: BigInt(CHAIN_ID),
      address: first.address,
      keystoreFile: 'first.json',
      passwordFile: null,
      dailyTxLimit: 100,
      maxGasPerTx: null,
      frozen: false,
      usedToday: 0,
      pending: 0,
    })
    await call('PATCH', '/access/api/relayer/limits', { body: { dailyTxLimit: 7 } })
    await call('POST', '/access/api/relayer/freeze')
    await operator.set(instanceId, { keystoreFile: 'second.json', passwordFile: 'second.password' }, false)
    expect(await operator.show(instanceId)).toMatchObject({
      address: second.address,
      passwordFile: 'second.password',
      dailyTxLimit: 7,
      frozen: true,
    })
  })

  it('names what is wrong with a key, and changes nothing then', async () => {
    const { instanceId } = await world.createInstance()
    world.keystores.put('locked.json', keystoreOf(generatePrivateKey(), 'somebody else'))
    const keystore = (keystoreFile: string, passwordFile: string | null = null) =>
      refusal(operator.set(instanceId, { keystoreFile, passwordFile }, false))
    expect(await keystore('locked.json')).toMatch(/password does not open/)
    expect(await keystore('none.json')).toMatch(/keystore cannot be read \(ENOENT\)/)
    expect(await keystore('locked.json', 'none')).toMatch(/password file cannot be read \(ENOENT\)/)
    for (const path of ['../locked.json', '/etc/passwd', '', '.hidden'])
      expect(await keystore(path), path).toMatch(/named without a path/)
    const remote = (remoteUrl: string, address: string) =>
      refusal(operator.set(instanceId, { remoteUrl, address }, false))
    const { address } = newKey()
    expect(await remote('ftp://signer', address)).toMatch(/not an http/)
    expect(await remote('signer', address)).toMatch(/not an http/)
    expect(await remote('https://me:secret@signer', address)).toMatch(/holds no password/)
    expect(await remote('https://signer', '0x12')).toMatch(/no address/)
    expect(await refusal(operator.show(instanceId))).toBe(`Instance ${instanceId} has no relayer.`)
    const bare = createRelayerOperator(world.database, { clock: world.clock, keys: {} })
    const asked = bare.set(instanceId, { keystoreFile: 'locked.json', passwordFile: null }, false)
    expect(await refusal(asked)).toMatch(/RELAYER_KEYSTORE_DIR is not set/)
  })

  it('gives an account to one instance of a chain only, until that one gives it up', async () => {
    const [mine, theirs] = [await world.createInstance(), await world.createInstance()]
    const request = { remoteUrl: 'https://signer.internal', address: newKey().address }
    await operator.set(mine.instanceId, request, false)
    await operator.set(mine.instanceId, request, false)
    expect(await refusal(operator.set(theirs.instanceId, request, false))).toContain(mine.instanceId)
    expect(await operator.remove(mine.instanceId, false)).toEqual({ instanceId: mine.instanceId, removed: true })
    expect(await refusal(operator.remove(mine.instanceId, false))).toMatch(/has no relayer/)
    expect(await operator.set(theirs.instanceId, request, false)).toMatchObject({ remoteUrl: request.remoteUrl })
  })

  it('does not change the key while transactions wait for it, unless told to', async () => {
    const relayed = await world.createRelayed()
    const { instanceId } = relayed.instance
    await world.rpc('evm_setAutomine', [false])
    await world.relayer.relay(relayed.tenant, CHAIN_ID, 'x', world.record(world.newId()))
    const request = { remoteUrl: 'https://signer.internal', address: newKey().address }
    expect(await refusal(operator.set(instanceId, request, false))).toMatch(/^1 transactions of 0x.+ are not mined yet/)
    expect(await operator.set(instanceId, request, true)).toMatchObject({ address: request.address, pending: 1 })
    await world.rpc('evm_setAutomine', [true])
    await world.rpc('evm_mine', [])
  })

  it('finds the next nonce anew when it is set again', async () => {
    const relayed = await world.createRelayed()
    const { instanceId } = relayed.instance
    const relay = () => world.relayer.relay(relayed.tenant, CHAIN_ID, 'x', world.record(world.newId()))
    await relay()
    await world.settle(relayed.instance)
    // As after the chain of a development machine was started over: what is on record lies ahead of the chain.
    await world.superuser`update relayers set next_nonce = 40 where instance_id = ${instanceId}`
    await operator.set(instanceId, { keystoreFile: `${instanceId}.json`, passwordFile: null }, false)
    await relay()
    await world.settle(relayed.instance)
    expect(await world.minedNonces(relayed.address)).toEqual([0, 1])
  })

  describe('from the command line', () => {
    let tally: Tally

    beforeAll(() => {
      const { keystoreFolder = '', passwordFile = '' } = world.keystores.keys
      const env = { RELAYER_KEYSTORE_DIR: keystoreFolder, RELAYER_PASSWORD_FILE: passwordFile }
      tally = tallyOn({ DATABASE_URL: world.databaseUrl, RPC_URL: world.node.url, ...env })
    })

    it('sets, shows and removes it', async () => {
      const { instanceId } = await world.createInstance()
      const { privateKey, address } = newKey()
      world.keystores.put('cli.json', keystoreOf(privateKey))
      const set = await tally.does('relayer', 'set', instanceId, '--keystore', 'cli.json')
      expect(set).toMatchObject({
        instanceId,
        chainId: String(CHAIN_ID),
        address,
        keystoreFile: 'cli.json',
        frozen: false,
      })
      expect(await tally.answers('relayer', 'show', instanceId)).toEqual(set)
      const remote = ['--remote', 'http://127.0.0.1:9000', '--address', newKey().address]
      expect(await tally.answers('relayer', 'set', instanceId, ...remote)).toMatchObject({
        remoteUrl: 'http://127.0.0.1:9000',
      })
      expect(await tally.answers('relayer', 'remove', instanceId)).toEqual({ instanceId, removed: true })
      expect(await tally.refuses('relayer', 'show', instanceId)).toBe(`Instance ${instanceId} has no relayer.`)
    })

    it('wants one way to sign, and an instance', async () => {
      expect(await tally.explains('relayer', 'set', unknownId, '--keystore', 'a', '--remote', 'http://b')).toMatch(
        /^A relayer signs with --keystore <file>, or with/,
      )
      expect(await tally.explains('relayer', 'show', unknownId)).toBe(`There is no instance ${unknownId}.`)
    })
  })
})
