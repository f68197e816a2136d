import { demoCashAbi } from '@tallystick/abi'
import { deployTrex, send, type Trex, trexTokenAbi, type Wallet, wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abis } from '../../src/lending/contracts.ts'
import type { TestAnswer } from '../world.ts'
import { createImplementations } from './implementations.ts'
import { createLendingWorld, type LendingWorld, must, type Party, units, V2 } from './lending-world.ts'
import { createMarketLife, type LiveMarket } from './market-life.ts'

const DAY = 86_400
const profile = { issuerName: 'Nordlicht Windpark GmbH', jurisdiction: 'DE', sector: 'Energy', isin: 'DE000A1EWWW0' }
const terms = '# Terms\n\nThe lender may extend loans without the signature of the borrower.'

/**
 * A bank finds a security, lends against it, and keeps its market in order: through the interface alone, with the wallets of three
 * instances. Only borrowers act on chain directly. Told once per collateral mode, on an ERC-3643 token that others wrote.
 */
describe.each(['FREEZE', 'CUSTODY'] as const)('the story of a market in %s', (mode) => {
  let world: LendingWorld
  let trex: Trex
  let token: Address
  let market: LiveMarket
  let deployerRecord: string
  let lenderRecord: string
  const borrower: Wallet = wallet(3)

  beforeAll(async () => {
    world = await createLendingWorld()
    trex = await deployTrex(world.node)
    token = trex.token.toLowerCase() as Address
  })
  afterAll(() => world.close())

  const at = (id: string, path: string) => `${V2}/markets/${id}${path}`
  const onAddress = (path: string) => `${V2}/markets/${market.marketAddress}${path}`

  /** Builds, signs with the party's wallet, and confirms where the answer says. */
  async function write(
    party: Party,
    path: string,
    body: Record<string, unknown> = {},
    again: Record<string, unknown> = {},
  ): Promise<TestAnswer> {
    const built = must(await party.post(path, body))
    const { transaction, confirmWith, simulation } = built.body.data
    expect(simulation).toMatchObject({ simulated: true, success: true, revert: null })
    const txHash = await world.sendRaw(party.wallet, transaction)
    const endpoint: string = confirmWith?.endpoint ?? path
    return must(await party.post(endpoint, { ...again, txHash }))
  }

  it('begins with a token that the deployer imports and describes', async () => {
    await world.importToken(world.deployer, token, profile)
    const preview = `${V2}/markets/asset-data/preview?collateralTokenAddress=${token}&borrowAssetAddress=${world.cash}&mode=${mode}`
    expect(must(await world.deployer.get(preview)).body.data.bundle.profile).toEqual(profile)
  })

  it('is deployed in one transaction, and only its deployer finds it', async () => {
    const body = {
      ...world.deployBody({ collateralTokenAddress: token, mode, maxLoanDurationDays: 90 }),
      candidates: [],
    }
    const confirmed = await write(world.deployer, `${V2}/markets/deploy`, body, { collateralTokenAddress: token })
    const record = confirmed.body.data.market
    deployerRecord = record.id
    market = await createMarketLife(world).partsOf(record.id, record.marketAddress)
    for (const party of [world.lender, world.outsider]) {
      expect((await party.get(at(deployerRecord, ''))).body.error.code).toBe('MARKET_NOT_FOUND')
      expect((await party.get(onAddress('/asset-data'))).body.error.code).toBe('MARKET_NOT_DEPLOYED')
    }
    expect(must(await world.deployer.get(onAddress('/asset-data'))).body.data.status).toBe('ATTESTED')
    expect((await world.deployer.post(at(deployerRecord, '/upgrade'), {})).body.error.code).toBe(
      'MARKET_PENDING_CURATOR',
    )
  })

  it('is offered to a lender, who reads what was attested and adopts it with that hash', async () => {
    await write(
      world.deployer,
      at(deployerRecord, '/nominations'),
      { candidate: world.lender.wallet.address },
      { candidate: world.lender.wallet.address },
    )
    const queued = must(await world.lender.get(`${V2}/markets/queued`)).body.data.markets
    expect(queued.map((row: { marketAddress: string }) => row.marketAddress)).toContain(market.marketAddress)
    const { contentHash, canonicalJson } = must(await world.lender.get(onAddress('/asset-data/bundle'))).body.data
    expect(JSON.parse(canonicalJson).profile).toEqual(profile)
    const account = world.lender.wallet.address
    // Who sells the collateral must be able to hold it.
    await trex.registerHolder(account)
    const parties = [
      'admin',
      'issuer',
      'collateralAgent',
      'saleRecipient',
      'liquidationOperator',
      'oracleOwner',
      'priceSigner',
    ]
    const body = {
      ...Object.fromEntries(parties.map((name) => [name, account])),
      realizationMode: 'ISSUER_REDEMPTION',
      assetDataHash: contentHash,
    }
    const built = must(await world.lender.post(`${V2}/markets/queued/${market.marketAddress}/accept`, body))
    const txHash = await world.sendRaw(world.lender.wallet, built.body.data.transaction)
    const accepted = must(
      await world.lender.post(`${V2}/markets/queued/${market.marketAddress}/confirm-accept`, { txHash }),
    )
    lenderRecord = accepted.body.data.market.id
    expect(lenderRecord).not.toBe(deployerRecord)
    const [ours, theirs] = [
      must(await world.lender.get(at(lenderRecord, ''))),
      must(await world.deployer.get(at(deployerRecord, ''))),
    ]
    expect(ours.body.data.onChain).toEqual(theirs.body.data.onChain)
    expect(ours.body.data.onChain).toMatchObject({ seekingCurator: false, curator: account.toLowerCase() })
    expect(must(await world.lender.get(onAddress('/asset-data'))).body.data.status).toBe('ACKNOWLEDGED')
  })

  it('is set up step by step until nothing is missing', async () => {
    // The administrators of the token act for themselves: they know its identities.
    await trex.registerHolder(market.router)
    if (mode === 'FREEZE') await trex.addAgent(market.adapter)
    else await trex.registerHolder(market.adapter)
    const steps = must(await world.lender.get(at(lenderRecord, '/setup-steps'))).body.data
    for (const [, call] of Object.entries(steps.calldata) as [string, { to: Address; data: Hex }][])
      await world.sendRaw(world.lender.wallet, call)
    const after = must(await world.lender.get(at(lenderRecord, '/setup-steps'))).body.data
    expect([after.complete, after.mode, after.calldata]).toEqual([true, mode, {}])
    expect(must(await world.lender.get(at(lenderRecord, '/configuration-status'))).body.data.fullyConfigured).toBe(true)
  })

  it('has terms of use that provide for extensions', async () => {
    const body = { content: terms, title: 'House terms', providesForExtensions: true }
    must(await world.lender.call('PUT', at(lenderRecord, '/terms'), { body }))
    expect(must(await world.deployer.get(at(deployerRecord, '/terms'))).body.data.terms.content).toBe(terms)
  })

  it('diverges when the issuer says something new, until the lender acknowledges it', async () => {
    const attestor = world.lender
    await world.importToken(attestor, token, { ...profile, sector: 'Wind energy' })
    const attested = await write(attestor, onAddress('/asset-data/attest'))
    expect(attested.body.data.attestation.version).toBe(2)
    const read = must(await world.deployer.get(onAddress('/asset-data'))).body.data
    expect(read.status).toBe('DIVERGED')
    await write(world.lender, onAddress('/asset-data/acknowledge'), { contentHash: read.attested.contentHash })
    expect(must(await world.deployer.get(onAddress('/asset-data'))).body.data.status).toBe('ACKNOWLEDGED')
    expect((await attestor.post(onAddress('/asset-data/attest'))).body.error.code).toBe('ATTESTATION_CURRENT')
  })

  it('lends to borrowers who hold the token', async () => {
    const { node, cash, lender } = world
    const provided = units(100_000, 6)
    await send(node, { address: cash, abi: demoCashAbi, functionName: 'mint', args: [lender.wallet.address, provided] })
    await send(node, {
      address: cash,
      abi: demoCashAbi,
      functionName: 'approve',
      args: [market.marketAddress, provided],
      account: lender.wallet,
    })
    await send(node, {
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'addLiquidity',
      args: [provided],
      account: lender.wallet,
    })
    await trex.registerHolder(borrower.address)
    for (const amount of [5_000, 3_000]) await openLoan(100, amount)
    const { onChain } = must(await lender.get(at(lenderRecord, ''))).body.data
    expect(onChain).toMatchObject({ activeLoans: '2', totalBorrows: '8000', totalCollateral: '200' })
  })

  async function openLoan(collateral: number, amount: number): Promise<bigint> {
    await trex.mint(borrower.address, units(collateral))
    if (mode === 'CUSTODY')
      await send(world.node, {
        address: token,
        abi: trexTokenAbi,
        functionName: 'approve',
        args: [market.adapter, units(collateral)],
        account: borrower,
      })
    const signedPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' }
    const args = [units(collateral), units(amount, 6), signedPrice]
    const { logs } = await send(world.node, {
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'openLoan',
      args,
      account: borrower,
    })
    const [opened] = parseEventLogs({ abi: abis.market, eventName: 'LoanOpened', logs })
    return opened?.args.loanId ?? 0n
  }

  it.each(['LOAN', 'BATCH', 'FLOOR'] as const)(
    'extends by %s: proposed by the issuer, confirmed by the admin, applied',
    async (kind) => {
      const { timestamp } = await world.node.publicClient.getBlock()
      const newDueAt = Number(timestamp) + { LOAN: 100, BATCH: 120, FLOOR: 140 }[kind] * DAY
      const request = { kind, newDueAt, ...(kind === 'LOAN' ? { loanId: 1 } : {}) }
      const proposed = await write(world.lender, at(lenderRecord, '/extensions'), request)
      const { proposalId } = proposed.body.data.activity.find(
        (one: { event: string }) => one.event === 'ExtensionProposed',
      )
      const confirmed = await write(world.lender, at(lenderRecord, `/extensions/${proposalId}/confirm`))
      expect(confirmed.body.data.noOp).toBe(false)
      if (kind === 'BATCH') {
        const applied = await write(world.lender, at(lenderRecord, `/extensions/${proposalId}/apply`), {
          loanIds: [1, 2],
        })
        expect(applied.body.data.appliedLoans.map(Number)).toEqual([1, 2])
      }
      const dueAt = await world.node.publicClient.readContract({
        address: market.marketAddress,
        abi: abis.market,
        functionName: 'loan',
        args: [1n],
      })
      expect(Number(dueAt.effectiveDueAt)).toBe(newDueAt)
    },
  )

  it('earns fees that are swept to where they are fixed to go, and the cash flows balance', async () => {
    await createMarketLife(world).travel(20 * DAY)
    await createMarketLife(world).repay(market, borrower, 1n, 2_000)
    const swept = await write(world.deployer, at(deployerRecord, '/infrastructure-fees/sweep'))
    expect(swept.body.data).toMatchObject({ kind: 'infrastructure', destination: wallet(9).address.toLowerCase() })
    await world.follow()
    const flows = must(await world.lender.get(at(lenderRecord, '/cashflows'))).body.data
    for (const { balanced } of Object.values(flows.reconciliation) as { balanced: boolean }[])
      expect(balanced).toBe(true)
    const types = must(await world.lender.get(at(lenderRecord, '/transactions'))).body.data.transactions
    expect(types.map((one: { txType: string }) => one.txType)).toContain('INFRASTRUCTURE_FEES_SWEPT')
  })

  it('gets a venue for auctions', async () => {
    const created = must(await world.lender.post(at(lenderRecord, '/auction-module'), {})).body.data
    const hash = await world.node.walletClient.sendTransaction({
      account: world.lender.wallet,
      data: created.transaction.data,
    })
    const { contractAddress } = await world.node.publicClient.waitForTransactionReceipt({ hash })
    const moduleAddress = contractAddress?.toLowerCase() as Address
    await trex.registerHolder(moduleAddress)
    const wired = must(await world.lender.post(at(lenderRecord, '/auction-module'), { moduleAddress })).body.data
    for (const step of wired.steps) await world.sendRaw(world.lender.wallet, step)
    expect(must(await world.lender.get(at(lenderRecord, '/auction-module'))).body.data).toMatchObject({
      auctionModule: moduleAddress,
      wired: true,
      routerAuthorized: true,
      tokenAdmitted: true,
      fundAuthorized: false,
      realizationReady: false,
    })
  })

  it.each(['market', 'rateModel', 'router', 'insuranceFund'] as const)(
    'moves its %s forward with loans in it',
    async (target) => {
      const implementations = createImplementations(world)
      const implementation = await implementations.nextOf(target)
      await implementations.serve(target, implementation)
      const upgraded = await write(world.lender, at(lenderRecord, '/upgrade'), { target }, { target })
      expect(upgraded.body.data).toMatchObject({ confirmed: true, target, implementation })
      const { onChain } = must(await world.lender.get(at(lenderRecord, ''))).body.data
      expect(onChain).toMatchObject({ isOnChain: true, activeLoans: '2' })
    },
  )

  it('never existed for the outsider', async () => {
    for (const id of [deployerRecord, lenderRecord])
      for (const path of ['', '/metrics', '/extensions', '/terms', '/setup-steps', '/cashflows', '/upgrade'])
        expect((await world.outsider.get(at(id, path))).body.error.code).toBe('MARKET_NOT_FOUND')
    expect((await world.outsider.get(onAddress('/asset-data/bundle'))).body.error.code).toBe('MARKET_NOT_DEPLOYED')
  })
})
