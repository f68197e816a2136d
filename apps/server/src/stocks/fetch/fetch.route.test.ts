import { identityRegistryAbi, stockTokenAbi } from '@tallystick/abi'
import { limitModuleAbi, limitModuleBytecode } from '@tallystick/abi/testing'
import { deploy, send, wallet } from '@tallystick/testkit'
import { type Address, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createStocksWorld,
  must,
  refusal,
  STOCKS,
  type StocksWorld,
  shares,
} from '../../../test/stocks/stocks-world.ts'

const lower = (index: number) => wallet(index).address.toLowerCase() as Address
const [anna, bert, carla] = [lower(3), lower(4), lower(5)] as const

describe('reading a stock token', () => {
  let world: StocksWorld
  let token: Address
  let other: Address

  beforeAll(async () => {
    world = await createStocksWorld()
    await world.verify(anna, bert)
    token = (await world.deployStock({ allowSubIssuers: true, metadataURI: 'ipfs://nordlicht' })).token
    other = (await world.deployStock({ decimals: 0, symbol: 'SUED', name: 'Südlicht AG' })).token
    await world.onToken(token, 'issue', [anna, shares(100), zeroHash])
    await world.onToken(other, 'issue', [anna, 7n, zeroHash])
    await world.onToken(token, 'addController', [world.issuer.wallet.address])
    await world.onToken(token, 'addSubIssuer', [bert])
    await world.onToken(token, 'setSubIssuerCap', [bert, shares(40)])
    await world.onToken(token, 'issue', [bert, shares('2.5'), zeroHash], wallet(4))
    await world.onToken(token, 'freezeTokens', [anna, shares(30)])
  })
  afterAll(() => world.close())

  const get = (path: string) => world.issuer.get(`${STOCKS}/fetch${path}`)
  const data = async (path: string) => must(await get(path)).body.data
  const canTransfer = (from: string, to: string, amount: string) =>
    data(`/${token}/can-transfer?from=${from}&to=${to}&amount=${amount}`)

  it('lists the tokens of the instance, newest first', async () => {
    const listed = await data('/tokens')
    expect(listed.map(({ tokenAddress }: { tokenAddress: string }) => tokenAddress)).toEqual([other, token])
    expect(must(await world.outsider.get(`${STOCKS}/fetch/tokens`)).body.data).toEqual([])
  })

  it('shows a token with what it says of itself', async () => {
    const issuer = world.issuer.wallet.address.toLowerCase()
    expect(await data(`/token/${token}`)).toEqual({
      tokenAddress: token,
      name: 'Nordlicht Windpark AG',
      symbol: 'NORD',
      isin: 'DE000A1EWWW0',
      decimals: 18,
      metadataURI: 'ipfs://nordlicht',
      issuerAddress: issuer,
      instanceId: world.issuer.instanceId,
      recordedAt: expect.any(String),
      totalSupply: '102.5',
      paused: false,
      owner: issuer,
      identityRegistry: world.suite.identityRegistry,
      announcedRegistry: null,
      complianceModule: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      subIssuersAllowed: true,
      holderCount: '2',
      splitRatio: { numerator: '1', denominator: '1' },
      splitHoldersLeft: '0',
    })
  })

  it('tells roles, one or all', async () => {
    expect(await data(`/${token}/role/${bert}?role=SUB_ISSUER`)).toEqual({
      account: bert,
      role: 'SUB_ISSUER',
      hasRole: true,
    })
    expect(await data(`/${token}/role/${bert}?role=ISSUER`)).toMatchObject({ hasRole: false })
    expect(await data(`/${token}/role/${bert}`)).toEqual({
      account: bert,
      roles: { ISSUER: false, SUB_ISSUER: true, CONTROLLER: false, LEGAL_OPERATOR: false },
      subIssuer: { cap: '40', outstanding: '2.5' },
    })
    expect(await data(`/${token}/role/${world.issuer.wallet.address}`)).toEqual({
      account: world.issuer.wallet.address.toLowerCase(),
      roles: { ISSUER: true, SUB_ISSUER: false, CONTROLLER: true, LEGAL_OPERATOR: true },
      subIssuer: { cap: null, outstanding: '0' },
    })
    for (const role of ['AGENT', 'issuer', ''])
      expect(refusal(await get(`/${token}/role/${bert}?role=${role}`))).toEqual([400, 'INVALID_ROLE'])
    expect(refusal(await get(`/${token}/role/0x12`))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('says whether a transfer would pass, and which rule of the token refuses it', async () => {
    const answer = (allowed: boolean, from: string, to: string, amount: string, code: string, rule: string) => ({
      ...{ allowed, from, to, amount, code, rule, module: null },
    })
    expect(await canTransfer(anna, bert, '70')).toEqual(answer(true, anna, bert, '70', 'SUCCESS', 'SUCCESS'))
    const refused: [string, string, string, string, string][] = [
      [anna, bert, '70.5', 'SENDER_TOKENS_FROZEN', 'TOKENS_FROZEN'],
      [anna, bert, '101', 'INSUFFICIENT_BALANCE', 'INSUFFICIENT_BALANCE'],
      [anna, carla, '1', 'RECEIVER_NOT_ELIGIBLE', 'RECEIVER_NOT_VERIFIED'],
      [carla, bert, '0', 'SENDER_NOT_ELIGIBLE', 'SENDER_NOT_VERIFIED'],
    ]
    for (const [from, to, amount, code, rule] of refused)
      expect(await canTransfer(from, to, amount)).toEqual(answer(false, from, to, amount, code, rule))
    const missing = await get(`/${token}/can-transfer?from=${anna}`)
    expect(refusal(missing)).toEqual([400, 'MISSING_FIELDS'])
    expect(missing.body.error.details.map(({ field }: { field: string }) => field)).toEqual(['to', 'amount'])
    for (const amount of ['x', '-1', '0.0000000000000000001'])
      expect(refusal(await get(`/${token}/can-transfer?from=${anna}&to=${bert}&amount=${amount}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
  })

  it('names the compliance module of the identity registry that refuses', async () => {
    const limit = { abi: limitModuleAbi, bytecode: limitModuleBytecode, args: [shares(5), shares(1_000)] }
    const module = (await deploy(world.node, limit)).toLowerCase()
    const onRegistry = (functionName: string) =>
      send(world.node, {
        address: world.suite.identityRegistry,
        abi: identityRegistryAbi,
        functionName,
        args: [module],
      })
    await onRegistry('addComplianceModule')
    expect(await canTransfer(anna, bert, '6')).toEqual({
      allowed: false,
      from: anna,
      to: bert,
      amount: '6',
      code: 'COMPLIANCE_REJECTED',
      rule: 'REGISTRY_MODULE_REFUSED',
      module,
    })
    expect(await canTransfer(anna, bert, '5')).toMatchObject({ allowed: true, module: null })
    await world.node.testClient.setCode({ address: module as Address, bytecode: '0x' })
    expect(await canTransfer(anna, bert, '5')).toMatchObject({ rule: 'REGISTRY_MODULE_FAILED', module })
    await onRegistry('removeComplianceModule')
    expect(await canTransfer(anna, bert, '6')).toMatchObject({ allowed: true })
  })

  it('tells of a registry that is announced', async () => {
    const registryAddress = world.suite.identityRegistry
    await world.onToken(token, 'announceIdentityRegistry', [registryAddress])
    const { announcedRegistry } = await data(`/token/${token}`)
    expect(announcedRegistry).toEqual({ registryAddress, readyAt: expect.any(Number) })
    expect(announcedRegistry.readyAt).toBeGreaterThan(Date.now() / 1000 + 13 * 86_400)
    await world.onToken(token, 'announceIdentityRegistry', [zeroAddress])
    expect(await data(`/token/${token}`)).toMatchObject({ announcedRegistry: null })
  })

  it('names the rules of the compliance module, which the issuer sets through the token', async () => {
    await world.carryOut(world.issuer, `${STOCKS}/manage/${token}/compliance/limits`, {
      maxHolding: '90',
      minHolding: '2',
    })
    expect(await canTransfer(anna, bert, '0.6')).toMatchObject({ allowed: true })
    const own = { account: bert, maxHolding: '3', minHolding: '0' }
    const { body } = await world.carryOut(world.issuer, `${STOCKS}/manage/${token}/compliance/limits`, own)
    expect(body.data).toMatchObject(own)
    expect(await canTransfer(anna, bert, '0.6')).toMatchObject({
      code: 'COMPLIANCE_REJECTED',
      rule: 'RECIPIENT_EXCEEDS_MAX',
      module: (await data(`/token/${token}`)).complianceModule,
    })
    expect(await canTransfer(bert, anna, '1')).toMatchObject({ rule: 'BELOW_MIN_HOLDING' })
    const until = Math.floor(Date.now() / 1000) + 86_400
    await world.carryOut(world.issuer, `${STOCKS}/manage/${token}/compliance/lockup`, { account: anna, until })
    expect(await canTransfer(anna, bert, '0.1')).toMatchObject({ rule: 'SENDER_LOCKED' })
    await world.carryOut(world.issuer, `${STOCKS}/manage/${token}/compliance/lockup`, { account: anna, until: 0 })
    await world.carryOut(world.issuer, `${STOCKS}/manage/${token}/compliance/limits`, { ...own, maxHolding: '0' })
    await world.carryOut(world.issuer, `${STOCKS}/manage/${token}/compliance/limits`, {
      maxHolding: '0',
      minHolding: '0',
    })
    const past = must(
      await world.issuer.post(`${STOCKS}/manage/${token}/compliance/lockup`, { account: anna, until: 1 }),
    )
    expect(past.body.data.simulation.revert.code).toBe('LOCKUP_IN_THE_PAST')
  })

  it('shows balances and holdings', async () => {
    expect(await data(`/balance/${token}/${anna}`)).toEqual({
      account: anna,
      total: '100',
      transferable: '70',
      frozen: '30',
      walletFrozen: false,
    })
    expect(await data(`/holder/${anna}`)).toEqual([
      { tokenAddress: other, name: 'Südlicht AG', symbol: 'SUED', balance: '7' },
      { tokenAddress: token, name: 'Nordlicht Windpark AG', symbol: 'NORD', balance: '100' },
    ])
    expect(await data(`/holder/${carla}`)).toEqual([])
    expect(must(await world.outsider.get(`${STOCKS}/fetch/holder/${anna}`)).body.data).toEqual([])
    expect(refusal(await get(`/balance/${token}/0x12`))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await get('/holder/0x12'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('costs one round trip each, none where the record knows', async () => {
    const paths: [string, number][] = [
      ['/tokens', 0],
      [`/token/${token}`, 1],
      [`/${token}/role/${bert}`, 1],
      [`/${token}/role/${bert}?role=ISSUER`, 1],
      [`/${token}/can-transfer?from=${anna}&to=${bert}&amount=1`, 1],
      [`/balance/${token}/${anna}`, 1],
      [`/holder/${anna}`, 1],
      [`/holders/${token}`, 0],
      [`/transactions/${token}`, 0],
    ]
    for (const [path, trips] of paths) expect([path, await world.roundTrips(() => get(path))]).toEqual([path, trips])
  })

  it('says when the chain cannot be read, and never shows a zero for it', async () => {
    const paths = [
      `/token/${token}`,
      `/${token}/role/${bert}`,
      `/${token}/can-transfer?from=${anna}&to=${bert}&amount=1`,
      `/balance/${token}/${anna}`,
      `/holder/${anna}`,
    ]
    for (const path of paths) {
      const answer = await world.withoutNode(() => get(path))
      expect([path, ...refusal(answer)]).toEqual([path, 503, 'CHAIN_UNAVAILABLE'])
      expect(answer.headers['retry-after']).toBe('1')
    }
    const code = await world.node.publicClient.getCode({ address: other })
    await world.node.testClient.setCode({ address: other, bytecode: '0x5f5ffd' })
    expect(refusal(await get(`/token/${other}`))).toEqual([503, 'CHAIN_UNAVAILABLE'])
    expect(refusal(await get(`/holder/${anna}`))).toEqual([503, 'CHAIN_UNAVAILABLE'])
    await world.node.testClient.setCode({ address: other, bytecode: code ?? '0x' })
  })

  it('takes the words of the instance for the record of a token', async () => {
    const patch = (body: Record<string, unknown>, party = world.issuer) =>
      party.call('PATCH', `${STOCKS}/manage/token/${other}`, { body })
    const { body } = must(await patch({ name: 'Südlicht Solar AG', metadataURI: 'https://suedlicht.example' }))
    expect(body.data).toMatchObject({
      tokenAddress: other,
      name: 'Südlicht Solar AG',
      metadataURI: 'https://suedlicht.example',
    })
    expect(must(await patch({ metadataURI: null })).body.data).toMatchObject({
      name: 'Südlicht Solar AG',
      metadataURI: null,
    })
    expect(must(await patch({})).body.data).toMatchObject({ name: 'Südlicht Solar AG', metadataURI: null })
    expect(refusal(await patch({ metadataURI: 'javascript:1' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await patch({ name: '' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await patch({ symbol: 'X' }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await patch({ name: 'Mine' }, world.outsider))).toEqual([404, 'TOKEN_NOT_FOUND'])
    expect(
      refusal(await world.issuer.call('PATCH', `${STOCKS}/manage/token/${anna}`, { body: { name: 'x' } })),
    ).toEqual([404, 'TOKEN_NOT_FOUND'])
    const onChain = await world.node.publicClient.readContract({
      address: other,
      abi: stockTokenAbi,
      functionName: 'name',
    })
    expect(onChain).toBe('Südlicht AG')
  })

  it('is gone when a reorganization takes the deployment away', async () => {
    await world.follow()
    const snapshot = await world.node.testClient.snapshot()
    const { token: doomed } = await world.deployStock({ name: 'Strohfeuer AG' })
    await world.follow()
    expect((await get(`/token/${doomed}`)).status).toBe(200)
    await world.node.testClient.revert({ id: snapshot })
    const address = world.suite.identityRegistry
    for (let i = 0; i < 3; i++)
      await send(world.node, {
        address,
        abi: [{ type: 'function', name: 'version', inputs: [], outputs: [], stateMutability: 'nonpayable' }],
        functionName: 'version',
      })
    await world.follow()
    expect(refusal(await get(`/token/${doomed}`))).toEqual([404, 'TOKEN_NOT_FOUND'])
    expect((await data('/tokens')).map(({ name }: { name: string }) => name)).not.toContain('Strohfeuer AG')
  })
})
