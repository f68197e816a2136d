import { lendingFactoryAbi } from '@tallystick/abi'
import { notATokenAbi, notATokenBytecode } from '@tallystick/abi/testing'
import { deploy, send, wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'

const DEPLOY = `${V2}/markets/deploy`

describe('deploying a market', () => {
  let world: LendingWorld
  let deployer: Party
  beforeAll(async () => {
    world = await createLendingWorld()
    deployer = world.deployer
  })
  afterAll(() => world.close())

  const build = (wish: Record<string, unknown> = {}) => deployer.post(DEPLOY, world.deployBody(wish))
  async function refused(wish: Record<string, unknown>, status: number, code: string) {
    const answer = await build(wish)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
    return answer.body.error
  }

  describe('is refused', () => {
    it('for fields that are missing, unknown or do not fit', async () => {
      expect((await refused({ extra: 1 }, 400, 'VALIDATION_ERROR')).details).toEqual([
        { field: 'extra', message: 'is not a field of this request' },
      ])
      await refused({ borrowAssetAddress: undefined }, 400, 'VALIDATION_ERROR')
      await refused({ candidates: [`0x${'0'.repeat(40)}`] }, 400, 'VALIDATION_ERROR')
      await refused({ operatorShareBps: 800 }, 400, 'OPERATOR_SHARE_FIXED')
      await refused({ borrowAssetAddress: '0x12' }, 400, 'INVALID_BORROW_ASSET')
      await refused({ borrowAssetAddress: world.security.token }, 400, 'BORROW_ASSET_IS_COLLATERAL')
      await refused({ identityRegistry: 'nobody' }, 400, 'INVALID_IDENTITY_REGISTRY')
    })

    it.each(['0', '-1', '1e3', 'abc', '1.0000001', undefined])('for the initial price %s', async (initialPrice) => {
      await refused({ initialPrice }, 400, 'INVALID_INITIAL_PRICE')
    })

    it.each([
      { rateMode: 'CLAMPED' },
      { rateMode: 'CLAMPED', rateFloorBps: 500, rateCapBps: 400 },
      { rateMode: 'CURVE', rateCapBps: 400 },
      { rateMode: 'CURVE', fixedRateBps: 400 },
      { rateMode: 'FIXED', maxLoanDurationDays: 30 },
      { rateMode: 'FIXED', fixedRateBps: 400 },
    ])('for the rate offering %j', async (wish) => {
      await refused(wish, 400, 'INVALID_RATE_OFFERING')
    })

    it.each([{ termGracePeriodDays: 3 }, { terminalDueDate: 1_000 }, { terminalDueDate: 2 ** 41 }])(
      'for the term offering %j',
      async (wish) => {
        await refused(wish, 400, 'INVALID_TERM_OFFERING')
      },
    )

    it('for a rate above what the factory lets a creator offer', async () => {
      const ceiling = (bps: bigint) =>
        send(world.node, {
          address: world.suite.factory,
          abi: lendingFactoryAbi,
          functionName: 'setCreatorRateCeiling',
          args: [bps],
        })
      await ceiling(500n)
      const wish = { rateMode: 'FIXED', fixedRateBps: 501, maxLoanDurationDays: 30 }
      await refused(wish, 400, 'RATE_ABOVE_CREATOR_CEILING')
      await ceiling(50_000n)
    })

    it('for a token that is not imported, or says nothing of itself', async () => {
      const other = await world.createSecurity('OTHR')
      await refused({ collateralTokenAddress: other.token }, 400, 'TOKEN_NOT_IMPORTED')
      await world.importToken(deployer, other.token, null)
      const { details } = await refused({ collateralTokenAddress: other.token }, 422, 'TOKEN_PROFILE_REQUIRED')
      expect(details).toEqual({
        field: 'profile',
        tokenAddress: other.token,
        imported: true,
        editProfile: `/external-tokens/api/${other.token}/profile`,
      })
    })

    it('for a stored profile field that cannot be hashed as it is read', async () => {
      const other = await world.createSecurity('HOST')
      await world.importToken(deployer, other.token)
      for (const issuerName of ['a\u0007b', 'x'.repeat(10_000)]) {
        await world.superuser`
          update token_imports set profile = ${world.superuser.json({ issuerName })} where token_address = ${other.token}`
        await refused({ collateralTokenAddress: other.token }, 400, 'INVALID_ASSET_DATA')
      }
    })

    it('for a borrow asset that is no contract, no ERC-20, or has other decimals', async () => {
      const notAToken = await deploy(world.node, { abi: notATokenAbi, bytecode: notATokenBytecode })
      await refused({ borrowAssetAddress: wallet(7).address }, 400, 'BORROW_ASSET_NOT_CONTRACT')
      await refused({ borrowAssetAddress: notAToken }, 400, 'BORROW_ASSET_NOT_ERC20')
      const coarse = await world.createCash('COARSE', 5)
      await refused({ borrowAssetAddress: coarse }, 400, 'BORROW_ASSET_DECIMALS_UNSUPPORTED')
    })

    it('for a register that does not answer, and without one where prices come from a market', async () => {
      await refused({ priceSource: 'MARKET' }, 422, 'IDENTITY_REGISTRY_REQUIRED')
      await refused({ identityRegistry: world.cash }, 422, 'IDENTITY_REGISTRY_INCOMPATIBLE')
    })

    it('for collateral that cannot be frozen in part, has no balances, or is gone', async () => {
      const plain = await world.createCash('PLAIN', 18)
      await world.importToken(deployer, plain)
      await refused({ collateralTokenAddress: plain }, 400, 'FREEZE_MODE_UNSUPPORTED_TOKEN')
      await becomes(plain, await world.node.publicClient.getCode({ address: world.suite.factory }))
      await refused({ collateralTokenAddress: plain, mode: 'CUSTODY' }, 400, 'COLLATERAL_TOKEN_NOT_ERC20')
      await becomes(plain, '0x')
      await refused({ collateralTokenAddress: plain, mode: 'CUSTODY' }, 400, 'COLLATERAL_TOKEN_NOT_CONTRACT')
    })

    it('without a verified wallet', async () => {
      const bare = await world.createInstance()
      const party = { ...deployer, ...bare, post: (path: string, body: unknown) => bare.call('POST', path, { body }) }
      await world.importToken(party as Party, world.security.token)
      const answer = await bare.call('POST', DEPLOY, { body: world.deployBody() })
      expect([answer.status, answer.body.error.code]).toEqual([412, 'WALLET_NOT_CONFIGURED'])
    })
  })

  /** Another contract stands at this address from now on. */
  const becomes = (address: Address, bytecode: `0x${string}` | undefined) =>
    world.node.testClient.setCode({ address, bytecode: bytecode ?? '0x' })

  describe('builds', () => {
    it('one transaction that simulates well, and says what it offers', async () => {
      const { data } = must(
        await build({ rateMode: 'CLAMPED', rateFloorBps: 100, rateCapBps: 900, maxLoanDurationDays: 90 }),
      ).body
      expect(data).toMatchObject({
        action: 'SIGN_TRANSACTION',
        functionName: 'deployMarket',
        transaction: { to: world.suite.factory, value: '0', chainId: 31_337 },
        simulation: { simulated: true, success: true, revert: null },
        signer: deployer.wallet.address.toLowerCase(),
        borrowAsset: { address: world.cash, symbol: 'USDX', decimals: 6 },
        rateOffering: { rateMode: 'CLAMPED', rateFloorBps: 100, rateCapBps: 900 },
        termOffering: { maxLoanDurationSeconds: 7_776_000, termGracePeriodSeconds: 259_200, graceDefaultApplies: true },
        seekingCurator: true,
      })
      expect(JSON.parse(data.assetData.canonicalJson)).toEqual(data.assetData.bundle)
    })

    it('the same market again under the same record until it is deployed', async () => {
      const [first, second] = [must(await build()), must(await build({ initialPrice: '99.5' }))]
      expect(second.body.data.marketId).toBe(first.body.data.marketId)
      const got = must(await deployer.get(`${V2}/markets/${first.body.data.marketId}`)).body.data
      expect([got.marketAddress, got.onChain]).toEqual([null, null])
    })

    it('the same answer for the same Idempotency-Key, simulated and drafted once', async () => {
      const headers = { 'idempotency-key': 'deploy-market-once' }
      const keyed = () => deployer.call('POST', DEPLOY, { body: world.deployBody(), headers })
      const first = must(await keyed())
      expect(first.body.data.simulation).toMatchObject({ simulated: true, success: true })
      const second = must(await keyed())
      expect([second.headers['idempotent-replay'], second.body]).toEqual(['true', first.body])
    })

    it('a file for a multi-signature wallet on request', async () => {
      const answer = must(await deployer.post(`${DEPLOY}?format=safe`, world.deployBody()))
      expect(answer.body).toMatchObject({ version: '1.0', chainId: '31337', meta: { name: 'Deploy a market' } })
      expect(answer.body.transactions[0].to).toBe(world.suite.factory)
    })
  })

  describe('is confirmed', () => {
    it('from its receipt, once, whoever asks how often; and the outsider finds nothing', async () => {
      const built = must(await build())
      const txHash = await world.sign(deployer.wallet, built)
      const confirm = () => deployer.post(DEPLOY, { collateralTokenAddress: world.security.token, txHash })
      const { data } = must(await confirm()).body
      expect(data.market.id).toBe(built.body.data.marketId)
      expect(data.assetData).toMatchObject({
        contentHash: built.body.data.assetData.contentHash,
        version: 1,
        bundleAvailable: true,
      })
      expect(must(await confirm()).body.data).toEqual(data)
      const got = must(await deployer.get(`${V2}/markets/${data.market.id}`)).body.data
      expect(got.onChain).toMatchObject({
        seekingCurator: true,
        price: '100',
        borrowRate: '200',
        collateralFactor: '7500',
      })
      const listed = must(await deployer.get(`${V2}/markets?includeOnChain=true`)).body.data.markets
      expect(listed).toHaveLength(1)
      expect(listed[0].onChain).toEqual(got.onChain)
      expect(must(await world.outsider.get(`${V2}/markets`)).body.data.markets).toEqual([])
      const taken = await refused({}, 409, 'MARKET_EXISTS')
      expect(taken).toMatchObject({ action: 'USE_EXISTING_MARKET', marketId: data.market.id })
    })

    it('not by a hash that proves nothing, another token, other terms or another instance', async () => {
      const cash = await world.createCash('EURX', 6)
      const txHash = await world.sign(deployer.wallet, await build({ borrowAssetAddress: cash }))
      const confirm = (body: object, party = deployer) =>
        party.post(DEPLOY, { collateralTokenAddress: world.security.token, txHash, ...body })
      const outcome = async (body: object, party?: Party) => {
        const { status, body: answer } = await confirm(body, party)
        return [status, answer.error?.code]
      }
      await expectTransactionFaults(world, {
        confirm: (hash) => confirm({ txHash: hash }),
        target: world.suite.factory,
        other: { abi: lendingFactoryAbi, functionName: 'setDefaultFees', args: [0n, 0n] },
      })
      expect(await outcome({ collateralTokenAddress: cash })).toEqual([400, 'TX_NOT_VERIFIED'])
      expect(await outcome({ txHash: 'x' })).toEqual([400, 'VALIDATION_ERROR'])
      expect(await outcome({ mode: 'CUSTODY' })).toEqual([400, 'TX_WRONG_ARGS'])
      expect(await outcome({}, world.outsider)).toEqual([403, 'DEPLOYMENT_NOT_INSTANCE_BOUND'])
      const market = await marketOf(txHash)
      const code = await world.node.publicClient.getCode({ address: market })
      await becomes(market, '0x')
      expect(await outcome({})).toEqual([503, 'DEPLOYMENT_UNREADABLE'])
      await becomes(market, code)
      must(await confirm({}))
      const twin = await world.sign(deployer.wallet, await twinBuild(cash))
      expect(await outcome({ txHash: twin })).toEqual([409, 'MARKET_EXISTS'])
    })

    async function marketOf(txHash: Hex): Promise<Address> {
      const { logs } = await world.node.publicClient.getTransactionReceipt({ hash: txHash })
      const [event] = parseEventLogs({ abi: lendingFactoryAbi, eventName: 'MarketDeployed', logs })
      if (!event) throw new Error('no market was deployed')
      return event.args.market
    }

    /** What another instance with the same token builds; the deployer signs it behind its own instance's back. */
    async function twinBuild(cash: Address) {
      const other = await world.createParty(wallet(5))
      await world.importToken(other, world.security.token)
      return other.post(DEPLOY, world.deployBody({ borrowAssetAddress: cash }))
    }
  })
})
