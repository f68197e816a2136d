import { demoCashAbi, lendingMarketAbi, lendingVaultAbi, lendingVaultBytecode } from '@tallystick/abi'
import { firstGenerationMarketAbi, nominatingMarketAbi } from '@tallystick/abi/testing'
import { deploy, deployOtherImplementation, deploySafe, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, parseEventLogs, stringToHex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImplementations } from '../../../test/lending/implementations.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const targets = ['market', 'rateModel', 'router', 'insuranceFund'] as const
type Target = (typeof targets)[number]
const HASH = `0x${'1'.repeat(64)}`
const DAY = 86_400
const ofMarket = { abi: lendingMarketAbi } as const

describe('upgrading a market', () => {
  let world: LendingWorld
  let life: MarketLife
  let implementations: ReturnType<typeof createImplementations>
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    implementations = createImplementations(world)
    market = await life.adopted()
  })
  afterAll(() => world.close())

  const path = (id = market.marketId) => `${V2}/markets/${id}/upgrade`
  const post = (body: unknown, id?: string) => world.deployer.post(path(id), body)
  async function refused(body: unknown, status: number, code: string, id?: string) {
    const answer = await post(body, id)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
    return answer.body.error
  }
  const next = async (kind: Target, version = 9) => {
    const implementation = (await deployOtherImplementation(world.node, {
      factory: world.suite.factory,
      version,
    })) as Address
    await implementations.serve(kind, implementation)
    return implementation
  }

  it('is refused for a bad field with the first rule that failed, and no list', async () => {
    for (const body of [{ target: 'oracle' }, { txHash: '0x12' }, { acknowledgeFeeModelImpact: 'yes' }, { other: 1 }]) {
      const error = await refused(body, 400, 'VALIDATION_ERROR')
      expect(error).not.toHaveProperty('details')
      expect(error.message.length).toBeGreaterThan(5)
    }
    await refused({ target: 'router', acknowledgeFeeModelImpact: true }, 400, 'VALIDATION_ERROR')
  })

  it.each(targets)('of %s is refused while it runs what the factory serves', async (target) => {
    await refused({ target }, 409, 'ALREADY_UPGRADED')
  })

  it('is refused while nobody lends', async () => {
    const seeking = await world.deployMarket({ borrowAssetAddress: await world.createCash('SEEK') })
    for (const target of targets) await refused({ target }, 409, 'MARKET_PENDING_CURATOR', seeking.marketId)
    // Whoever has a hash is not asked for a lender of record.
    for (const target of targets) await refused({ target, txHash: HASH }, 404, 'TX_NOT_FOUND', seeking.marketId)
  })

  it.each([
    ['market', 'MarketWithoutSnapshot', 'TARGET_IMPL_NOT_INSTRUMENTED'],
    ['market', 'MarketWithoutStamping', 'TARGET_IMPL_NOT_STAMPING'],
    ['rateModel', 'ModelWithoutCeiling', 'TARGET_IMPL_NOT_CEILINGED'],
    ['insuranceFund', 'FundWithoutTopUp', 'TARGET_IMPL_NOT_TOPPABLE'],
    ['router', 'RouterWithoutRotation', 'TARGET_IMPL_NOT_ROTATABLE'],
  ] as const)('of %s to %s is refused for what it lacks', async (target, name, code) => {
    await implementations.serve(target, await implementations.create(name, 9n))
    await refused({ target }, 400, code)
    await implementations.serveCurrent(target)
  })

  it.each([
    ['market', 'MARKET_UPGRADE_FAILED'],
    ['rateModel', 'MODEL_UPGRADE_FAILED'],
    ['insuranceFund', 'FUND_UPGRADE_FAILED'],
    ['router', 'ROUTER_UPGRADE_FAILED'],
  ] as const)('of %s never goes back', async (target, code) => {
    // The same code as today at another address: nothing is missing, but the version is not higher.
    const twin = await implementations.twinOf(target)
    await implementations.serve(target, twin)
    expect((await refused({ target }, 400, code)).message).toMatch(/never goes back/)
    await implementations.serveCurrent(target)
  })

  it('is refused when nothing is served, or nothing stands there', async () => {
    const implementation = await next('market')
    await world.node.testClient.setCode({ address: implementation, bytecode: '0x' })
    await refused({}, 400, 'TARGET_IMPL_NO_CODE')
    await implementations.serveNothing('market')
    await refused({}, 400, 'NO_TARGET_IMPL')
    await implementations.serveCurrent('market')
  })

  it('is refused when another factory is on record, or it does not answer as one', async () => {
    const record = (address: string) =>
      world.superuser`update deployed_contracts set address = ${address} where name = 'LendingFactory'`
    await record(world.cash)
    await refused({}, 503, 'FACTORY_UNREADABLE')
    await record(await implementations.otherFactory())
    await refused({}, 409, 'MARKET_NOT_IN_FACTORY')
    await world.superuser`delete from deployed_contracts`
    await refused({}, 503, 'LENDING_NOT_CONFIGURED')
    await world.superuser`
      insert into deployed_contracts values (${world.node.chainId}, 'LendingFactory', ${world.suite.factory}, now())`
  })

  describe('of satellites that the market still owns', () => {
    let nominating: LiveMarket
    beforeAll(async () => {
      await implementations.serve('market', await implementations.create('NominatingMarket', 1n))
      nominating = await life.adopted({ borrowAssetAddress: await world.createCash('NOMI') })
      await implementations.serveCurrent('market')
      for (const kind of ['rateModel', 'insuranceFund'] as const)
        await implementations.serve(kind, await implementations.nextOf(kind))
    })
    afterAll(async () => {
      for (const kind of ['rateModel', 'insuranceFund'] as const) await implementations.serveCurrent(kind)
    })

    it.each([
      ['rateModel', 'RATE_MODEL_OWNER_PENDING'],
      ['insuranceFund', 'INSURANCE_FUND_OWNER_PENDING'],
    ] as const)('is refused for %s and names who has to accept', async (target, code) => {
      const error = await refused({ target }, 409, code, nominating.marketId)
      expect(error).toMatchObject({
        owner: nominating.marketAddress,
        pendingOwner: world.deployer.wallet.address.toLowerCase(),
      })
    })

    it('names nobody where nobody is nominated', async () => {
      const { marketAddress: address, rateModel } = nominating
      const nominate = async (nominee: Address) => {
        await world.node.testClient.impersonateAccount({ address })
        await world.node.testClient.setBalance({ address, value: 10n ** 18n })
        const args = [nominee]
        const data = encodeFunctionData({ abi: abis.rateModel, functionName: 'transferOwnership', args } as never)
        const hash = await world.node.walletClient.sendTransaction({ account: address, to: rateModel, data })
        await world.node.publicClient.waitForTransactionReceipt({ hash })
        await world.node.testClient.stopImpersonatingAccount({ address })
      }
      await nominate(zeroAddress)
      const error = await refused({ target: 'rateModel' }, 409, 'RATE_MODEL_OWNER_PENDING', nominating.marketId)
      expect(error.owner).toBe(address)
      expect(error).not.toHaveProperty('pendingOwner')
      await nominate(world.deployer.wallet.address)
    })

    it('is built once the nominee accepted', async () => {
      await life.call(nominating.rateModel, abis.rateModel, 'acceptOwnership', [])
      const { data } = must(await post({ target: 'rateModel' }, nominating.marketId)).body
      expect(data).toMatchObject({
        modelAddress: nominating.rateModel,
        owner: world.deployer.wallet.address.toLowerCase(),
      })
      expect(data.simulation.success).toBe(true)
    })

    it('is refused when the market has none, and so is its confirmation', async () => {
      await send(world.node, {
        address: nominating.marketAddress,
        abi: nominatingMarketAbi,
        functionName: 'forgetSatellites',
      })
      await refused({ target: 'rateModel' }, 503, 'MODEL_UNRESOLVED', nominating.marketId)
      await refused({ target: 'insuranceFund' }, 503, 'FUND_UNRESOLVED', nominating.marketId)
      const txHash = HASH
      await refused({ target: 'rateModel', txHash }, 409, 'MODEL_UNRESOLVED', nominating.marketId)
      await refused({ target: 'insuranceFund', txHash }, 409, 'NO_INSURANCE_FUND', nominating.marketId)
    })
  })

  describe('from the first generation, with loans, providers and a vault', () => {
    let old: LiveMarket
    let vault: Address
    let firstGeneration: Address
    beforeAll(async () => {
      firstGeneration = await implementations.create('FirstGenerationMarket', 1_000n)
      await implementations.serve('market', firstGeneration)
      old = await life.adopted({ mode: 'CUSTODY' })
      await life.admit(old, [wallet(3).address])
      await life.fund(old, 100_000)
      await life.fund(old, 5_000, wallet(4))
      await life.openLoan(old, wallet(3), { collateral: 100, amount: 5_000, mode: 'CUSTODY' })
      const args = ['Vault', 'VLT', world.cash, world.deployer.wallet.address, world.suite.factory, []]
      const created = await deploy(world.node, { abi: lendingVaultAbi, bytecode: lendingVaultBytecode, args })
      vault = created.toLowerCase() as Address
      await life.call(old.marketAddress, abis.market, 'registerVault', [vault])
      await implementations.serveCurrent('market')
    })
    it('is refused until the impact of the fixed fee shares is acknowledged, with the figures', async () => {
      const { details } = await refused({}, 409, 'FEE_MODEL_IMPACT_UNACKNOWLEDGED', old.marketId)
      expect(details.feeModel).toMatchObject({
        openPool: true,
        registeredVaults: [vault],
        impact: {
          providersHoldShares: true,
          openLoans: '1',
          outstandingPrincipal: '5000',
          operatorShareBps: { before: 1_000, after: 800 },
        },
        vaultWarnings: [{ code: 'VAULT_PREDATES_DISTRIBUTOR', vault }],
      })
      await refused({ acknowledgeFeeModelImpact: false }, 409, 'FEE_MODEL_IMPACT_UNACKNOWLEDGED', old.marketId)
    })

    it('carries a register of borrowers into the perimeter', async () => {
      const abi = firstGenerationMarketAbi
      const { registry } = world.security
      await life.call(old.marketAddress, abi, 'setIdentityRegistry', [registry])
      const { data } = must(await post({ acknowledgeFeeModelImpact: true }, old.marketId)).body
      expect(data.perimeter).toEqual({
        borrowerRegistry: registry,
        providerRegistry: null,
        carried: false,
        note: expect.stringContaining('The register goes on for borrowers'),
      })
      await life.call(old.marketAddress, abi, 'setIdentityRegistry', [zeroAddress])
    })

    it('tells its status beforehand in one answer', async () => {
      const { data } = must(await world.deployer.get(path(old.marketId))).body
      expect(data).toMatchObject({
        feeShareGeneration: 'OFFERED_SHARE',
        acknowledgementRequired: true,
        stampsLoanTerms: null,
        market: { upgradeAvailable: true, targetImplementation: world.suite.market },
        rateModel: { upgradeAvailable: false },
        perimeter: { carried: false },
      })
    })

    it('builds upgrade, snapshot and follow-ups in order, runs them with everybody in it, and is confirmed', async () => {
      await life.travel(30 * DAY)
      const built = must(await post({ acknowledgeFeeModelImpact: true }, old.marketId))
      const { data } = built.body
      expect(data).toMatchObject({
        action: 'SIGN_TRANSACTION',
        target: 'market',
        functionName: 'upgradeToAndCall',
        requiredRole: 'DEFAULT_ADMIN_ROLE',
        heldByThisInstance: true,
        implementation: world.suite.market,
        previousImplementation: firstGeneration,
        description: expect.stringContaining('market'),
        acknowledgedFeeModelImpact: true,
        perimeter: { borrowerRegistry: null, providerRegistry: null, carried: false },
        feeModel: { openPool: true, registeredVaults: [vault], vaultWarnings: [{ vault }] },
        pokeSnapshot: {
          to: old.marketAddress,
          data: encodeFunctionData({ ...ofMarket, functionName: 'pokeSnapshot' }),
        },
        followUps: { requiredRole: 'DEFAULT_ADMIN_ROLE', reason: expect.stringContaining('registered again') },
        value: '0',
        chainId: world.node.chainId,
        simulation: { success: true },
        confirmWith: { endpoint: path(old.marketId), field: 'txHash', body: { txHash: null, target: 'market' } },
      })
      expect(data.transaction).toEqual({ to: old.marketAddress, data: data.data })
      const again = (functionName: 'deregisterVault' | 'registerVault') =>
        encodeFunctionData({ ...ofMarket, functionName, args: [vault] })
      expect(data.followUps.steps.map((step: { data: string }) => step.data)).toEqual([
        again('deregisterVault'),
        again('registerVault'),
      ])
      const held = () =>
        world.node.publicClient.readContract({
          ...ofMarket,
          address: old.marketAddress,
          functionName: 'sharesOf',
          args: [wallet(4).address],
        })
      const heldBefore = await held()
      const txHash = await world.sendRaw(world.deployer.wallet, data.transaction)
      for (const step of [data.pokeSnapshot, ...data.followUps.steps]) await world.sendRaw(world.deployer.wallet, step)
      const confirmed = must(await post({ txHash }, old.marketId)).body.data
      expect(confirmed).toEqual({
        confirmed: true,
        target: 'market',
        proxy: old.marketAddress,
        txHash,
        implementation: world.suite.market,
        signer: world.deployer.wallet.address.toLowerCase(),
      })
      await refused({}, 409, 'ALREADY_UPGRADED', old.marketId)
      const after = must(await world.deployer.get(path(old.marketId))).body.data
      expect(after).toMatchObject({
        feeShareGeneration: 'FIXED_SHARES',
        instrumented: true,
        market: { upgradeAvailable: false },
      })
      expect(await held()).toBe(heldBefore)
      await expect(life.fund(old, 5_000, wallet(4))).rejects.toThrow('NotProvider')
    })

    it('splits what had accrued before at the new rates', async () => {
      await life.call(world.cash, demoCashAbi, 'mint', [wallet(3).address, 100_000_000n])
      await life.call(world.cash, demoCashAbi, 'approve', [old.marketAddress, 100_000_000n], wallet(3))
      const { logs } = await life.call(old.marketAddress, abis.market, 'repay', [1n, 100_000_000n], wallet(3))
      const [repaid] = parseEventLogs({ ...ofMarket, eventName: 'LoanRepaid', logs })
      const [split] = parseEventLogs({ ...ofMarket, eventName: 'InterestSplit', logs })
      const interest = repaid?.args.interest ?? 0n
      const left = interest - (interest * 1_500n) / 10_000n
      expect(interest).toBeGreaterThan(0n)
      expect(split?.args).toMatchObject({
        infrastructure: interest - left,
        operator: (left * 800n) / 10_000n,
        distributor: (left * 500n) / 10_000n,
      })
    })
  })

  describe('of each proxy', () => {
    it.each(['rateModel', 'router', 'insuranceFund'] as const)(
      '%s is built, signed and confirmed, with its own fields',
      async (target) => {
        const deployer = world.deployer.wallet.address.toLowerCase()
        const implementation = await implementations.nextOf(target)
        await implementations.serve(target, implementation)
        const { data } = must(await post({ target })).body
        const { rateModel: modelAddress, router: routerAddress, fund: fundAddress } = market
        const owned = { functionName: 'upgradeToAndCall', requiredRole: 'owner', owner: deployer }
        const own = {
          rateModel: { ...owned, modelAddress },
          router: { routerAddress },
          insuranceFund: { ...owned, fundAddress },
        }[target]
        expect(data).toEqual({
          action: 'SIGN_TRANSACTION',
          target,
          transaction: { to: data.to, data: data.data },
          to: Object.values(own).at(-1),
          data: expect.stringMatching(/^0x4f1ef286/),
          value: '0',
          chainId: world.node.chainId,
          ...own,
          requiredSigner: target === 'router' ? null : deployer,
          heldByThisInstance: true,
          signerAddress: deployer,
          note: null,
          description: expect.any(String),
          implementation,
          previousImplementation: world.suite[target],
          simulation: expect.objectContaining({ success: true }),
          confirmWith: { endpoint: path(), field: 'txHash', body: { txHash: null, target } },
        })
        const txHash = await world.sendRaw(world.deployer.wallet, data.transaction)
        const confirmed = must(await post({ target, txHash })).body.data
        expect(confirmed).toMatchObject({ confirmed: true, target, proxy: data.to, implementation })
        await refused({ target }, 409, 'ALREADY_UPGRADED')
      },
    )

    it('is confirmed from the event alone when a Safe sent it', async () => {
      const safe = await deploySafe(world.node, [wallet(5)])
      const safeMarket = await life.adopted({ borrowAssetAddress: await world.createCash('SAFE') })
      await life.call(safeMarket.marketAddress, abis.market, 'grantRole', [zeroHash, safe.address])
      const implementation = await implementations.nextOf('market')
      await implementations.serve('market', implementation)
      const { data } = must(await post({}, safeMarket.marketId)).body
      const { receipt } = await safe.execThroughSafe({ to: data.to, data: data.data as Hex })
      const confirmed = must(await post({ txHash: receipt.transactionHash }, safeMarket.marketId)).body.data
      expect(confirmed).toMatchObject({ verifiedBy: 'receipt-log', implementation })
    })

    it('is not confirmed by a hash that proves nothing, nor by the upgrade of another proxy', async () => {
      await expectTransactionFaults(world, {
        confirm: (txHash) => post({ txHash }),
        target: market.marketAddress,
        other: { abi: abis.market, functionName: 'pokeSnapshot' },
      })
      const receipt = await send(world.node, {
        address: market.marketAddress,
        abi: abis.market,
        functionName: 'upgradeToAndCall',
        args: [await currentlyServed(), '0x'],
      })
      await refused({ target: 'router', txHash: receipt.transactionHash }, 400, 'TX_WRONG_TARGET')
      const safe = await deploySafe(world.node, [wallet(5)])
      await life.call(market.router, abis.router, 'grantRole', [zeroHash, safe.address])
      const data = encodeFunctionData({
        abi: abis.router,
        functionName: 'grantRole',
        args: [zeroHash, wallet(5).address],
      })
      const other = await safe.execThroughSafe({ to: market.router, data })
      await refused({ target: 'router', txHash: other.receipt.transactionHash }, 400, 'TX_NOT_VERIFIED')
    })
    const currentlyServed = async () =>
      (await world.node.publicClient.readContract({
        address: world.suite.factory,
        abi: abis.factory,
        functionName: 'servedImplementation',
        args: [stringToHex('market', { size: 32 })],
      })) as Address
  })

  it('knows no router that is neither on record nor told by the market', async () => {
    await world.superuser`update lending_markets set router = ${zeroAddress} where market_address = ${market.marketAddress}`
    const code = await world.node.publicClient.getCode({ address: market.marketAddress })
    await world.node.testClient.setCode({ address: market.marketAddress, bytecode: '0x' })
    await refused({ target: 'router' }, 400, 'ROUTER_UNRESOLVED')
    await refused({ target: 'router', txHash: `0x${'1'.repeat(64)}` }, 503, 'ROUTER_UNRESOLVED')
    await world.node.testClient.setCode({ address: market.marketAddress, bytecode: code ?? '0x' })
    await world.superuser`update lending_markets set router = ${market.router} where market_address = ${market.marketAddress}`
  })
})
