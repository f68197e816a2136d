import { stockFactoryAbi, stockTokenAbi } from '@tallystick/abi'
import { deployEntryPoint, deploySafe, send, wallet } from '@tallystick/testkit'
import { type Address, decodeFunctionData, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInWithKey } from '../../../test/browser.ts'
import { createStocksWorld, must, refusal, STOCKS, type StocksWorld } from '../../../test/stocks/stocks-world.ts'

const DEPLOY = `${STOCKS}/tokenization/deploy`
const LOG = `${STOCKS}/tokenization/log-deploy`

describe('deploying a stock token', () => {
  let world: StocksWorld
  beforeAll(async () => {
    world = await createStocksWorld()
  })
  afterAll(() => world.close())

  const build = (request: Record<string, unknown> = {}) => world.issuer.post(DEPLOY, world.terms(request))
  const importsOf = async (party = world.issuer) => (await party.get('/external-tokens/api/list')).body.data

  it('builds one transaction to the factory, with the address that the token will have', async () => {
    const request = {
      metadataURI: 'https://nordlicht.example/shares',
      decimals: 0,
      maxHolding: '1000',
      minHolding: '1',
    }
    const { body } = must(await build({ ...request, allowSubIssuers: true }))
    const issuer = world.issuer.wallet.address.toLowerCase()
    expect(body.data).toEqual({
      success: true,
      txData: { to: world.suite.stockFactory, data: expect.stringMatching(/^0x/), value: '0' },
      chainId: 31337,
      functionName: 'deployStock',
      requiredRole: null,
      signerAddress: null,
      simulation: { simulated: true, success: true, gasUsed: expect.stringMatching(/^\d+$/), revert: null },
      confirmWith: { endpoint: DEPLOY, field: 'txHash' },
      tokenAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      deployerAddress: issuer,
      factoryAddress: world.suite.stockFactory,
      identityRegistry: world.suite.identityRegistry,
      salt: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    const { args } = decodeFunctionData({ abi: stockFactoryAbi, data: body.data.txData.data })
    expect(args).toEqual([
      expect.objectContaining({
        name: 'Nordlicht Windpark AG',
        symbol: 'NORD',
        isin: 'DE000A1EWWW0',
        decimals: 0,
        allowSubIssuers: true,
      }),
      1000n,
      1n,
      body.data.salt,
    ])
    const txHash = await world.sign(world.issuer.wallet, { status: 200, body } as never)
    const { body: confirmed } = must(await world.issuer.post(DEPLOY, { txHash }))
    expect(confirmed.data).toEqual({
      transactionHash: txHash,
      tokenAddress: body.data.tokenAddress,
      name: 'Nordlicht Windpark AG',
      symbol: 'NORD',
      isin: 'DE000A1EWWW0',
      instanceId: world.issuer.instanceId,
      imported: true,
    })
    const owner = await world.node.publicClient.readContract({
      address: body.data.tokenAddress,
      abi: stockTokenAbi,
      functionName: 'owner',
    })
    expect(owner).toBe(world.issuer.wallet.address)
  })

  it('answers the same address for the same salt, another one for a fresh one, and none that two instances share', async () => {
    const salt = `0x${'5'.repeat(64)}`
    const address = async (answer: ReturnType<typeof build>) => must(await answer).body.data.tokenAddress
    const chosen = await address(build({ salt }))
    expect(await address(build({ salt }))).toBe(chosen)
    expect(await address(build({ salt, name: 'Another' }))).not.toBe(chosen)
    expect(await address(world.outsider.post(DEPLOY, world.terms({ salt })))).not.toBe(chosen)
    expect(await address(build())).not.toBe(await address(build()))
    expect(await address(build({ salt, deployerAddress: wallet(7).address }))).not.toBe(chosen)
  })

  it('says in the simulation that a salt was used before, and that a registry is none', async () => {
    const salt = `0x${'6'.repeat(64)}`
    await world.deployStock({ salt })
    const again = must(await build({ salt })).body.data.simulation
    expect(again).toMatchObject({ success: false, revert: { code: 'ALREADY_DEPLOYED' } })
    const nowhere = must(await build({ identityRegistryAddress: wallet(5).address })).body.data.simulation
    expect(nowhere).toMatchObject({ success: false, revert: { code: 'NOT_A_CONTRACT' } })
    const other = must(await build({ identityRegistryAddress: world.suite.stockFactory })).body.data.simulation
    expect(other).toMatchObject({ success: false, revert: { code: 'TERMS_REFUSED' } })
  })

  it('records the token for the instance that confirms, and imports it as an ERC-3643 token', async () => {
    const { token, txHash } = await world.deployStock()
    const listed = must(await world.issuer.get(`${STOCKS}/fetch/tokens`)).body.data
    expect(listed[0]).toEqual({
      tokenAddress: token,
      name: 'Nordlicht Windpark AG',
      symbol: 'NORD',
      isin: 'DE000A1EWWW0',
      decimals: 18,
      metadataURI: null,
      issuerAddress: world.issuer.wallet.address.toLowerCase(),
      instanceId: world.issuer.instanceId,
      recordedAt: expect.any(String),
    })
    const [imported] = await importsOf()
    expect(imported).toMatchObject({
      tokenAddress: token,
      framework: 'erc3643',
      assetType: 'PUBLIC_EQUITY',
      symbol: 'NORD',
    })
    expect(refusal(await world.outsider.get(`${STOCKS}/fetch/token/${token}`))).toEqual([404, 'TOKEN_NOT_FOUND'])

    // The same hash again is the same answer, and what was revoked meanwhile stays revoked.
    await world.issuer.call('DELETE', `/external-tokens/api/${token}`)
    const again = must(await world.issuer.post(DEPLOY, { txHash }))
    expect(again.body.data).toMatchObject({ tokenAddress: token, imported: false })
    expect(must(await world.issuer.get(`${STOCKS}/fetch/tokens`)).body.data).toHaveLength(listed.length)
    expect((await importsOf()).some(({ tokenAddress }: { tokenAddress: string }) => tokenAddress === token)).toBe(false)
  })

  it('goes through a Safe, which is then the deployer, and the log proves it', async () => {
    const safe = await deploySafe(world.node, [wallet(1)])
    const built = must(await build({ deployerAddress: safe.address, issuerAddress: safe.address }))
    const { receipt } = await safe.execThroughSafe(built.body.data.txData)
    const { body } = must(await world.issuer.post(DEPLOY, { txHash: receipt.transactionHash }))
    expect(body.data).toMatchObject({ tokenAddress: built.body.data.tokenAddress, verifiedBy: 'receipt-log' })
  })

  it('is not what a bundle holds that deployed another token while the claimed one failed', async () => {
    const entryPoint = await deployEntryPoint(world.node)
    const accounts = [await entryPoint.createAccount(wallet(6)), await entryPoint.createAccount(wallet(7))] as const
    const [other, claimed] = await Promise.all(
      accounts.map(async ({ address }) => must(await build({ deployerAddress: address })).body.data),
    )
    const { receipt, succeeded } = await entryPoint.bundle([
      await accounts[0].signOperation(other.txData),
      await accounts[1].signOperation(claimed.txData, { failInner: true }),
    ])
    expect(succeeded).toEqual([true, false])
    const deployTxHash = receipt.transactionHash
    const terms = { name: 'Nordlicht Windpark AG', symbol: 'NORD', isin: 'DE000A1EWWW0', deployTxHash }
    const answer = await world.issuer.post(LOG, { ...terms, tokenAddress: claimed.tokenAddress })
    expect(refusal(answer)).toEqual([400, 'TX_NOT_VERIFIED'])
    expect(answer.body.error.message).not.toContain('nothing happened')
    must(await world.issuer.post(LOG, { ...terms, tokenAddress: other.tokenAddress }))
  })

  it('is offered as a file for a Safe', async () => {
    const { body } = await world.issuer.post(`${DEPLOY}?format=safe`, world.terms())
    expect(body.transactions).toHaveLength(1)
    expect(body.transactions[0].to).toBe(world.suite.stockFactory)
  })

  it('refuses terms that are missing or cannot stand', async () => {
    const missing = await world.issuer.post(DEPLOY, { name: 'Nordlicht' })
    expect(refusal(missing)).toEqual([400, 'MISSING_FIELDS'])
    expect(missing.body.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'symbol',
      'isin',
      'issuerAddress',
    ])
    const faults: [Record<string, unknown>, string][] = [
      [{ isin: 'DE000A1EWWW1' }, 'isin'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ symbol: '\u0007' }, 'symbol'],
      [{ metadataURI: 'http://nordlicht.example' }, 'metadataURI'],
      [{ decimals: 19 }, 'decimals'],
      [{ maxHolding: '1.5', decimals: 0 }, 'maxHolding'],
      [{ minHolding: '-1' }, 'minHolding'],
      [{ issuerAddress: '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266' }, 'issuerAddress'],
      [{ salt: '0x12' }, 'salt'],
      [{ proxyBytecode: '0x' }, 'proxyBytecode'],
    ]
    for (const [request, field] of faults) {
      const answer = await build(request)
      expect([field, ...refusal(answer)]).toEqual([field, 400, 'VALIDATION_ERROR'])
      expect(answer.body.error.details[0].field).toBe(field)
    }
  })

  it('confirms only a deployment of this factory that is what the caller says it is', async () => {
    const { txHash } = await world.deployStock()
    const refused = async (body: Record<string, unknown>, status: number, code: string) =>
      expect([body, ...refusal(await world.outsider.post(DEPLOY, body))]).toEqual([body, status, code])
    await refused({ txHash, isin: 'US0378331005' }, 400, 'TX_NOT_VERIFIED')
    await refused({ txHash, issuerAddress: wallet(5).address }, 400, 'TX_NOT_VERIFIED')
    await refused({ txHash, name: 'Südlicht' }, 400, 'TX_NOT_VERIFIED')
    await refused({ txHash, legalOperatorAddress: wallet(5).address }, 400, 'TX_NOT_VERIFIED')
    await refused({ txHash, isin: 'DE000A1EWWW1' }, 400, 'VALIDATION_ERROR')
    await refused({ txHash, useRelayer: true }, 400, 'VALIDATION_ERROR')
    await refused({ txHash: `0x${'0'.repeat(63)}1` }, 404, 'TX_NOT_FOUND')
    const { token } = await world.deployStock()
    const elsewhere = await world.onToken(token, 'pause', [])
    await refused({ txHash: elsewhere }, 400, 'TX_WRONG_TARGET')
    const owned = { address: world.suite.stockFactory, abi: stockFactoryAbi }
    const other = await send(world.node, { ...owned, functionName: 'transferOwnership', args: [zeroAddress] })
    await refused({ txHash: other.transactionHash }, 400, 'TX_WRONG_FUNCTION')
    await refused({ txHash: await world.failed(world.suite.stockFactory) }, 400, 'TX_REVERTED')
    await world.withoutNode(() => refused({ txHash }, 503, 'CHAIN_UNAVAILABLE'))
    await world.withoutNode(async () => expect(refusal(await build())).toEqual([503, 'CHAIN_UNAVAILABLE']))
    expect(must(await world.outsider.get(`${STOCKS}/fetch/tokens`)).body.data).toEqual([])
  })

  describe('logged afterwards', () => {
    const claim = (token: Address, deployTxHash: string, request: Record<string, unknown> = {}) => ({
      tokenAddress: token,
      name: 'Nordlicht Windpark AG',
      symbol: 'NORD',
      isin: 'DE000A1EWWW0',
      deployTxHash,
      ...request,
    })

    it('is recorded for whoever logs it, with all he says checked', async () => {
      const { token, txHash } = await world.deployStock()
      const other = await world.createParty(wallet(3))
      const issuerAddress = world.issuer.wallet.address
      const more = { issuerAddress, legalOperatorAddress: issuerAddress, allowSubIssuers: false, metadataURI: '' }
      const { body } = must(await other.post(LOG, claim(token, txHash, more)))
      expect(body.data).toEqual({
        transactionHash: txHash,
        tokenAddress: token,
        name: 'Nordlicht Windpark AG',
        symbol: 'NORD',
        isin: 'DE000A1EWWW0',
        instanceId: other.instanceId,
        imported: true,
      })
      expect(must(await other.get(`${STOCKS}/fetch/token/${token}`)).body.data.instanceId).toBe(other.instanceId)
    })

    it('is refused when something is missing, wrong, or proves nothing', async () => {
      const { token, txHash } = await world.deployStock()
      const refused = async (body: Record<string, unknown>, status: number, code: string) =>
        expect([body, ...refusal(await world.outsider.post(LOG, body))]).toEqual([body, status, code])
      await refused({}, 400, 'MISSING_FIELDS')
      const { deployTxHash: _, ...unproven } = claim(token, txHash)
      await refused(unproven, 400, 'MISSING_FIELDS')
      await refused(claim(token, txHash, { isin: 'DE000A1EWWW1' }), 400, 'VALIDATION_ERROR')
      await refused(claim(wallet(5).address, txHash), 400, 'TX_NOT_VERIFIED')
      await refused(claim(token, txHash, { symbol: 'SUED' }), 400, 'TX_NOT_VERIFIED')
      await refused(claim(token, `0x${'0'.repeat(63)}1`), 404, 'TX_NOT_FOUND')
      await refused(claim(token, await world.onToken(token, 'pause', [])), 400, 'TX_WRONG_TARGET')
      const owned = { address: world.suite.stockFactory, abi: stockFactoryAbi }
      const other = await send(world.node, { ...owned, functionName: 'transferOwnership', args: [zeroAddress] })
      await refused(claim(token, other.transactionHash), 400, 'TX_WRONG_FUNCTION')
      await refused(claim(token, await world.failed(world.suite.stockFactory)), 400, 'TX_REVERTED')
      await world.withoutNode(() => refused(claim(token, txHash), 503, 'CHAIN_UNAVAILABLE'))
    })
  })

  it('is sent by the relayer, whose address decides where the token stands', async () => {
    const party = await world.createParty(wallet(6))
    const salt = `0x${'8'.repeat(64)}`
    const relay = (request: Record<string, unknown> = {}) =>
      party.post(DEPLOY, world.terms({ salt, useRelayer: true, ...request }))
    expect(refusal(await relay())).toEqual([400, 'RELAYER_NOT_CONFIGURED'])
    const { address, signer } = await world.giveRelayer(party)
    const limit = (maxGasPerTx: string | null) =>
      party.call('PATCH', '/access/api/relayer/limits', { body: { maxGasPerTx } })
    await limit('1')
    expect(refusal(await relay())).toEqual([429, 'RELAYER_LIMIT_EXCEEDED'])
    await limit(null)
    signer.behave = async () => ({ error: { code: -32000, message: 'locked' } })
    expect(refusal(await relay())).toEqual([502, 'RELAYER_UNAVAILABLE'])
    signer.behave = undefined
    must(await party.post('/access/api/relayer/freeze'))
    expect(refusal(await relay())).toEqual([403, 'RELAYER_FROZEN'])
    must(await party.post('/access/api/relayer/unfreeze'))

    const browser = await signInWithKey(world, party)
    await world.superuser`
      insert into approval_policies (instance_id, second_person, changed_at) values (${party.instanceId}, true, now())`
    const inSession = await browser.call('POST', DEPLOY, { body: world.terms({ salt, useRelayer: true }) })
    expect(refusal(inSession)).toEqual([409, 'APPROVAL_REQUIRED'])
    const predicted = must(await party.post(DEPLOY, world.terms({ salt, deployerAddress: address }))).body.data
    const { body } = must(await relay())
    expect(body.data).toEqual({
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      tokenAddress: predicted.tokenAddress,
      name: 'Nordlicht Windpark AG',
      symbol: 'NORD',
      isin: 'DE000A1EWWW0',
    })
    const txHash = body.data.transactionHash
    await world.node.publicClient.waitForTransactionReceipt({ hash: txHash })
    expect(must(await party.post(DEPLOY, { txHash })).body.data.tokenAddress).toBe(predicted.tokenAddress)
    const again = await relay()
    expect(refusal(again)).toEqual([409, 'TX_WOULD_REVERT'])
    expect(again.body.error.simulation.revert.code).toBe('ALREADY_DEPLOYED')
  })

  it('is not possible where the operator has recorded no factory or no registry', async () => {
    const { superuser } = world
    const { txHash, token } = await world.deployStock()
    await superuser`update deployed_contracts set name = 'gone' where name = 'IdentityRegistry'`
    expect(refusal(await build())).toEqual([503, 'STOCKS_NOT_CONFIGURED'])
    expect((await build({ identityRegistryAddress: world.suite.identityRegistry })).status).toBe(200)
    await superuser`update deployed_contracts set name = 'none' where name = 'StockFactory'`
    expect(refusal(await build())).toEqual([503, 'STOCKS_NOT_CONFIGURED'])
    expect(refusal(await world.issuer.post(DEPLOY, { txHash }))).toEqual([503, 'STOCKS_NOT_CONFIGURED'])
    const claim = { tokenAddress: token, name: 'n', symbol: 's', isin: 'DE000A1EWWW0', deployTxHash: txHash }
    expect(refusal(await world.issuer.post(LOG, claim))).toEqual([503, 'STOCKS_NOT_CONFIGURED'])
    await superuser`update deployed_contracts set name = 'IdentityRegistry' where name = 'gone'`
    await superuser`update deployed_contracts set name = 'StockFactory' where name = 'none'`
  })
})
