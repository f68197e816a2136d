import { stockFactoryAbi, stockTokenAbi } from '@tallystick/abi'
import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, seededRandom, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, pad, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStocksWorld, must, refusal, STOCKS, type StocksWorld } from '../../../test/stocks/stocks-world.ts'
import type { TestAnswer } from '../../../test/world.ts'

const lower = (index: number) => wallet(index).address.toLowerCase() as Address
const investors = [3, 4, 5, 6].map(lower)
const [anna, bert] = investors as [Address, Address]

interface Holder {
  address: string
  balance: string
}

describe('what the events of a stock token add up to', () => {
  let world: StocksWorld
  beforeAll(async () => {
    world = await createStocksWorld()
    await world.verify(...investors)
  })
  afterAll(() => world.close())

  const holders = async (token: Address, query = '') =>
    must(await world.issuer.get(`${STOCKS}/fetch/holders/${token}${query}`)).body.data
  const transactions = async (token: Address, query = '') =>
    must(await world.issuer.get(`${STOCKS}/fetch/transactions/${token}${query}`)).body

  async function freshToken(request: Record<string, unknown> = { decimals: 0 }): Promise<Address> {
    const { token } = await world.deployStock(request)
    await world.onToken(token, 'addController', [world.issuer.wallet.address])
    return token
  }

  const chainBalances = async (token: Address, blockNumber: bigint) => {
    const read = { address: token, abi: stockTokenAbi, blockNumber } as const
    const list = await Promise.all(
      investors.map(async (address) => ({
        address,
        balance: await world.node.publicClient.readContract({ ...read, functionName: 'balanceOf', args: [address] }),
      })),
    )
    const supply = await world.node.publicClient.readContract({ ...read, functionName: 'totalSupply' })
    return { held: list.filter(({ balance }) => balance > 0n), supply }
  }

  it('is who held how much at the end of any block, exactly as the chain had it', async () => {
    const token = await freshToken()
    const random = seededRandom(42)
    const start = await world.node.publicClient.getBlockNumber()
    const one = () => random.pick(investors)
    const balanceOf = async (address: Address) =>
      world.node.publicClient.readContract({
        address: token,
        abi: stockTokenAbi,
        functionName: 'balanceOf',
        args: [address],
      })
    for (let step = 0; step < 20; step++) {
      const [from, to] = [one(), one()]
      const held = await balanceOf(from)
      const amount = held === 0n ? 0n : random.bigint(1n, held)
      const kind = random.integer(0, 5)
      if (kind <= 1 || held === 0n) await world.onToken(token, 'issue', [to, random.bigint(1n, 50n), zeroHash])
      else if (kind === 2) await world.onToken(token, 'redeemFrom', [from, amount, zeroHash])
      else if (kind === 3) await world.onToken(token, 'forceTransfer', [from, to, amount, zeroHash])
      else if (kind === 4) await world.onToken(token, 'transfer', [to, amount], wallet(investors.indexOf(from) + 3))
      else {
        // A split in pages: in the blocks between, some holders have theirs and others do not yet.
        await world.onToken(token, 'stockSplit', [3n, 2n, 1n])
        for (;;) {
          const left = await world.node.publicClient.readContract({
            address: token,
            abi: stockTokenAbi,
            functionName: 'splitHoldersLeft',
          })
          if (left === 0n) break
          await world.onToken(token, 'continueSplit', [1n])
        }
      }
    }
    const end = await world.node.publicClient.getBlockNumber()
    await world.follow()
    for (let block = start; block <= end; block++) {
      const told = await holders(token, `?block=${block}`)
      const { held, supply } = await chainBalances(token, block)
      const sorted = (list: readonly { address: string; balance: string | bigint }[]) =>
        list.map(({ address, balance }) => `${address} ${balance}`).toSorted()
      expect([block, sorted(told.holders)]).toEqual([block, sorted(held)])
      expect([block, told.totalSupply, told.total]).toEqual([block, supply.toString(), held.length])
    }
  })

  it('shows the largest first, page by page', async () => {
    const token = await freshToken()
    for (const [index, investor] of investors.entries())
      await world.onToken(token, 'issue', [investor, BigInt(10 * (index + 1)), zeroHash])
    await world.follow()
    const all = await holders(token)
    expect(all.holders.map(({ balance }: Holder) => balance)).toEqual(['40', '30', '20', '10'])
    expect(all).toMatchObject({ total: 4, totalSupply: '100', limit: 100, offset: 0 })
    expect(BigInt(all.block)).toBe(await world.node.publicClient.getBlockNumber())
    const page = await holders(token, '?limit=2&offset=1')
    expect(page.holders.map(({ balance }: Holder) => balance)).toEqual(['30', '20'])
    expect(page).toMatchObject({ total: 4, limit: 2, offset: 1 })
    expect(await holders(token, '?limit=9999&offset=-3')).toMatchObject({ limit: 500, offset: 0 })
    expect(await holders(token, '?limit=many&offset=1.5')).toMatchObject({ limit: 100, offset: 0 })
    expect(await holders(token, '?block=0')).toMatchObject({ holders: [], total: 0, totalSupply: '0', block: '0' })
  })

  it('counts nothing beyond the block that the record has come to, and says so', async () => {
    const token = await freshToken()
    await world.follow()
    const path = `${STOCKS}/tokenization/${token}/issue`
    await world.carryOut(world.issuer, path, { recipient: anna, amount: '5' })
    const head = await world.node.publicClient.getBlockNumber()
    expect(await holders(token)).toMatchObject({ total: 0, block: (head - 1n).toString() })
    const ahead = await world.issuer.get(`${STOCKS}/fetch/holders/${token}?block=${head}`)
    expect(refusal(ahead)).toEqual([409, 'BLOCK_NOT_REACHED'])
    expect(ahead.body.error.recordedTo).toBe((head - 1n).toString())
    await world.follow()
    expect(await holders(token, `?block=${head}`)).toMatchObject({ total: 1, block: head.toString() })
    for (const block of ['latest', '-1', '1.5', '0x10'])
      expect(refusal(await world.issuer.get(`${STOCKS}/fetch/holders/${token}?block=${block}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
  })

  it('is who held how much at a date: at the last block made until then', async () => {
    const token = await freshToken()
    const times: { block: bigint; time: number }[] = []
    for (const amount of [1n, 2n, 3n]) {
      await world.onToken(token, 'issue', [anna, amount, zeroHash])
      const { number, timestamp } = await world.node.publicClient.getBlock()
      times.push({ block: number, time: Number(timestamp) })
      await world.node.testClient.increaseTime({ seconds: 100 })
    }
    await world.follow()
    const dated = (time: number) => holders(token, `?at=${new Date(time * 1000).toISOString()}`)
    const supplies = ['1', '3', '6']
    for (const [index, { block, time }] of times.entries()) {
      expect(await dated(time)).toMatchObject({ block: block.toString(), totalSupply: supplies[index] })
      expect(await dated(time + 50)).toMatchObject({ totalSupply: supplies[index] })
    }
    expect(await dated(times[0]?.time ?? 0)).toMatchObject({ total: 1 })
    expect(await dated(1_000_000)).toMatchObject({ total: 0, block: '0' })
    expect(await holders(token, `?block=${times[1]?.block}&at=2001-01-01T00:00:00Z`)).toMatchObject({
      totalSupply: '3',
    })
    const path = `${STOCKS}/fetch/holders/${token}?at=`
    expect(refusal(await world.issuer.get(`${path}yesterday`))).toEqual([400, 'VALIDATION_ERROR'])
    const unread = await world.withoutNode(() => world.issuer.get(`${path}2001-01-01T00:00:00Z`))
    expect(refusal(unread)).toEqual([503, 'CHAIN_UNAVAILABLE'])
    const exposure = async (by: { get(path: string): Promise<TestAnswer> }) =>
      must(await by.get(`/customers/api/identity/exposure?walletAddress=${anna}&tokenAddress=${token}`)).body.data
    expect(await exposure(world.issuer)).toMatchObject({
      holdings: [{ tokenAddress: token, holder: anna, balance: '6' }],
      truncated: false,
    })
    expect(await exposure(world.outsider)).toMatchObject({ holdings: [] })
  })

  it('splits what one transaction cannot convert into steps, which together end exactly right', async () => {
    const token = await freshToken()
    const many = Array.from({ length: 12 }, (_, index) => pad(toHex(0xabc0_0000 + index), { size: 20 }))
    await world.verify(...many)
    for (const [index, holder] of many.entries())
      await world.onToken(token, 'issue', [holder, BigInt(2 * index + 1), zeroHash])
    const path = `${STOCKS}/tokenization/${token}/stock-split`
    const built = must(await world.issuer.post(path, { numerator: 3, denominator: 2, maxHolders: 5 })).body.data
    expect(built).toMatchObject({ holders: '12', holdersPerTransaction: 5, newTotalSupply: '216' })
    expect(built.steps.map(({ functionName }: { functionName: string }) => functionName)).toEqual([
      'stockSplit',
      'continueSplit',
      'continueSplit',
    ])
    expect(built.steps[0]).toMatchObject(built.txData)
    const hashes: Hex[] = []
    for (const step of built.steps) hashes.push(await world.sendRaw(world.issuer.wallet, step))
    expect(must(await world.issuer.post(path, { txHash: hashes[0] })).body.data).toMatchObject({
      completed: false,
      holdersLeft: '7',
    })
    const go = (txHash: Hex | undefined) => world.issuer.post(`${path}/continue`, { txHash })
    expect(must(await go(hashes[1])).body.data).toMatchObject({ completed: false, holdersLeft: '2' })
    expect(must(await go(hashes[2])).body.data).toMatchObject({ completed: true, holdersLeft: '0' })
    await world.follow()
    const expected = many.reduce((sum, _, index) => sum + Math.floor(((2 * index + 1) * 3) / 2), 0)
    expect(await holders(token)).toMatchObject({ total: 12, totalSupply: String(expected) })
    const safe = await world.issuer.post(`${path}?format=safe`, { numerator: 3, denominator: 2, maxHolders: 5 })
    expect(safe.body.transactions).toHaveLength(3)
  })

  it('refuses ratios that are none, or would make shares fewer', async () => {
    const token = await freshToken()
    const path = `${STOCKS}/tokenization/${token}/stock-split`
    const ratios: [unknown, unknown][] = [
      [1, 1],
      [1, 2],
      [0, 1],
      [2, 0],
      [-2, 1],
      [1.5, 1],
      ['2', 1],
      [2 ** 32, 1],
    ]
    for (const [numerator, denominator] of ratios)
      expect([numerator, denominator, ...refusal(await world.issuer.post(path, { numerator, denominator }))]).toEqual([
        numerator,
        denominator,
        400,
        'INVALID_RATIO',
      ])
  })

  it('refuses lists of different lengths, and tells what a batch really issued', async () => {
    const token = await freshToken()
    const path = `${STOCKS}/tokenization/${token}/batch-issue`
    const mismatch = { recipients: [anna, bert], amounts: ['1'] }
    expect(refusal(await world.issuer.post(path, mismatch))).toEqual([400, 'ARRAY_MISMATCH'])
    const body = { recipients: [anna, bert, anna], amounts: ['1', '2', '3'] }
    const built = must(await world.issuer.post(path, body)).body.data
    // Sent with what a careless estimate finds, it stops early.
    const short = await world.sendRaw(world.issuer.wallet, built.txData, 520_000n)
    const confirmed = must(await world.issuer.post(path, { ...body, txHash: short })).body.data
    expect(confirmed.recipientCount).toBeLessThan(3)
    const whole = await world.sendRaw(world.issuer.wallet, built.txData, BigInt(built.gasLimit))
    expect(must(await world.issuer.post(path, { ...body, txHash: whole })).body.data).toMatchObject({
      recipientCount: 3,
      totalIssued: '6',
    })
    const other = { ...body, amounts: ['1', '2', '4'] }
    expect(refusal(await world.issuer.post(path, { ...other, txHash: whole }))).toEqual([400, 'TX_NOT_VERIFIED'])
  })

  it('tells every transaction once, by what it was, with its reason in words', async () => {
    const token = await freshToken({ decimals: 0, allowSubIssuers: true })
    const long = 'Resolution of the general meeting of 12 March 2026, item 7 of the agenda'
    const at = (path: string) => `${STOCKS}/${path.replace('TOKEN', token)}`
    await world.carryOut(world.issuer, at('tokenization/TOKEN/issue'), {
      recipient: anna,
      amount: '100',
      reason: 'Founding',
    })
    await world.carryOut(world.issuer, at('tokenization/TOKEN/redeem'), { account: anna, amount: '10', reason: long })
    await world.onToken(token, 'transfer', [bert, 5n], wallet(3))
    await world.carryOut(world.issuer, at('manage/TOKEN/freeze'), { account: anna, amount: '20' })
    await world.carryOut(world.issuer, at('manage/TOKEN/force-transfer'), { from: anna, to: bert, amount: '30' })
    await world.carryOut(world.issuer, at('tokenization/TOKEN/stock-split'), { numerator: 2, denominator: 1 })
    await world.carryOut(world.issuer, at('manage/TOKEN/pause'), {})
    await world.carryOut(world.issuer, at('manage/TOKEN/unpause'), {})
    await world.carryOut(world.issuer, at('manage/TOKEN/sub-issuer/add'), { account: bert })
    await world.carryOut(world.issuer, at('manage/TOKEN/sub-issuer/remove'), { account: bert })
    await world.follow()
    const { data, pagination } = await transactions(token)
    expect(pagination).toEqual({ returned: data.length, limit: 50, offset: 0, hasMore: false, nextCursor: null })
    const lines = data.map((line: Record<string, unknown>) => [line.type, line.from, line.to, line.amount])
    expect(lines.toReversed()).toEqual([
      ['controller-add', null, world.issuer.wallet.address.toLowerCase(), null],
      ['issue', null, anna, '100'],
      ['redeem', anna, null, '10'],
      ['transfer', anna, bert, '5'],
      ['freeze', null, anna, '20'],
      ['unfreeze', null, anna, '20'],
      ['force-transfer', anna, bert, '30'],
      ['split', null, null, null],
      ['pause', null, null, null],
      ['unpause', null, null, null],
      ['sub-issuer-add', null, bert, null],
      ['sub-issuer-remove', null, bert, null],
    ])
    const find = (type: string) => data.find((line: { type: string }) => line.type === type)
    expect(find('issue')).toMatchObject({ reason: 'Founding', by: world.issuer.wallet.address.toLowerCase() })
    expect(find('redeem')).toMatchObject({ reason: long, reasonHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(find('split')).toMatchObject({ splitRatio: { numerator: '2', denominator: '1' } })
    expect(find('transfer')).toMatchObject({ reason: null, reasonHash: null, recordedByThisInstance: false })
    expect(find('pause')).toMatchObject({ recordedByThisInstance: true })

    // Another instance that recorded the same token sees the hash of the long reason, not its words.
    const [deployed] = await world.superuser`select deploy_tx from stock_tokens where token_address = ${token}`
    must(await world.outsider.post(`${STOCKS}/tokenization/deploy`, { txHash: deployed?.deploy_tx }))
    const seen = must(await world.outsider.get(at('fetch/transactions/TOKEN?type=redeem'))).body.data
    expect(seen).toEqual([expect.objectContaining({ reason: null, reasonHash: find('redeem').reasonHash })])

    const walked: string[] = []
    let cursor = ''
    do {
      const page = await transactions(token, `?limit=5${cursor ? `&cursor=${cursor}` : ''}`)
      walked.push(...page.data.map(({ type }: { type: string }) => type))
      cursor = page.pagination.nextCursor ?? ''
    } while (cursor)
    expect(walked).toEqual(data.map(({ type }: { type: string }) => type))
    const offset = await transactions(token, '?limit=2&offset=1')
    expect(offset.data.map(({ type }: { type: string }) => type)).toEqual(walked.slice(1, 3))
    expect(offset.pagination).toMatchObject({ limit: 2, offset: 1, hasMore: true })
    const filtered = await transactions(token, '?type=transfer&limit=900')
    expect(filtered.data).toHaveLength(1)
    expect(filtered.pagination.limit).toBe(200)
    for (const query of ['?type=bribe', '?cursor=x', '?cursor=MTIzNDU'])
      expect(refusal(await world.issuer.get(at(`fetch/transactions/TOKEN${query}`)))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('tells a forced and a plain transfer of the same amount in one transaction apart', async () => {
    const token = await freshToken()
    const caller = (await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })).toLowerCase() as Address
    await world.onToken(token, 'addController', [caller])
    await world.onToken(token, 'addAuthorizedContract', [caller])
    await world.onToken(token, 'issue', [caller, 10n, zeroHash])
    const call = (functionName: 'transfer' | 'forceTransfer', args: readonly unknown[]) => ({
      target: token,
      value: 0n,
      callData: encodeFunctionData({ abi: stockTokenAbi, functionName, args } as never),
    })
    const calls = [call('forceTransfer', [caller, anna, 2n, zeroHash]), call('transfer', [anna, 2n])]
    await send(world.node, { address: caller, abi: callerAbi, functionName: 'callAll', args: [calls, false] })
    await world.follow()
    const { data } = await transactions(token)
    const types = data.map(({ type }: { type: string }) => type)
    expect(types.filter((type: string) => type === 'transfer')).toHaveLength(1)
    expect(types.filter((type: string) => type === 'force-transfer')).toHaveLength(1)
  })

  it('is not stopped by words that no database can hold', async () => {
    const issuer = world.issuer.wallet.address
    const terms = {
      ...{ name: 'N\u0000', symbol: '\u0000', isin: 'DE\u0000', metadataURI: 'x\u0000', decimals: 0 },
      ...{ identityRegistry: world.suite.identityRegistry, issuer, legalOperator: issuer, allowSubIssuers: false },
    }
    const factory = { address: world.suite.stockFactory, abi: stockFactoryAbi }
    const args = [terms, 0n, 0n, pad('0x99')]
    const { transactionHash } = await send(world.node, { ...factory, functionName: 'deployStock', args })
    await world.follow()
    const { body } = must(await world.issuer.post(`${STOCKS}/tokenization/deploy`, { txHash: transactionHash }))
    expect(body.data).toMatchObject({ name: 'N\uFFFD', symbol: '\uFFFD', isin: 'DE\uFFFD' })
    await world.follow()
    expect(await holders(body.data.tokenAddress)).toMatchObject({ total: 0 })
  })
})
