import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoWorld } from '@tallystick/demo'
import { createPublicClient, createTestClient, http } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RunningStack, readDemo, startStack, stopStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { seededFolder } from './seeded-folder.ts'
import { allRows, connectEmbedded } from './table-rows.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const seizures = { freeze: 'inAuction', custody: 'onRouter' } as const
type Label = keyof typeof seizures
const labels: readonly Label[] = ['freeze', 'custody']
const IDENTITY = '/customers/api/identity'
const SIGNERS = ['Issuer platform', 'Sub-issuer', 'Controller']
/** How much the demo writes for its stocks and identities. Reasons stand on chain as they are, and no proof was revoked. */
const rowsOfStocks: Record<string, number> = {
  ...{ stock_tokens: 2, stock_reasons: 0, identity_records: 7, identity_proofs: 3, identity_audit: 0 },
  ...{ token_imports: 14, wallets: 10 },
}

/** Chapters of one story. The folder was seeded by a start before this one: whatever is seen here outlived it. */
describe('the demo', () => {
  let folder = ''
  let stack: RunningStack

  beforeAll(async () => {
    folder = await seededFolder()
    stack = await startStack(folder)
  })

  async function read(path: string, role: string) {
    const { body } = await callHttp(stack.url, stack.demo.instances[role]?.apiKey ?? '', 'GET', path)
    expect(body.success, `${path}: ${JSON.stringify(body.error)}`).toBe(true)
    return body
  }

  const recordOf = (label: Label) => stack.demo.markets[label]?.records.lender ?? ''
  const loanOf = (label: Label, loan: string) => String(readDemo(folder).markets[label]?.loans[loan])

  const liquidations = (label: Label, rest: string) =>
    read(`/lending-external-securities/api/liquidations/${recordOf(label)}/${rest}`, 'lender')
  const market = (label: Label, rest = '') =>
    read(`/lending-external-securities-v2/api/markets/${recordOf(label)}${rest}`, 'lender')

  /** What a newcomer is shown in every market, whenever he comes. */
  async function expectStates(label: Label): Promise<void> {
    const { data, metadata } = await liquidations(label, 'liquidatable-loans')
    expect(data.priceStale).toBe(false)
    const numbers = (rows: { loanId: string }[]) => rows.map(({ loanId }) => loanId)
    expect(numbers(data.liquidatableLoans)).toEqual([loanOf(label, 'liquidatable')])
    const auctioned = label === 'freeze' ? [loanOf(label, 'inAuction')] : []
    expect(numbers(data.auctionedLoans)).toEqual(auctioned)
    for (const { expired } of data.auctionedLoans) expect(expired).toBe(false)
    const hoursLeft = (loan: string) => {
      const row = data.termedLoans.find(({ loanId }: { loanId: string }) => loanId === loanOf(label, loan))
      return (row.effectiveDueAt - metadata.chainTime) / HOUR
    }
    expect(hoursLeft('dueSoon')).toBeGreaterThan(20)
    expect(hoursLeft('dueSoon')).toBeLessThanOrEqual(24)
    expect(hoursLeft('healthy')).toBeGreaterThan(24 * 80)
    const position = `/lending-external-securities/api/positions/${recordOf(label)}/loan`
    for (const loan of ['healthy', 'dueSoon'])
      expect(Number((await read(`${position}/${loanOf(label, loan)}`, 'lender')).data.healthFactor)).toBeGreaterThan(
        1.5,
      )
  }

  /** The seizure that `demo.json` names is pending, and of the loan that it names. */
  async function expectSeizure(label: Label): Promise<void> {
    const seized = seizures[label]
    const { instance, marketId, liquidationId } = readDemo(folder).liquidations[seized] ?? {}
    expect([instance, marketId]).toEqual(['lender', recordOf(label)])
    const { pendingLiquidations } = (await liquidations(label, 'pending-liquidations')).data
    const row = pendingLiquidations.find((one: { liquidationId: string }) => one.liquidationId === liquidationId)
    expect(row).toMatchObject({ loanId: loanOf(label, seized), status: 'PENDING' })
  }

  async function expectLoanAgainstShares(): Promise<void> {
    const { marketAddress, records } = stack.demo.markets['stock-freeze'] ?? {}
    const { markets } = (await read('/lending-stocks/api/markets', 'lender')).data
    expect(markets).toMatchObject([{ id: records?.lender, marketAddress, collateralTokenSymbol: 'NWP' }])
    const ofStocks = async (rest: string) => (await read(`/lending-stocks/api/${rest}`, 'lender')).data
    expect((await ofStocks(`markets/${records?.lender}/setup-steps`)).complete).toBe(true)
    const loan = await ofStocks(`positions/${records?.lender}/loan/1`)
    expect(loan).toMatchObject({ collateralAmount: '1000', active: true, collateralIntact: true })
    expect(Number(loan.healthFactor)).toBeGreaterThan(2.5)
    const { priceStale, liquidatableLoans } = await ofStocks(`liquidations/${records?.lender}/liquidatable-loans`)
    expect([priceStale, liquidatableLoans]).toEqual([false, []])
  }

  const ofStock = async (rest: string) => (await read(`/stocks/api/fetch/${rest}`, 'issuer')).data
  const stock = (symbol: string) => stack.demo.tokens[symbol] ?? ''
  /** The wallet with this label. */
  const wallet = (label: string) => {
    const wallets = Object.values(stack.demo.instances).flatMap((instance) => instance.wallets)
    return wallets.find((one) => one.label === label)?.address ?? ''
  }
  const identity = (label: string) => read(`${IDENTITY}/status/${wallet(label)}`, 'issuer')

  /** What no start may touch once it is there. */
  async function everythingOfStocks() {
    const chain = createPublicClient({ transport: http(stack.demo.rpcUrl) })
    const countOf = (label: string) => chain.getTransactionCount({ address: wallet(label) as `0x${string}` })
    const counts = await Promise.all(SIGNERS.map(countOf))
    const sql = connectEmbedded(folder)
    const rows = await allRows(sql).finally(() => sql.end())
    const facts = await Promise.all(['NWP', 'ALPS'].map((symbol) => ofStock(`transactions/${stock(symbol)}?limit=200`)))
    return {
      counts,
      rows: Object.keys(rowsOfStocks).map((table) => [table, rows[table]]),
      facts,
      tokens: stack.demo.tokens,
    }
  }

  describe('has lending markets that', () => {
    it('are told in demo.json, with a record per role, loans by label, and a borrower among the wallets', () => {
      const { demo } = stack
      const address = expect.stringMatching(/^0x[0-9a-f]{40}$/)
      const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
      const common = { marketAddress: address, priceSource: 'NAV' }
      const both = { issuer: id, lender: id }
      expect(demo.markets).toEqual({
        freeze: {
          ...{ ...common, mode: 'FREEZE', records: both },
          loans: { dueSoon: 1, healthy: 2, liquidatable: 3, inAuction: 4 },
        },
        custody: {
          ...{ ...common, mode: 'CUSTODY', records: both },
          loans: { dueSoon: 1, healthy: 2, liquidatable: 3, onRouter: 4 },
        },
        'stock-freeze': { ...common, mode: 'FREEZE', records: both, loans: { healthy: 1 } },
        gold: { ...common, mode: 'CUSTODY', records: both, loans: { goldOnRouter: 1 } },
        seeking: { ...common, mode: 'CUSTODY', records: { issuer: id }, loans: {} },
        earlier: { ...common, mode: 'CUSTODY', records: both, loans: {} },
      })
      expect(demo.liquidations).toEqual({
        inAuction: { instance: 'lender', marketId: recordOf('freeze'), liquidationId: 'venue-1' },
        onRouter: { instance: 'lender', marketId: recordOf('custody'), liquidationId: '1' },
        goldOnRouter: { instance: 'lender', marketId: demo.markets.gold?.records.lender, liquidationId: '1' },
      })
      expect(demo.instances.issuer?.wallets.map(({ label }) => label)).toContain('Borrower')
    })

    it.each(labels)('show the %s market set up, funded, and with loans in every state', async (label) => {
      expect((await market(label, '/setup-steps')).data.complete).toBe(true)
      const { onChain } = (await market(label)).data
      const told = { isOnChain: true, seekingCurator: false, price: '80', useDutchAuction: label === 'freeze' }
      expect(onChain).toMatchObject({ ...told, activeLoans: '4' })
      expect(Number(onChain.borrowableLiquidity)).toBeGreaterThan(50_000)
      await expectStates(label)
      await expectSeizure(label)
      if (label === 'freeze')
        expect((await liquidations(label, 'auctions')).data.auctions).toMatchObject([{ phase: 'RUNNING', loanId: '4' }])
    })

    it('lend against shares too: a stock is frozen for a healthy loan', expectLoanAgainstShares)

    it('show four weeks of prices', async () => {
      const { records } = stack.demo.markets['stock-freeze'] ?? {}
      const { data } = await read(`/lending-stocks/api/positions/${records?.lender}/price-history`, 'lender')
      expect(data).toMatchObject({ currentPrice: 100, symbol: 'NWP' })
      expect(data.history.length).toBeGreaterThan(200)
      const seconds: number[] = data.history.map(({ timestamp }: { timestamp: number }) => timestamp / 1000)
      expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
      expect((seconds.at(-1) ?? 0) - (seconds[0] ?? 0)).toBeGreaterThan(27 * DAY)
    })

    it('leave one that seeks its lender, whom it nominated', async () => {
      const { seeking } = stack.demo.markets
      const { data } = await read(`/lending-external-securities-v2/api/markets/${seeking?.records.issuer}`, 'issuer')
      expect(data).toMatchObject({
        marketAddress: seeking?.marketAddress,
        onChain: { isOnChain: true, seekingCurator: true, curator: null },
      })
    })
  })

  describe('has stocks and identities that', () => {
    it('are acted on by people whose keys are in demo.json', () => {
      expect(stack.demo.instances.issuer?.wallets.map(({ label }) => label)).toEqual([
        ...['Issuer platform', 'Borrower', 'Sub-issuer', 'Controller', 'Legal operator'],
        ...['Frozen investor', 'Former investor'],
      ])
    })

    it('show two stocks of the issuer platform, imported and told about, one of them split', async () => {
      const listed = await ofStock('tokens')
      const terms = listed.map(({ symbol, tokenAddress, decimals }: Record<string, unknown>) => ({
        ...{ symbol, tokenAddress, decimals },
      }))
      expect(terms).toEqual([
        { symbol: 'ALPS', tokenAddress: stock('ALPS'), decimals: 0 },
        { symbol: 'NWP', tokenAddress: stock('NWP'), decimals: 18 },
      ])
      const common = { paused: false, owner: wallet('Issuer platform'), splitHoldersLeft: '0' }
      expect(await ofStock(`token/${stock('NWP')}`)).toMatchObject({
        ...{ ...common, name: 'Nordlicht Windpark AG', isin: 'DE000NWPAG00', totalSupply: '65750', holderCount: '5' },
        ...{ subIssuersAllowed: true, splitRatio: { numerator: '1', denominator: '1' } },
        identityRegistry: stack.demo.contracts.IdentityRegistry,
      })
      expect(await ofStock(`token/${stock('ALPS')}`)).toMatchObject({
        ...{ ...common, name: 'Alpine Seilbahnen AG', isin: 'CH000ALPS000', totalSupply: '1600', holderCount: '3' },
        ...{ subIssuersAllowed: false, splitRatio: { numerator: '2', denominator: '1' } },
      })
      for (const { tokenAddress, name: issuerName } of listed)
        expect((await read(`/external-tokens/api/${tokenAddress}`, 'issuer')).data).toMatchObject({
          ...{ framework: 'erc3643', profile: { issuerName } },
        })
    })

    it('give every role of a stock to somebody', async () => {
      const rolesOf = async (symbol: string, label: string) => ofStock(`${stock(symbol)}/role/${wallet(label)}`)
      const held = ({ roles }: { roles: Record<string, boolean> }) => Object.keys(roles).filter((role) => roles[role])
      expect(held(await rolesOf('NWP', 'Issuer platform'))).toEqual(['ISSUER'])
      expect(held(await rolesOf('NWP', 'Controller'))).toEqual(['CONTROLLER'])
      expect(held(await rolesOf('ALPS', 'Controller'))).toEqual(['CONTROLLER'])
      expect(held(await rolesOf('NWP', 'Legal operator'))).toEqual(['LEGAL_OPERATOR'])
      const subIssuer = await rolesOf('NWP', 'Sub-issuer')
      expect([held(subIssuer), subIssuer.subIssuer]).toEqual([['SUB_ISSUER'], { cap: '10000', outstanding: '1000' }])
      expect(held(await rolesOf('ALPS', 'Sub-issuer'))).toEqual([])
    })

    it('have holders and a history', async () => {
      const holdersOf = async (symbol: string) => {
        const { holders } = await ofStock(`holders/${stock(symbol)}`)
        return holders.map(({ address, balance }: Record<string, string>) => [address, balance])
      }
      const [borrower, lender, trader] = ['Borrower', 'Lender of record', 'Trader'].map(wallet)
      expect(await holdersOf('NWP')).toEqual([
        [borrower, '47000'],
        [lender, '9500'],
        [trader, '5500'],
        // What is traded on the book.
        [stack.demo.contracts.StockTradingVault, '3500'],
        [wallet('Frozen investor'), '250'],
      ])
      expect(await holdersOf('ALPS')).toEqual([
        [borrower, '800'],
        [lender, '560'],
        [trader, '240'],
      ])
      const history = async (symbol: string, type: string) =>
        (await ofStock(`transactions/${stock(symbol)}?type=${type}`)).map((one: Record<string, unknown>) => ({
          ...{ amount: one.amount, reason: one.reason, by: one.by, splitRatio: one.splitRatio },
        }))
      const byIssuer = { by: wallet('Issuer platform'), splitRatio: null }
      expect(await history('NWP', 'redeem')).toEqual([{ amount: '500', reason: 'Share buyback 2026', ...byIssuer }])
      const [newest, ...founding] = await history('NWP', 'issue')
      expect(newest).toMatchObject({ amount: '1000', reason: 'Placed by the sub-issuer', by: wallet('Sub-issuer') })
      expect(founding).toHaveLength(4)
      expect(await history('ALPS', 'split')).toMatchObject([{ splitRatio: { numerator: '2', denominator: '1' } }])
    })

    it('refuse transfers for every reason that a newcomer wants to see', async () => {
      const ruleAgainst = async (from: string, to: string, amount: number) =>
        (await ofStock(`${stock('NWP')}/can-transfer?from=${wallet(from)}&to=${wallet(to)}&amount=${amount}`)).rule
      expect(await ruleAgainst('Trader', 'Borrower', 4_000)).toBe('SUCCESS')
      expect(await ruleAgainst('Trader', 'Borrower', 4_001)).toBe('TOKENS_FROZEN')
      expect(await ruleAgainst('Lender of record', 'Borrower', 1)).toBe('SENDER_LOCKED')
      expect(await ruleAgainst('Frozen investor', 'Borrower', 1)).toBe('SENDER_NOT_VERIFIED')
      expect(await ruleAgainst('Trader', 'Former investor', 1)).toBe('RECEIVER_NOT_VERIFIED')
      expect(await ruleAgainst('Trader', 'Outsider', 1)).toBe('RECEIVER_NOT_VERIFIED')
      // A thousand are pledged.
      expect(await ofStock(`balance/${stock('NWP')}/${wallet('Borrower')}`)).toMatchObject({ transferable: '46000' })
    })

    it('know who may hold shares, and who may not', async () => {
      const { registries } = (await read(`${IDENTITY}/registry`, 'issuer')).data
      const own = registries.find(({ isOwn }: { isOwn: boolean }) => isOwn)
      expect(own).toMatchObject({ registryAddress: stack.demo.contracts.IdentityRegistry, registerKind: 'TALLYSTICK' })
      const { roles } = own.wallets.find(({ address }: { address: string }) => address === wallet('Issuer platform'))
      for (const role of ['KYC_PROVIDER_ROLE', 'REGISTER_OPERATOR_ROLE', 'COMPLIANCE_OFFICER_ROLE'])
        expect(roles).toContain(role)
      const told = async (label: string) => {
        const { onChain, offChain } = (await identity(label)).data
        return [onChain.status, onChain.isVerified, onChain.investorTypeLabel, onChain.country, offChain?.status]
      }
      expect(await told('Issuer platform')).toEqual(['active', true, 'ELIGIBLE_COUNTERPARTY', 'DEU', 'verified'])
      expect(await told('Lender of record')).toEqual(['active', true, 'ELIGIBLE_COUNTERPARTY', 'LUX', 'verified'])
      expect(await told('Borrower')).toEqual(['active', true, 'PROFESSIONAL', 'DEU', 'verified'])
      expect(await told('Trader')).toEqual(['active', true, 'RETAIL', 'FRA', 'verified'])
      expect(await told('Frozen investor')).toEqual(['active', false, 'RETAIL', 'AUT', 'verified'])
      expect(await told('Former investor')).toEqual(['revoked', false, 'RETAIL', 'ITA', 'revoked'])
      expect(await told('Outsider')).toEqual(['none', false, 'NONE', null, undefined])
      expect((await identity('Frozen investor')).data.onChain.frozen).toBe(true)
      const { data, metadata } = await identity('Trader')
      expect(data.onChain.softExpiry - metadata.chainTime).toBeGreaterThan(DAY / 2)
      expect(data.onChain.softExpiry - metadata.chainTime).toBeLessThanOrEqual(DAY)
    })

    it('fill slots of the borrower by hand and by proof', async () => {
      const { proofs } = (await read(`${IDENTITY}/proofs/${wallet('Borrower')}`, 'issuer')).data
      const slots = proofs.map(({ claimTypeLabel, source, fieldName }: Record<string, unknown>) => [
        ...[claimTypeLabel, source, fieldName],
      ])
      expect(slots).toEqual([
        ['AML', 'manual', null],
        ['ACCREDITATION', 'proof', 'investorType'],
        ['RESIDENCY', 'proof', 'country'],
        ['TAX_RESIDENCY', 'manual', null],
        ['PEP_CHECK', 'manual', null],
      ])
      expect((await read(`${IDENTITY}/claims/${wallet('Borrower')}`, 'issuer')).data.claims).toHaveLength(5)
    })
  })

  describe('after a restart', () => {
    let before: DemoWorld
    let ofStocks: Awaited<ReturnType<typeof everythingOfStocks>>
    beforeAll(async () => {
      before = stack.demo
      ofStocks = await everythingOfStocks()
      await stopStack(stack)
      expect(stack.stderr()).toBe('')
      stack = await startStack(folder)
    })

    it('has the same stocks and identities', async () => {
      for (const [table, rows] of ofStocks.rows)
        expect(rows, String(table)).toHaveLength(rowsOfStocks[String(table)] ?? 0)
      expect(await everythingOfStocks()).toEqual(ofStocks)
    })

    it('has the same markets', async () => {
      expect([stack.demo.markets, stack.demo.liquidations]).toEqual([before.markets, before.liquidations])
      for (const label of labels) {
        expect((await market(label, '/metrics')).data.totalLoansCreated).toBe('4')
        await expectStates(label)
        await expectSeizure(label)
      }
      await expectLoanAgainstShares()
    })

    it('keeps its markets alive: a day later prices are fresh, another auction runs, and another loan falls due', async () => {
      const node = createTestClient({ mode: 'anvil', transport: http(stack.demo.rpcUrl) })
      await node.increaseTime({ seconds: 25 * HOUR })
      await node.mine({ blocks: 1 })
      const isKept = () => {
        const { markets, liquidations: named } = readDemo(folder)
        const isRenewed = labels.every((label) => markets[label]?.loans.dueSoon === 5)
        return isRenewed && named.inAuction?.liquidationId === 'venue-2'
      }
      while (!isKept()) await sleep(200)
      for (const label of labels) {
        await expectStates(label)
        await expectSeizure(label)
      }
      await expectLoanAgainstShares()
      // What the first auction did not sell waits on the router.
      expect((await liquidations('freeze', 'pending-liquidations')).data.totalCount).toBe(2)
      await stopStack(stack)
      expect(stack.stderr()).toBe('')
    })
  })
})
