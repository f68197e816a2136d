import { signedOrderSettlementAbi } from '@tallystick/abi'
import { send, wallet } from '@tallystick/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../signing.ts'
import type { TestInstance } from '../../world.ts'
import { type OnchainWorld, prefixOf } from '../onchain-world.ts'
import { expectRefusal, hashesThatProveNothing, newCash, newStock, signSteps, stepsOf } from '../setup-steps.ts'

const names = { name: 'Book', symbol: 'BOOK' }
const NOBODY = wallet(8).address

/** How on-chain books come about on each class. */
export function describeCreating(given: () => OnchainWorld): void {
  let world: OnchainWorld
  beforeAll(() => {
    world = given()
  })

  const create = (bookClass: Parameters<typeof prefixOf>[0], body: object, of: TestInstance = world.owner) =>
    of.call('POST', `${prefixOf(bookClass)}/order-books`, { body: { ...names, ...body } })
  const onChain = (request: object, of?: TestInstance) =>
    create('stocks', { settlementMode: 'ON_CHAIN', custodyContract: world.suite.stockVault, ...request }, of)
  const commodity = (request: object, of?: TestInstance) =>
    create('commodities', { custodyContract: world.suite.commodityVault, ...request }, of)
  const external = (request: object, of?: TestInstance) =>
    create('external-securities', { settlementOperator: world.owner.wallet.address, ...request }, of)

  describe('when they are made, of stocks', () => {
    it('is made when the vault is ready, step by step, and not before', async () => {
      const { owner, suite } = world
      const [tokenAddress, quoteTokenAddress] = [await newStock(world, 'FJRD', 'NO0010096985'), await newCash(world)]
      const pair = { tokenAddress, quoteTokenAddress }
      const asked = await onChain(pair)
      const [base, quote, authorization] = stepsOf(asked)
      expect(asked.body.error.setup).toMatchObject({
        action: 'SIGN_TRANSACTIONS',
        custodyContract: suite.stockVault,
        confirmWith: { field: 'custodySetupTxs', keyedBy: 'key' },
        steps: [
          { key: 'baseToken', to: suite.stockVault, functionName: 'addToken', requiredRole: 'VAULT_ADMIN' },
          { key: 'quoteToken', to: suite.stockVault, functionName: 'addToken', value: '0', chainId: 31_337 },
          {
            key: 'tokenAuthorization',
            to: tokenAddress,
            functionName: 'addAuthorizedContract',
            requiredRole: 'ISSUER',
          },
        ],
      })
      for (const step of [base, quote, authorization])
        expect(step?.requiredSigner).toBe(owner.wallet.address.toLowerCase())
      expect(must(await owner.get(`${prefixOf('stocks')}/order-books`)).body.data).toHaveLength(1)

      const first = base ? await signSteps(world, [base]) : {}
      const left = stepsOf(await onChain({ ...pair, custodySetupTxs: first }))
      expect(left.map(({ key }) => key)).toEqual(['quoteToken', 'tokenAuthorization'])
      const custodySetupTxs = { ...first, ...(await signSteps(world, left)) }
      const { data } = must(await onChain({ ...pair, custodySetupTxs, underlyingIdentifier: 'no0010096985' })).body
      expect(data).toMatchObject({
        ...pair,
        status: 'ACTIVE',
        tokenType: 'STOCK_TOKEN',
        settlementMode: 'ON_CHAIN',
        custodyContract: suite.stockVault,
        settlementOperator: null,
        underlyingIdentifier: 'NO0010096985',
        baseDecimals: 18,
        quoteDecimals: 6,
        tickSize: '1',
      })
      expectRefusal(await onChain(pair), 409, { code: 'ORDER_BOOK_EXISTS' })
    })

    it('looks at every hash that is sent', async () => {
      const pair = { tokenAddress: world.tokens.stock, quoteTokenAddress: await newCash(world) }
      for (const [quoteToken, status, code] of await hashesThatProveNothing(world, 'stockVault'))
        expectRefusal(await onChain({ ...pair, custodySetupTxs: { quoteToken } }), status, { code })
      expectRefusal(await onChain({ ...pair, custodySetupTxs: { operator: `0x${'1'.repeat(64)}` } }), 400, {
        code: 'VALIDATION_ERROR',
      })
      expectRefusal(await world.withoutNode(() => onChain(pair)), 503, { code: 'CHAIN_UNAVAILABLE' })
    })

    it('is refused when the tokens or the settings cannot be meant', async () => {
      const { stock, cash, commodity: gold } = world.tokens
      const pair = { tokenAddress: stock, quoteTokenAddress: cash }
      const { other, suite } = world
      const refused = async (request: object, status: number, code: string) =>
        expectRefusal(await onChain({ ...pair, ...request }, other), status, { code })
      await refused({ quoteTokenAddress: stock }, 400, 'INVALID_PAIR')
      await refused({ custodyContract: undefined }, 400, 'NO_CUSTODY_CONTRACT')
      await refused({ custodyContract: suite.commodityVault }, 400, 'INVALID_CUSTODY_CONTRACT')
      await refused({ tokenType: 'LIGHT_TOKEN' }, 400, 'INVALID_CONFIG')
      await refused({ settlementMode: 'OFF_CHAIN' }, 400, 'INVALID_CONFIG')
      await refused({ minOrderSize: '5', maxOrderSize: '4' }, 400, 'INVALID_CONFIG')
      await refused({ tokenAddress: NOBODY }, 503, 'BASE_TOKEN_NOT_SUPPORTED')
      await refused({ quoteTokenAddress: NOBODY }, 503, 'QUOTE_TOKEN_NOT_SUPPORTED')
      await refused({ tokenAddress: gold }, 400, 'TOKEN_NO_ISIN')
      expectRefusal(await onChain({ ...pair, underlyingIdentifier: 'US0378331005' }, other), 400, {
        code: 'ISIN_MISMATCH',
        onChain: 'DE000A1EWWW0',
      })
    })

    it('is off chain unless it says otherwise', async () => {
      const pair = { tokenAddress: await newCash(world), quoteTokenAddress: world.tokens.cash }
      const { data } = must(await create('stocks', pair)).body
      expect(data).toMatchObject({ settlementMode: 'OFF_CHAIN', tokenType: 'STOCK_TOKEN', custodyContract: null })
      expectRefusal(await create('stocks', { ...pair, allowImport: true }), 400, { code: 'INVALID_CONFIG' })
    })
  })

  describe('when they are made, of commodities', () => {
    it('is made when the vault takes both tokens; prices are what the quote token can tell', async () => {
      const pair = { tokenAddress: await newCash(world, 3), quoteTokenAddress: await newCash(world, 2) }
      const steps = stepsOf(await commodity(pair))
      expect(steps.map(({ key, to }) => [key, to])).toEqual([
        ['baseToken', world.suite.commodityVault],
        ['quoteToken', world.suite.commodityVault],
      ])
      const custodySetupTxs = await signSteps(world, steps)
      expectRefusal(await commodity({ ...pair, custodySetupTxs, tickSize: '5' }), 400, { code: 'INVALID_CONFIG' })
      expect(must(await commodity({ ...pair, custodySetupTxs })).body.data).toMatchObject({
        tokenType: 'LIGHT_TOKEN',
        baseDecimals: 3,
        quoteDecimals: 2,
        tickSize: '10000',
        underlyingIdentifier: null,
        cfid: null,
      })
      expectRefusal(await commodity(pair), 409, { code: 'ORDER_BOOK_EXISTS' })
    })

    it('is refused in the same words', async () => {
      const { commodity: gold, cash } = world.tokens
      const pair = { tokenAddress: gold, quoteTokenAddress: cash }
      const refused = async (request: object, status: number, code: string) =>
        expectRefusal(await commodity({ ...pair, ...request }, world.other), status, { code })
      await refused({ quoteTokenAddress: gold }, 400, 'INVALID_PAIR')
      await refused({ custodyContract: world.suite.stockVault }, 400, 'INVALID_CONFIG')
      await refused({ custodyContract: NOBODY }, 400, 'INVALID_CUSTODY_CONTRACT')
      await refused({ settlementMode: 'OFF_CHAIN' }, 400, 'VALIDATION_ERROR')
      await refused({ tokenAddress: NOBODY }, 503, 'BASE_TOKEN_NOT_SUPPORTED')
      await refused({ quoteTokenAddress: NOBODY }, 503, 'QUOTE_TOKEN_NOT_SUPPORTED')
      for (const [baseToken, status, code] of await hashesThatProveNothing(world, 'commodityVault'))
        await refused({ custodySetupTxs: { baseToken } }, status, code)
      expectRefusal(await world.withoutNode(() => commodity(pair, world.other)), 503, { code: 'CHAIN_UNAVAILABLE' })
    })
  })

  describe('when they are made, of external securities', () => {
    it('is made when token and settlement contract are ready', async () => {
      const { owner, suite } = world
      const [tokenAddress, quoteTokenAddress] = [await newStock(world, 'KYST', 'NO0003054108'), await newCash(world)]
      const pair = { tokenAddress, quoteTokenAddress }
      expectRefusal(await external(pair), 400, { code: 'TOKEN_NO_ISIN' })
      const request = { ...pair, underlyingIdentifier: ' no0003054108 ' }
      const steps = stepsOf(await external(request))
      expect(steps.map(({ key, requiredRole }) => [key, requiredRole])).toEqual([
        ['agentRole', 'TOKEN_AGENT_ADMIN'],
        ['security', 'TOKEN_OWNER_ISSUER_OR_AGENT'],
        ['quoteAsset', 'SECURITY_ADMIN'],
        ['operator', 'SECURITY_ADMIN'],
      ])
      const custodySetupTxs = await signSteps(world, steps)
      expectRefusal(await external({ ...request, custodySetupTxs, takerFeeBps: 5 }), 400, { code: 'INVALID_CONFIG' })
      expect(must(await external({ ...request, custodySetupTxs })).body.data).toMatchObject({
        ...pair,
        tokenType: 'EXTERNAL_SECURITY',
        custodyContract: suite.signedOrderSettlement,
        settlementOperator: owner.wallet.address.toLowerCase(),
        underlyingIdentifier: 'NO0003054108',
        baseDecimals: 18,
        quoteDecimals: 6,
      })
      expectRefusal(await external(pair), 409, { code: 'ORDER_BOOK_EXISTS' })
    })

    it('is refused when token, settings or contract are not as they must be', async () => {
      const { other, tokens, node, suite, superuser } = world
      const pair = { tokenAddress: tokens.security, quoteTokenAddress: tokens.cash }
      const refused = async (request: object, status: number, code: string) =>
        expectRefusal(await external({ ...pair, ...request }, other), status, { code })
      await refused({}, 400, 'VALIDATION_ERROR')
      const body = { tokenAddress: tokens.security, assetType: 'PUBLIC_EQUITY' }
      must(await other.post('/external-tokens/api/import', body))
      await refused({ quoteTokenAddress: tokens.security }, 400, 'INVALID_PAIR')
      await refused({ settlementOperator: undefined }, 400, 'INVALID_CONFIG')
      await refused({ settlementOperator: `0x${'0'.repeat(40)}` }, 400, 'INVALID_CONFIG')
      await refused({ custodyContract: suite.stockVault }, 400, 'INVALID_CONFIG')
      await refused({ underlyingIdentifier: 'x'.repeat(32) }, 400, 'VALIDATION_ERROR')
      await refused({ quoteTokenAddress: NOBODY }, 502, 'TOKEN_METADATA_UNAVAILABLE')
      expectRefusal(await external({ ...pair, underlyingIdentifier: 'OTHER' }, other), 400, {
        code: 'ISIN_MISMATCH',
        onChain: 'DE0005190003',
      })
      for (const [operator, status, code] of await hashesThatProveNothing(world, 'settlement'))
        await refused({ custodySetupTxs: { operator } }, status, code)
      const onSettlement = (functionName: string) =>
        send(node, {
          address: suite.signedOrderSettlement,
          abi: signedOrderSettlementAbi,
          functionName,
          args: [tokens.security],
        })
      await onSettlement('deactivateSecurity')
      await refused({}, 409, 'SECURITY_INACTIVE')
      await onSettlement('activateSecurity')
      expectRefusal(await world.withoutNode(() => external(pair, other)), 503, { code: 'CHAIN_UNAVAILABLE' })
      const [record] = await superuser`delete from deployed_contracts where name = 'SignedOrderSettlement' returning *`
      await refused({}, 503, 'CUSTODY_NOT_DEPLOYED')
      const answer = must(await other.get(`${prefixOf('external-securities')}/custody-contract`)).body.data
      expect(answer).toEqual({ custodyContract: null, instanceType: 'DEVELOPMENT', available: false })
      await superuser`insert into deployed_contracts ${superuser(record as Record<string, string>)}`
    })
  })
}
