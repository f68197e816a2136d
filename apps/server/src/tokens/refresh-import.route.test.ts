import { demoCashAbi, demoSecurityAbi } from '@tallystick/abi'
import {
  badDecimalsAbi,
  badDecimalsBytecode,
  notATokenAbi,
  notATokenBytecode,
  plainProxyAbi,
  plainProxyBytecode,
  proxiedTokenAbi,
  proxiedTokenBytecode,
} from '@tallystick/abi/testing'
import { send } from '@tallystick/testkit'
import { encodeFunctionData, getAddress, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RpcProxy, rpcProxy } from '../../test/rpc-proxy.ts'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'

/** Where ERC-1967 keeps the implementation. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

describe('POST /external-tokens/api/{tokenAddress}/refresh', () => {
  let world: TokensWorld
  let proxy: RpcProxy
  let owner: Hex

  beforeAll(async () => {
    world = await createTokensWorld({
      async rpcUrls(url) {
        proxy = await rpcProxy(url)
        return [proxy.url]
      },
    })
    owner = world.node.walletClient.account.address
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })

  const refresh = (token: string, body?: unknown) =>
    world.instance.call('POST', `${TOKENS}/${token}/refresh`, body === undefined ? {} : { body })
  const mint = (token: Hex, amount: bigint) =>
    send(world.node, { address: token, abi: demoCashAbi, functionName: 'mint', args: [owner, amount] })

  async function createProxy(): Promise<Hex> {
    const implementation = await world.create({ abi: proxiedTokenAbi, bytecode: proxiedTokenBytecode })
    const args = ['Proxied', 'PRX', 8, owner, 250_000_000n] as const
    const initialCall = encodeFunctionData({ abi: proxiedTokenAbi, functionName: 'initialize', args })
    return world.create({ abi: plainProxyAbi, bytecode: plainProxyBytecode, args: [implementation, initialCall] })
  }
  const pointAt = (proxy: Hex, implementation: Hex) =>
    world.node.testClient.setStorageAt({ address: proxy, index: IMPLEMENTATION_SLOT, value: pad(implementation) })

  it('rewrites the supply after a mint and leaves the importer’s half alone', async () => {
    const token = await world.createCash('dEUR', 6)
    await world.import(token, { assetType: 'ART', imageURI: 'https://a.example/i.png' })
    const profile = { issuerName: 'Alpine Uhren AG' }
    await world.instance.call('PUT', `${TOKENS}/${token}/profile`, { body: { profile } })
    const before = (await world.get(token)).body.data
    await mint(token, 1_250_000n)
    world.clock.advance(1_000)
    const { status, body } = await refresh(getAddress(token))
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      storedFramework: 'erc20',
      frameworkMatches: true,
      persisted: true,
      onchain: { tokenAddress: token, totalSupply: '1.25', alreadyImported: true, environment: 'DEVELOPMENT' },
    })
    const { updatedAt } = body.data.record
    const { blockNumber, chainTime } = body.metadata
    const read = { totalSupplyAt: new Date(chainTime * 1000).toISOString(), totalSupplyBlock: blockNumber }
    expect(body.data.record).toEqual({
      tokenAddress: token,
      name: 'Token dEUR',
      symbol: 'dEUR',
      decimals: 6,
      framework: 'erc20',
      totalSupply: '1.25',
      ...read,
      warnings: [],
      metadata: {},
      updatedAt,
    })
    const after = (await world.get(token)).body.data
    const evidence = body.data.onchain.evidence
    expect(after).toEqual({ ...before, ...read, totalSupply: '1.25', updatedAt, evidence })
    expect(BigInt(blockNumber)).toBeGreaterThan(BigInt(before.totalSupplyBlock))
    expect(updatedAt > before.updatedAt).toBe(true)
    expect(evidence).toContainEqual({ call: 'totalSupply()', outcome: 'VALUE', value: '1250000' })
  })

  it('rewrites the facts of the framework and tells at which block', async () => {
    const { token } = await world.createSecurity()
    await world.import(token)
    const asOwner = (functionName: string, args: unknown[] = []) =>
      send(world.node, { address: token, abi: demoSecurityAbi, functionName, args })
    await asOwner('addAgent', [owner])
    await asOwner('pause')
    const { body } = await refresh(token)
    expect(body.data.record.metadata.paused).toBe(true)
    expect((await world.get(token)).body.data.metadata.paused).toBe(true)
    const block = await world.node.publicClient.getBlock()
    expect(body.metadata).toMatchObject({ blockNumber: block.number.toString(), blockHash: block.hash })
  })

  it('persists nothing when the framework of a proxy changed', async () => {
    const token = await createProxy()
    const { token: security } = await world.createSecurity()
    expect((await world.import(token)).body.data).toMatchObject({ framework: 'erc20', totalSupply: '2.5' })
    const before = await world.everyImport()
    await pointAt(token, security)
    // The proxy's own storage names no registry; the first slots of the security do.
    for (let slot = 0n; slot < 12n; slot++) {
      const value =
        (await world.node.publicClient.getStorageAt({ address: security, slot: pad(`0x${slot.toString(16)}`) })) ?? '0x'
      await world.node.testClient.setStorageAt({ address: token, index: Number(slot), value: pad(value) })
    }
    const { status, body } = await refresh(token)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      onchain: { framework: 'erc3643', symbol: 'NORD' },
      storedFramework: 'erc20',
      frameworkMatches: false,
      persisted: false,
      record: { framework: 'erc20', symbol: 'PRX', decimals: 8, totalSupply: '2.5' },
    })
    expect(await world.everyImport()).toEqual(before)
  })

  it('answers NOT_A_CONTRACT, UNSUPPORTED_TOKEN or DETECTION_FAILED for what the token became, and keeps the record', async () => {
    const notAToken = await world.create({ abi: notATokenAbi, bytecode: notATokenBytecode })
    const unreadable = await world.create({ abi: badDecimalsAbi, bytecode: badDecimalsBytecode })
    const token = await createProxy()
    await world.import(token)
    const before = await world.everyImport()
    for (const [implementation, code] of [
      [notAToken, 'UNSUPPORTED_TOKEN'],
      [unreadable, 'DETECTION_FAILED'],
    ] as const) {
      await pointAt(token, implementation)
      const { status, body } = await refresh(token)
      expect([status, body.error.code]).toEqual([400, code])
    }
    await world.node.testClient.setCode({ address: token, bytecode: '0x' })
    const { status, body } = await refresh(token)
    expect([status, body.error.code]).toEqual([400, 'NOT_A_CONTRACT'])
    expect(await world.everyImport()).toEqual(before)
  })

  it('writes nothing over an import that was revoked or replaced while the chain was read', async () => {
    const revoke = (token: string) => world.instance.call('DELETE', `${TOKENS}/${token}`)
    const replace = (token: string) =>
      world.superuser`update token_imports set framework = 'erc1400' where token_address = ${token}`
    for (const meanwhile of [replace, revoke]) {
      const token = await world.createImport()
      let after: unknown
      proxy.afterCall = async () => {
        proxy.afterCall = undefined
        await meanwhile(token)
        after = await world.everyImport()
      }
      const { status, body } = await refresh(token)
      expect([status, body.error.code]).toEqual([404, 'IMPORT_NOT_FOUND'])
      expect(await world.everyImport()).toEqual(after)
    }
  })

  it('answers IMPORT_NOT_FOUND for a token of another instance, and for one that is not imported', async () => {
    const other = await world.createInstance()
    const token = await world.createImport()
    const answers = [await other.call('POST', `${TOKENS}/${token}/refresh`), await refresh(await world.createCash())]
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'IMPORT_NOT_FOUND'])
  })

  it('answers INVALID_ADDRESS for a wrong checksum', async () => {
    const { status, body } = await refresh('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
    expect([status, body.error.code]).toEqual([400, 'INVALID_ADDRESS'])
  })

  it('takes no body, an empty one or {}, and answers VALIDATION_ERROR for any other', async () => {
    const token = await world.createImport()
    expect((await refresh(token, {})).status).toBe(200)
    for (const given of [{ force: true }, [], 'now', null]) {
      const { status, body } = await refresh(token, given)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})
