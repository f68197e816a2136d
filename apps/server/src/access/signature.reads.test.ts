import { smartWallet1271Abi, smartWallet1271Bytecode } from '@tallystick/abi/testing'
import { type ChainClients, deploy, deploySafe, send, shippedArtifact, wallet } from '@tallystick/testkit'
import { type Address, concat, encodeFunctionData, type Hex, hashMessage, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withOwnAccount } from '../../test/own-account.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../../test/world.ts'

const modes = ['HONEST', 'REVERTS', 'ANSWERS_GARBAGE', 'ANSWERS_NOTHING', 'ANSWERS_TOO_MUCH', 'BURNS_GAS'] as const
const ACCEPTS_EVERYTHING = 6
const WALLETS = '/access/api/wallets'

describe('a wallet that is a contract', () => {
  let world: World
  let instance: TestInstance
  let chain: ChainClients
  const signer = privateKeyToAccount(generatePrivateKey())

  beforeAll(async () => {
    world = await createWorld()
    chain = await withOwnAccount(world.chain)
  })
  afterAll(() => world.close())

  async function createSmartWallet(mode: number): Promise<Address> {
    const owner = chain.walletClient.account
    const address = await deploy(chain, {
      abi: smartWallet1271Abi,
      bytecode: smartWallet1271Bytecode,
      args: [mode === 0 ? signer.address : owner.address],
    })
    if (mode > 0) await send(chain, { address, abi: smartWallet1271Abi, functionName: 'setMode', args: [mode] })
    return address
  }

  async function register(address: Address, sign: (message: string) => Promise<Hex>): Promise<TestAnswer> {
    instance = await world.createInstance()
    const { nonce, message } = (await instance.call('POST', `${WALLETS}/challenge`, { body: { address } })).body.data
    return instance.call('POST', WALLETS, { body: { address, nonce, signature: await sign(message) } })
  }
  const bySigner = (message: string) => signer.signMessage({ message })

  it('is registered when it accepts the signature (ERC-1271)', async () => {
    const address = await createSmartWallet(0)
    const made = await register(address, bySigner)
    expect(made.status).toBe(200)
    expect(made.body.data).toMatchObject({ address: address.toLowerCase(), verifiedBy: 'ERC1271', primary: true })
  })

  it('is refused when it does not', async () => {
    const stranger = privateKeyToAccount(generatePrivateKey())
    const refused = await register(await createSmartWallet(0), (message) => stranger.signMessage({ message }))
    expect([refused.status, refused.body.error.code]).toEqual([400, 'SIGNATURE_INVALID'])
  })

  it.each(modes.map((name, mode) => [name, mode] as const).slice(1))(
    'is refused when it %s, however it does so',
    async (_name, mode) => {
      const refused = await register(await createSmartWallet(mode), bySigner)
      expect([refused.status, refused.body.error.code]).toEqual([400, 'SIGNATURE_INVALID'])
      expect((await instance.call('GET', WALLETS)).body.data).toEqual([])
    },
  )

  it('decides for itself what a signature is, of any length', async () => {
    const address = await createSmartWallet(ACCEPTS_EVERYTHING)
    for (const signature of ['0x', '0x01', `0x${'ab'.repeat(2048)}`] as Hex[]) {
      const made = await register(address, async () => signature)
      expect(made.body.data).toMatchObject({ verifiedBy: 'ERC1271' })
    }
  })

  it('may be a Safe whose owners sign', async () => {
    const owners = [wallet(21), wallet(22)]
    const safe = await deploySafe(chain, owners)
    const artifact = 'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json'
    const handler = await deploy(
      chain,
      shippedArtifact(`@safe-global/safe-contracts/build/artifacts/contracts/${artifact}`),
    )
    const { innerSucceeded } = await safe.execThroughSafe({
      to: safe.address,
      data: encodeFunctionData({
        abi: parseAbi(['function setFallbackHandler(address handler)']),
        functionName: 'setFallbackHandler',
        args: [handler],
      }),
    })
    expect(innerSucceeded).toBe(true)
    const sorted = [...owners].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
    const sign = (signers: typeof owners) => async (message: string) =>
      concat(
        await Promise.all(
          signers.map((owner) =>
            owner.signTypedData({
              domain: { chainId: chain.chainId, verifyingContract: safe.address },
              types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
              primaryType: 'SafeMessage',
              message: { message: hashMessage(message) },
            }),
          ),
        ),
      )
    const half = await register(safe.address, sign(sorted.slice(0, 1)))
    expect([half.status, half.body.error?.code]).toEqual([400, 'SIGNATURE_INVALID'])
    const made = await register(safe.address, sign(sorted))
    expect([made.status, made.body.data?.verifiedBy]).toEqual([200, 'ERC1271'])
  })
})
