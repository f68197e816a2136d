import { demoCashAbi, signedOrderSettlementAbi, stockTokenAbi, tradingVaultAbi } from '@tallystick/abi'
import { type ContractCall, deploySafe, send, wallet } from '@tallystick/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { must, type Party } from '../../signing.ts'
import { type OnchainBook, type OnchainWorld, prefixOf } from '../onchain-world.ts'
import { expectRefusal, hashesThatProveNothing } from '../setup-steps.ts'

const ONE = 1_000_000n

/** What custody contracts say about books and wallets, and what traders sign there. */
export function describeCustody(given: () => OnchainWorld): void {
  let world: OnchainWorld
  beforeAll(() => {
    world = given()
  })

  const patch = ({ prefix, id }: OnchainBook, body: object, of: Party = world.owner) =>
    of.call('PATCH', `${prefix}/order-books/${id}`, { body })

  describe('as the chain sees it', () => {
    const readiness = async ({ prefix, id }: OnchainBook, of: Party = world.owner) =>
      must(await of.get(`${prefix}/order-books/${id}/readiness`)).body.data
    const codes = async (book: OnchainBook) =>
      (await readiness(book)).issues.map(({ code }: { code: string }) => code) as string[]
    /** What is missing while something on chain is otherwise, and is there again afterwards. */
    const meanwhile = async (book: OnchainBook, change: ContractCall, back: ContractCall, code: string) => {
      await send(world.node, change)
      expect(await codes(book)).toEqual([code])
      await send(world.node, back)
      expect(await codes(book)).toEqual([])
    }

    it('is ready when trades can settle, at one round trip', async () => {
      const { books, owner, suite, tokens } = world
      const mine = owner.wallet.address.toLowerCase()
      for (const book of [books.stocks, books.commodities])
        expect(await readiness(book)).toMatchObject({ ready: true, issues: [], operatorOfThisInstance: mine })
      expect(await readiness(books['external-securities'])).toMatchObject({
        ready: true,
        issues: [],
        custodyContract: suite.signedOrderSettlement,
        settlementOperator: mine,
        underlyingIdentifier: 'DE0005190003',
        security: { admin: mine, isin: 'DE0005190003', registered: true, active: true, baseUnit: String(10n ** 18n) },
        tokenAuthorizationScheme: 1,
        custodyIsTokenAgent: true,
        quoteAssetAuthorized: true,
        operatorAuthorized: true,
        tokenAddress: tokens.security,
      })
      for (const book of Object.values(books)) expect(await world.roundTrips(() => readiness(book))).toBe(1)
      const at = `${books.stocks.prefix}/order-books`
      expectRefusal(await owner.get(`${at}/${books.commodities.id}/readiness`), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
      expectRefusal(await owner.get(`${at}/${'x'.repeat(101)}/readiness`), 400, { code: 'INVALID_PARAM' })
    })

    it('tells everything that a vault lacks', async () => {
      const { books, suite, tokens } = world
      const book = books.stocks
      const vault = { address: suite.stockVault, abi: tradingVaultAbi }
      const stock = { address: tokens.stock, abi: stockTokenAbi, args: [suite.stockVault] }
      const cash = { ...vault, functionName: 'addToken', args: [tokens.cash, 0, false] }
      const pause = (isPaused: boolean) => ({ ...vault, functionName: 'setSettlementPaused', args: [isPaused] })
      const remove = (token: string) => ({ ...vault, functionName: 'removeToken', args: [token] })
      const base = { ...vault, functionName: 'addToken', args: [tokens.stock, 1, true] }
      await meanwhile(book, remove(tokens.cash), cash, 'QUOTE_TOKEN_NOT_SUPPORTED')
      await meanwhile(book, remove(tokens.stock), base, 'BASE_TOKEN_NOT_SUPPORTED')
      await meanwhile(book, pause(true), pause(false), 'SETTLEMENT_PAUSED')
      const authorize = (verb: string) => ({ ...stock, functionName: `${verb}AuthorizedContract` })
      await meanwhile(book, authorize('remove'), authorize('add'), 'CUSTODY_NOT_AUTHORIZED')
      expect(await world.withoutNode(() => codes(book))).toEqual(['CUSTODY_SETUP_FAILED'])
      // Taken in without the rules that it has: settling would not ask them.
      await send(world.node, remove(tokens.stock))
      await send(world.node, { ...base, args: [tokens.stock, 0, true] })
      expect(await codes(book)).toEqual(['BASE_TOKEN_NOT_SUPPORTED'])
      await send(world.node, remove(tokens.stock))
      await send(world.node, base)
      must(await patch(book, { status: 'PAUSED' }))
      expect(await codes(book)).toEqual(['ORDER_BOOK_INACTIVE'])
      must(await patch(book, { status: 'ACTIVE' }))
    })

    it('tells everything that a security lacks', async () => {
      const { books, suite, tokens, owner } = world
      const book = books['external-securities']
      const on = (functionName: string, ...args: unknown[]) => ({
        ...{ address: suite.signedOrderSettlement, abi: signedOrderSettlementAbi, functionName },
        args: [tokens.security, ...args],
      })
      const agent = { address: tokens.security, abi: stockTokenAbi, args: [suite.signedOrderSettlement] }
      const operator = owner.wallet.address
      await meanwhile(book, on('deactivateSecurity'), on('activateSecurity'), 'SECURITY_INACTIVE')
      const quote = (allowed: boolean) => on('setQuoteAsset', tokens.cash, allowed)
      await meanwhile(book, quote(false), quote(true), 'QUOTE_TOKEN_NOT_SUPPORTED')
      const hand = (allowed: boolean) => on('setOperator', operator, allowed)
      await meanwhile(book, hand(false), hand(true), 'SETTLEMENT_OPERATOR_UNAUTHORIZED')
      const role = (functionName: string) => ({ ...agent, functionName })
      await meanwhile(book, role('removeAgent'), role('addAgent'), 'CUSTODY_NOT_AUTHORIZED')
      const silent = await world.withoutNode(() => readiness(book))
      expect(silent).toMatchObject({ ready: false, issues: [{ code: 'CHAIN_UNAVAILABLE' }], security: null })
    })
  })

  it('tells what a wallet can trade of a security, and lets it pay', async () => {
    const { books, node, owner, other, suite, tokens, traders } = world
    const book = books['external-securities']
    const path = `${book.prefix}/order-books/${book.id}`
    expect(must(await owner.get(`${book.prefix}/custody-contract`)).body.data).toEqual({
      custodyContract: suite.signedOrderSettlement,
      instanceType: 'DEVELOPMENT',
      available: true,
    })
    const { tokens: listed } = must(await owner.get(`${book.prefix}/security-tokens`)).body.data
    expect(listed.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['SUED', 'NORD'])
    expect(must(await other.get(`${book.prefix}/security-tokens`)).body.data.tokens).toEqual([])

    const { address } = traders[1]
    const frozen = 100n * 10n ** 18n
    const freeze = { address: tokens.security, abi: stockTokenAbi, args: [address, frozen] }
    await send(node, { ...freeze, functionName: 'addController', args: [owner.wallet.address] })
    await send(node, { ...freeze, functionName: 'freezeTokens' })
    const look = () => owner.get(`${path}/security?userAddress=${address}`)
    expect(await world.roundTrips(look)).toBe(1)
    const { data } = must(await look()).body
    expect(data).toMatchObject({
      security: { registered: true, active: true, isin: 'DE0005190003', isinRaw: expect.stringMatching(/^0x4445/) },
      eip712: { domain: { name: 'SignedOrderSettlement', version: '1', chainId: 31_337 } },
      balances: {
        base: { total: String(1_000n * 10n ** 18n), locked: String(frozen), reserved: '0' },
        quote: { total: '1000000000000', locked: '0', available: '1000000000000' },
      },
      quoteAllowance: (2n ** 256n - 1n).toString(),
    })
    expect(data.eip712.types.Order).toHaveLength(10)
    expect(must(await owner.get(`${path}/security`)).body.data.balances).toBeUndefined()
    await send(node, { ...freeze, functionName: 'unfreezeTokens' })
    expectRefusal(await owner.get(`${path}/security?userAddress=me`), 400, { code: 'VALIDATION_ERROR' })
    expectRefusal(await other.get(`${path}/security`), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    const long = `${book.prefix}/order-books/${'x'.repeat(101)}`
    expectRefusal(await owner.get(`${long}/security`), 400, { code: 'INVALID_PARAM' })
    expectRefusal(await world.withoutNode(look), 503, { code: 'CHAIN_UNAVAILABLE' })

    const built = must(await owner.post(`${path}/quote-approval`, { amount: '5000000' })).body.data
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTION',
      transaction: { to: tokens.cash },
      functionName: 'approve',
    })
    await world.sendRaw(traders[1], built.transaction)
    expect(must(await look()).body.data).toMatchObject({
      quoteAllowance: '5000000',
      balances: { quote: { onChainAvailable: '5000000', locked: '999995000000' } },
    })
    expectRefusal(await owner.post(`${path}/quote-approval`, { amount: '0' }), 400, { code: 'VALIDATION_ERROR' })
    expectRefusal(await owner.post(`${long}/quote-approval`, { amount: '1' }), 400, { code: 'INVALID_PARAM' })
    expectRefusal(await other.post(`${path}/quote-approval`, { amount: '1' }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    must(await patch(book, { status: 'PAUSED' }))
    expectRefusal(await owner.post(`${path}/quote-approval`, { amount: '1' }), 400, { code: 'ORDER_BOOK_INACTIVE' })
    must(await patch(book, { status: 'ACTIVE' }))
  })

  it('leaves traders in charge of what they have in the vault', async () => {
    const { books, node, owner, suite, tokens } = world
    const trader = wallet(6)
    const at = (custody: string = suite.stockVault) => `${prefixOf('stocks')}/custody/${custody}`
    const parties = { userAddress: trader.address, tokenAddress: tokens.cash }
    const balance = async () =>
      must(await owner.get(`${at()}/balance/${trader.address}/${tokens.cash}`)).body.data as Record<string, unknown>
    const build = async (action: string, wish: object) =>
      must(await owner.post(`${at()}/${action}`, { ...parties, ...wish })).body.data
    const proven: Record<string, string> = {}
    const carryOut = async (action: string, wish: object) => {
      const { steps, simulation } = await build(action, wish)
      expect(simulation).toMatchObject({ simulated: true, success: true })
      let txHash = ''
      for (const { transaction } of steps) txHash = await world.sendRaw(trader, transaction)
      proven[action] ??= txHash
      return must(await owner.post(`${at()}/${action}`, { ...parties, ...wish, txHash })).body.data
    }
    await send(node, { address: tokens.cash, abi: demoCashAbi, functionName: 'mint', args: [trader.address, 900n] })

    const first = await build('deposit', { amount: '700' })
    expect(first.steps.map(({ functionName }: { functionName: string }) => functionName)).toEqual([
      'approve',
      'deposit',
    ])
    const done = {
      custodyContract: suite.stockVault,
      userAddress: trader.address.toLowerCase(),
      tokenAddress: tokens.cash,
    }
    expect(await carryOut('deposit', { amount: '700' })).toMatchObject({ ...done, amount: '700' })
    expect(await carryOut('deposit', { amount: '200', commit: true })).toMatchObject({ ...done, amount: '200' })
    expect(await carryOut('commit', { amount: '300' })).toMatchObject({ ...done, amount: '300' })
    const asked = await carryOut('request-withdrawal', { amount: '100' })
    expect(asked).toMatchObject({ ...done, amount: '100', readyAt: expect.any(Number) })
    expect(await balance()).toEqual({
      total: '900',
      locked: '500',
      onChainAvailable: '400',
      reserved: '0',
      available: '400',
      vault: { free: '400', committed: '500', requested: '100', readyAt: asked.readyAt },
    })
    expect(await carryOut('cancel-withdrawal', {})).toMatchObject({ ...done, amount: null })
    expect(await carryOut('withdraw', { amount: '400' })).toMatchObject({ ...done, amount: '400' })
    expect(await balance()).toMatchObject({ total: '500', vault: { free: '0', requested: '0', readyAt: null } })
    const tooMuch = await build('withdraw', { amount: '1' })
    expect(tooMuch.simulation).toMatchObject({ success: false, revert: { code: 'FREE_BALANCE_TOO_LOW' } })
    const file = must(await owner.post(`${at()}/deposit?format=safe`, { ...parties, amount: '1' })).body
    expect(file.transactions).toHaveLength(2)

    const amounts: Record<string, object> = { 'cancel-withdrawal': {} }
    const faults = await hashesThatProveNothing(world, 'stockVault')
    for (const action of ['deposit', 'commit', 'request-withdrawal', 'cancel-withdrawal', 'withdraw']) {
      const body = { ...parties, ...(amounts[action] ?? { amount: '7' }) }
      const ask = (more: object = {}, custody?: string) => owner.post(`${at(custody)}/${action}`, { ...body, ...more })
      for (const more of [{}, { txHash: `0x${'1'.repeat(64)}` }]) {
        expectRefusal(await ask({ ...more, tokenAddress: 'cash' }), 400, { code: 'VALIDATION_ERROR' })
        expectRefusal(await ask(more, suite.commodityVault), 404, { code: 'CUSTODY_NOT_FOUND' })
        expectRefusal(await world.withoutNode(() => ask(more)), 503, { code: 'CHAIN_UNAVAILABLE' })
      }
      for (const [txHash, status, code] of faults.slice(0, 4)) expectRefusal(await ask({ txHash }), status, { code })
      const ofSomebodyElse = await ask({ txHash: proven[action], userAddress: books.stocks.custody })
      expectRefusal(ofSomebodyElse, 400, { code: 'TX_NOT_VERIFIED' })
    }
  })

  it('knows a deposit that went through a Safe by the event of the vault', async () => {
    const { node, owner, suite, tokens } = world
    const safe = await deploySafe(node, [wallet(1)])
    await send(node, { address: tokens.commodity, abi: demoCashAbi, functionName: 'mint', args: [safe.address, 50n] })
    const path = `${prefixOf('commodities')}/custody/${suite.commodityVault}`
    const body = { userAddress: safe.address, tokenAddress: tokens.commodity, amount: '50', commit: true }
    const { steps } = must(await owner.post(`${path}/deposit`, body)).body.data
    let txHash = ''
    for (const { transaction } of steps)
      txHash = (await safe.execThroughSafe({ ...transaction, value: 0n })).receipt.transactionHash
    const proof = must(await owner.post(`${path}/deposit`, { ...body, txHash })).body.data
    expect(proof).toMatchObject({ amount: '50', verifiedBy: 'receipt-log' })
    const held = must(await owner.get(`${path}/balance/${safe.address}/${tokens.commodity}`)).body.data
    expect(held).toMatchObject({ total: '50', available: '50' })
  })

  it('tells what is left for new orders', async () => {
    const { books, owner, traders } = world
    const [trader] = traders
    for (const book of Object.values(books)) {
      const terms = { side: 'SELL', price: 50n * ONE, quantity: 3n * ONE } as const
      const { body } = await world.signOrder(trader, book, terms)
      const { orderId } = must(await owner.post(`${book.prefix}/orders`, body)).body.data.order
      const path = `${book.prefix}/custody/${book.custody}/balance/${trader.address}/${book.base}`
      const one = 10n ** BigInt(book.baseDecimals)
      const look = async () => must(await owner.get(path)).body.data
      expect(await look()).toMatchObject({
        total: String(1_000n * one),
        locked: '0',
        reserved: String(3n * one),
        available: String(997n * one),
      })
      expect(await world.roundTrips(look)).toBe(1)
      must(await owner.call('DELETE', `${book.prefix}/orders/${orderId}`, { body: { userAddress: trader.address } }))
      expect((await look()).reserved).toBe('0')
      const elsewhere = path.replace(book.custody, wallet(8).address)
      expectRefusal(await owner.get(elsewhere), 404, { code: 'CUSTODY_NOT_FOUND' })
      expectRefusal(await world.withoutNode(() => owner.get(path)), 503, { code: 'CHAIN_UNAVAILABLE' })
      expectRefusal(await owner.get(`${path}x`), 400, { code: 'VALIDATION_ERROR' })
    }
  })
}
