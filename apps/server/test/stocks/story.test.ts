import { stockTokenAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStocksWorld, must, type Party, refusal, STOCKS, type StocksWorld } from './stocks-world.ts'

const lower = (index: number) => wallet(index).address.toLowerCase() as Address
const [anna, bert, stranger] = [lower(3), lower(4), lower(8)] as const
const bank = wallet(5)
const broker = wallet(6)

/** A company and its shareholders, from the first share to a split. Each step stands on the one before. */
describe('the story of a stock', () => {
  let world: StocksWorld
  let issuer: Party
  let token: Address
  let beforeSplit: bigint

  beforeAll(async () => {
    world = await createStocksWorld()
    issuer = world.issuer
    await world.verify(anna, bert)
  })
  afterAll(() => world.close())

  const at = (path: string) => `${STOCKS}/${path.replace('TOKEN', token)}`
  const fetch = async (path: string, party = issuer) => must(await party.get(at(`fetch/${path}`))).body.data
  const simulated = async (path: string, body: object, party = issuer) =>
    must(await party.post(at(path), body)).body.data.simulation
  const issueCall = (to: Address, amount: bigint): { to: Address; data: Hex } => ({
    to: token,
    data: encodeFunctionData({ abi: stockTokenAbi, functionName: 'issue', args: [to, amount, zeroHash] }),
  })
  /** Sent although it will fail: what the chain says to it. */
  async function triedOnChain(account: typeof bank, call: { to: Address; data: Hex }) {
    const hash = await world.node.walletClient.sendTransaction({ account, ...call, gas: 1_000_000n })
    return (await world.node.publicClient.waitForTransactionReceipt({ hash })).status
  }

  it('begins with a token on record, imported, and shares for a verified investor only', async () => {
    token = (await world.deployStock({ decimals: 0, allowSubIssuers: true })).token
    const issued = await world.carryOut(issuer, at('tokenization/TOKEN/issue'), { recipient: anna, amount: '7' })
    expect(issued.body.data).toMatchObject({ recipient: anna, amount: '7' })
    const refused = await simulated('tokenization/TOKEN/issue', { recipient: stranger, amount: '1' })
    expect(refused).toMatchObject({
      success: false,
      revert: { error: 'RecipientNotVerified', code: 'RECIPIENT_NOT_VERIFIED' },
    })
  })

  it('lets a bank issue within its cap, from an instance of its own', async () => {
    const ofBank = await world.createParty(bank)
    await world.carryOut(issuer, at('manage/TOKEN/sub-issuer/add'), { account: bank.address })
    await world.carryOut(issuer, at('manage/TOKEN/sub-issuer/cap'), { account: bank.address, cap: '10' })
    const [deployed] = await world.superuser`select deploy_tx from stock_tokens where token_address = ${token}`
    must(await ofBank.post(at('tokenization/deploy'), { txHash: deployed?.deploy_tx }))
    const done = await world.carryOut(ofBank, at('tokenization/TOKEN/issue'), { recipient: bert, amount: '9' })
    expect(done.body.data).toMatchObject({ recipient: bert, amount: '9' })
    const over = await simulated('tokenization/TOKEN/issue', { recipient: bert, amount: '2' }, ofBank)
    expect(over.revert.code).toBe('SUB_ISSUER_CAP_EXCEEDED')
    expect(await fetch(`TOKEN/role/${bank.address}`)).toMatchObject({
      roles: { SUB_ISSUER: true },
      subIssuer: { cap: '10', outstanding: '9' },
    })
  })

  it('removes the bank by calldata that the issuer signs, and the chain refuses its next issue', async () => {
    const path = at('manage/TOKEN/sub-issuer/remove')
    const built = must(await issuer.post(path, { account: bank.address })).body.data
    expect(built.success).toBe(true)
    const data = encodeFunctionData({ abi: stockTokenAbi, functionName: 'removeSubIssuer', args: [bank.address] })
    expect(built.txData).toEqual({ to: token, data, value: '0' })
    expect(await triedOnChain(bank, issueCall(bert, 1n))).toBe('success')
    const txHash = await world.sendRaw(issuer.wallet, built.txData)
    expect(must(await issuer.post(path, { account: bank.address, txHash })).body.data).toEqual({
      transactionHash: txHash,
      tokenAddress: token,
      account: bank.address.toLowerCase(),
      role: 'SUB_ISSUER',
      action: 'revoked',
    })
    expect(await triedOnChain(bank, issueCall(bert, 1n))).toBe('reverted')
    expect(await fetch(`TOKEN/role/${bank.address}`)).toMatchObject({
      roles: { SUB_ISSUER: false },
      subIssuer: { cap: '10', outstanding: '10' },
    })
  })

  it('builds the removal of somebody who is no sub-issuer all the same, and says that it would fail', async () => {
    const built = must(await issuer.post(at('manage/TOKEN/sub-issuer/remove'), { account: stranger })).body.data
    expect(built).toMatchObject({ success: true, txData: { to: token } })
    expect(built.simulation).toMatchObject({ simulated: true, success: false, revert: { code: 'NOT_SUB_ISSUER' } })
  })

  it('removes a broker by the relayer, and the chain refuses its next issue too', async () => {
    const path = at('manage/TOKEN/sub-issuer/remove')
    const { address } = await world.giveRelayer(issuer)
    await world.carryOut(issuer, at('manage/TOKEN/sub-issuer/add'), { account: broker.address })
    await world.sendRaw(broker, issueCall(anna, 1n))
    const without = await issuer.post(path, { account: broker.address, useRelayer: true })
    expect(refusal(without)).toEqual([409, 'TX_WOULD_REVERT'])
    expect(without.body.error.simulation.revert.code).toBe('NOT_AUTHORIZED')
    const grant = await world.node.publicClient.readContract({
      address: token,
      abi: stockTokenAbi,
      functionName: 'ISSUER_ROLE',
    })
    await world.onToken(token, 'grantRole', [grant, address])

    const { body } = must(await issuer.post(path, { account: broker.address, useRelayer: true }))
    expect(body).toEqual({
      success: true,
      data: {
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        tokenAddress: token,
        account: broker.address.toLowerCase(),
        role: 'SUB_ISSUER',
        action: 'revoked',
      },
      metadata: expect.objectContaining({
        requestId: expect.any(String),
        timestamp: expect.any(String),
        instanceId: issuer.instanceId,
      }),
    })
    const hash = body.data.transactionHash
    const receipt = await world.node.publicClient.waitForTransactionReceipt({ hash })
    expect([receipt.status, receipt.from]).toEqual(['success', address])
    expect(await triedOnChain(broker, issueCall(anna, 1n))).toBe('reverted')
  })

  it('sends once what is asked for twice under one Idempotency-Key', async () => {
    const ask = () =>
      issuer.call('POST', at('manage/TOKEN/controller/add'), {
        body: { account: lower(7), useRelayer: true },
        headers: { 'idempotency-key': 'controller-of-the-story' },
      })
    const [first, second] = [must(await ask()), must(await ask())]
    expect(second.headers['idempotent-replay']).toBe('true')
    expect(second.text).toBe(first.text)
    await world.node.publicClient.waitForTransactionReceipt({ hash: first.body.data.transactionHash })
    expect(await fetch(`TOKEN/role/${lower(7)}?role=CONTROLLER`)).toMatchObject({ hasRole: true })
  })

  it('freezes shares, and the token names the rule by which it refuses to move them', async () => {
    await world.carryOut(issuer, at('manage/TOKEN/freeze'), { account: anna, amount: '5' }, wallet(7))
    expect(await fetch(`balance/TOKEN/${anna}`)).toMatchObject({ total: '8', transferable: '3', frozen: '5' })
    const asked = await fetch(`TOKEN/can-transfer?from=${anna}&to=${bert}&amount=4`)
    expect(asked).toMatchObject({ allowed: false, code: 'SENDER_TOKENS_FROZEN', rule: 'TOKENS_FROZEN' })
    const move = (to: Address, amount: bigint) =>
      world.node.publicClient.simulateContract({
        address: token,
        abi: stockTokenAbi,
        functionName: 'transfer',
        args: [to, amount],
        account: anna,
      })
    await expect(move(bert, 4n)).rejects.toThrow('TOKENS_FROZEN')
    await expect(move(stranger, 1n)).rejects.toThrow('RECEIVER_NOT_VERIFIED')
    await world.onToken(token, 'transfer', [bert, 1n], wallet(3))
  })

  it('moves shares by a controller’s order, frozen ones first, through a Safe', async () => {
    const safe = await deploySafe(world.node, [wallet(1)])
    await world.carryOut(issuer, at('manage/TOKEN/controller/add'), { account: safe.address })
    const order = { from: anna, to: bert, amount: '6', reason: 'By order of the court' }
    const built = must(await issuer.post(at('manage/TOKEN/force-transfer'), order)).body.data
    expect(built.requiredRole).toBe('CONTROLLER')
    const { receipt } = await safe.execThroughSafe(built.txData)
    const body = { ...order, txHash: receipt.transactionHash }
    expect(must(await issuer.post(at('manage/TOKEN/force-transfer'), body)).body.data).toEqual({
      transactionHash: receipt.transactionHash,
      tokenAddress: token,
      from: anna,
      to: bert,
      amount: '6',
      verifiedBy: 'receipt-log',
    })
    expect(await fetch(`balance/TOKEN/${anna}`)).toMatchObject({ total: '1', frozen: '0' })
    expect(await fetch(`balance/TOKEN/${bert}`)).toMatchObject({ total: '17' })
  })

  it('splits three for two, down to the whole share, and remembers who held what before', async () => {
    beforeSplit = await world.node.publicClient.getBlockNumber()
    const path = at('tokenization/TOKEN/stock-split')
    const { body } = await world.carryOut(issuer, path, { numerator: 3, denominator: 2 })
    expect(body.data).toMatchObject({ numerator: '3', denominator: '2', completed: true, holdersLeft: '0' })
    await world.follow()
    const held = async (query: string) => {
      const { holders, totalSupply } = await fetch(`holders/TOKEN${query}`)
      return [totalSupply, holders]
    }
    expect(await held('')).toEqual([
      '26',
      [
        { address: bert, balance: '25' },
        { address: anna, balance: '1' },
      ],
    ])
    expect(await held(`?block=${beforeSplit}`)).toEqual([
      '18',
      [
        { address: bert, balance: '17' },
        { address: anna, balance: '1' },
      ],
    ])
    const [fraction] = await world.superuser`
      select effect from chain_live_facts where subject = ${token} and operation = 'stock.SplitFraction' and effect ->> 'account' = ${bert}`
    expect(fraction?.effect).toMatchObject({ remainder: '1', denominator: '2' })
    expect(await fetch('token/TOKEN')).toMatchObject({
      totalSupply: '26',
      splitRatio: { numerator: '3', denominator: '2' },
    })
  })

  it('stands still while it is paused, and says so', async () => {
    await world.carryOut(issuer, at('manage/TOKEN/pause'), {})
    expect(await fetch(`TOKEN/can-transfer?from=${bert}&to=${anna}&amount=1`)).toMatchObject({
      allowed: false,
      code: 'PAUSED',
      rule: 'PAUSED',
    })
    expect((await simulated('tokenization/TOKEN/issue', { recipient: anna, amount: '1' })).revert.code).toBe(
      'TOKEN_PAUSED',
    )
    await world.carryOut(issuer, at('manage/TOKEN/unpause'), {})
  })

  it('has all of it on record, for the issuer and for nobody else', async () => {
    await world.follow()
    const lines = await fetch('transactions/TOKEN?limit=200')
    const count = (type: string) => lines.filter((line: { type: string }) => line.type === type).length
    const counted = [
      'issue',
      'sub-issuer-add',
      'sub-issuer-remove',
      'freeze',
      'transfer',
      'force-transfer',
      'split',
      'pause',
    ]
    expect(counted.map(count)).toEqual([4, 2, 2, 1, 1, 1, 1, 1])
    expect(refusal(await world.outsider.get(at('fetch/transactions/TOKEN')))).toEqual([404, 'TOKEN_NOT_FOUND'])
    const imports = must(await issuer.get('/external-tokens/api/list')).body.data
    expect(imports).toEqual([expect.objectContaining({ tokenAddress: token, framework: 'erc3643' })])
  })
})
