import {
  demoCertificateAbi,
  demoCertificateBytecode,
  demoVaultBarAbi,
  demoVaultBarBytecode,
  partitionedShareAbi,
  partitionedShareBytecode,
} from '@tallystick/abi'
import {
  cloneFactoryAbi,
  cloneFactoryBytecode,
  plainProxyAbi,
  plainProxyBytecode,
  proxiedTokenAbi,
  proxiedTokenBytecode,
} from '@tallystick/abi/testing'
import { type CountingRpc, countingRpc, deployTrex, send } from '@tallystick/testkit'
import { encodeFunctionData, getAddress, type Hex, parseEventLogs, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'

describe('POST /external-tokens/api/detect', () => {
  let world: TokensWorld
  let counter: CountingRpc
  let owner: Hex

  beforeAll(async () => {
    world = await createTokensWorld({
      async rpcUrls(url) {
        counter = await countingRpc(url)
        return [counter.url]
      },
    })
    owner = world.node.walletClient.account.address
  })
  afterAll(async () => {
    await world.close()
    await counter.stop()
  })

  const evidenceFor = (answer: { body: { data: { evidence: { call: string }[] } } }, call: string) =>
    answer.body.data.evidence.find((one) => one.call === call)

  it('recognises a token of the real ERC-3643 suite', async () => {
    const trex = await deployTrex(world.node, { name: 'Example Share', symbol: 'EXS', decimals: 6 })
    await trex.registerHolder(owner)
    await trex.mint(owner, 1_234_500_000n)
    const answer = await world.detect(trex.token)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      tokenAddress: trex.token.toLowerCase(),
      name: 'Example Share',
      symbol: 'EXS',
      decimals: 6,
      framework: 'erc3643',
      totalSupply: '1234.5',
      totalSupplyAt: new Date(answer.body.metadata.chainTime * 1000).toISOString(),
      totalSupplyBlock: answer.body.metadata.blockNumber,
      environment: 'DEVELOPMENT',
      details: {
        identityRegistry: trex.identityRegistry.toLowerCase(),
        compliance: trex.compliance.toLowerCase(),
        onchainID: null,
        paused: false,
      },
      alreadyImported: false,
      evidence: expect.any(Array),
    })
    expect(evidenceFor(answer, 'identityRegistry().isVerified(0x0)')).toMatchObject({ outcome: 'VALUE' })
    expect(evidenceFor(answer, 'isControllable()')).toEqual({ call: 'isControllable()', outcome: 'REVERTED' })
  })

  it('recognises our own ERC-3643 security', async () => {
    const { token, ...contracts } = await world.createSecurity()
    const { body } = await world.detect(token)
    expect(body.data).toMatchObject({ framework: 'erc3643', name: 'Nordlicht 2030', decimals: 18, totalSupply: '0' })
    expect(body.data.details).toEqual({ ...contracts, paused: false })
  })

  it('recognises an ERC-1400 share', async () => {
    const args = ['Alpine Class A', 'ALPN', 2, 5n, owner]
    const token = await world.create({ abi: partitionedShareAbi, bytecode: partitionedShareBytecode, args })
    const { body } = await world.detect(token)
    expect(body.data).toMatchObject({ framework: 'erc1400', symbol: 'ALPN', decimals: 2 })
    expect(body.data.details).toEqual({ isControllable: true, isIssuable: true, granularity: '5' })
  })

  it('recognises an ERC-721 certificate, which has no decimals', async () => {
    const args = ['Atelier', 'ATEL', 'https://atelier.example/', owner]
    const token = await world.create({ abi: demoCertificateAbi, bytecode: demoCertificateBytecode, args })
    await send(world.node, { address: token, abi: demoCertificateAbi, functionName: 'issue', args: [owner] })
    const answer = await world.detect(token)
    expect(answer.body.data).toMatchObject({ framework: 'erc721', name: 'Atelier', symbol: 'ATEL', decimals: 0 })
    expect(answer.body.data).not.toHaveProperty('degradedMetadata')
    expect(answer.body.data).toMatchObject({ totalSupply: '0', details: { enumerable: false } })
    expect(evidenceFor(answer, 'totalSupply()')).toEqual({ call: 'totalSupply()', outcome: 'REVERTED' })
  })

  it('recognises an ERC-1155 collection, which has neither decimals nor one supply', async () => {
    const args = ['https://tresor.example/{id}.json', owner]
    const token = await world.create({ abi: demoVaultBarAbi, bytecode: demoVaultBarBytecode, args })
    const { body } = await world.detect(token)
    expect(body.data).toMatchObject({ framework: 'erc1155', decimals: 0, totalSupply: '0' })
    expect(body.data.details).toEqual({ uri: 'https://tresor.example/{id}.json' })
  })

  it('recognises an ERC-20 in any case of its address', async () => {
    const token = await world.createCash('dEUR', 6)
    for (const written of [token, getAddress(token), `0x${token.slice(2).toUpperCase()}`]) {
      const { status, body } = await world.detect(written)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ tokenAddress: token, framework: 'erc20', symbol: 'dEUR', details: {} })
    }
  })

  it('looks through an ERC-1967 proxy and an EIP-1167 clone', async () => {
    const implementation = await world.create({ abi: proxiedTokenAbi, bytecode: proxiedTokenBytecode })
    const initialize = (symbol: string) =>
      encodeFunctionData({
        abi: proxiedTokenAbi,
        functionName: 'initialize',
        args: [`Proxied ${symbol}`, symbol, 8, owner, 250_000_000n],
      })
    const proxy = await world.create({
      abi: plainProxyAbi,
      bytecode: plainProxyBytecode,
      args: [implementation, initialize('PRX')],
    })
    const factory = await world.create({ abi: cloneFactoryAbi, bytecode: cloneFactoryBytecode })
    const { logs } = await send(world.node, {
      address: factory,
      abi: cloneFactoryAbi,
      functionName: 'clone',
      args: [implementation, initialize('CLN')],
    })
    const [cloned] = parseEventLogs({ abi: cloneFactoryAbi, eventName: 'Cloned', logs })
    for (const [token, symbol] of [
      [proxy, 'PRX'],
      [cloned?.args.clone ?? zeroAddress, 'CLN'],
    ] as const) {
      const { body } = await world.detect(token)
      expect(body.data).toMatchObject({ framework: 'erc20', symbol, decimals: 8, totalSupply: '2.5' })
    }
  })

  it('says at which block it read, and writes nothing', async () => {
    const token = await world.createCash()
    const before = await world.everyImport()
    const { body } = await world.detect(token)
    const block = await world.node.publicClient.getBlock()
    expect(body.metadata).toMatchObject({
      instanceId: world.instance.instanceId,
      blockNumber: block.number.toString(),
      blockHash: block.hash,
      chainTime: Number(block.timestamp),
    })
    expect(await world.everyImport()).toEqual(before)
  })

  it('costs one round trip to the chain', async () => {
    const token = await world.createCash()
    counter.reset()
    expect((await world.detect(token)).status).toBe(200)
    expect(counter.counts).toEqual({ roundTrips: 1, calls: { eth_getBlockByNumber: 1, eth_call: 1 } })
  })

  it('tells whether this instance has an active import of the token', async () => {
    const other = await world.createInstance()
    const token = await world.createImport()
    const detectAs = async (instance: typeof other) =>
      (await instance.call('POST', `${TOKENS}/detect`, { body: { tokenAddress: token } })).body.data.alreadyImported
    expect(await detectAs(world.instance)).toBe(true)
    expect(await detectAs(other)).toBe(false)
    await world.instance.call('DELETE', `${TOKENS}/${token}`)
    expect(await detectAs(world.instance)).toBe(false)
  })

  it('answers NOT_A_CONTRACT for an account without code', async () => {
    for (const address of [owner, zeroAddress, `0x${'77'.repeat(20)}`]) {
      const { status, body } = await world.detect(address)
      expect([status, body.error.code]).toEqual([400, 'NOT_A_CONTRACT'])
    }
  })

  it.each([
    ['too short', '0x1234'],
    ['without 0x', 'ab'.repeat(20)],
    ['not hexadecimal', `0x${'zz'.repeat(20)}`],
    ['wrong in its checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5aA', '5AA')],
    ['a number', 1234],
    ['missing', undefined],
  ])('answers INVALID_ADDRESS for an address that is %s', async (_, tokenAddress) => {
    const { status, body } = await world.instance.call('POST', `${TOKENS}/detect`, { body: { tokenAddress } })
    expect([status, body.error.code]).toEqual([400, 'INVALID_ADDRESS'])
  })

  it('answers VALIDATION_ERROR for a field that it does not know', async () => {
    const body = { tokenAddress: await world.createCash(), framework: 'erc20' }
    const answer = await world.instance.call('POST', `${TOKENS}/detect`, { body })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.details).toEqual([{ field: 'framework', message: 'is not a field of this request' }])
  })
})
