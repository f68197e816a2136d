import { createPublicClient, http } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RunningStack, seededFolder, startStack, stopStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { allRows, connectEmbedded } from './table-rows.ts'

const DAY = 86_400
const IDENTITY = '/customers/api/identity'
/** What the demo writes into for its stocks and identities. */
const tables = [
  ...['stock_tokens', 'stock_reasons', 'identity_records', 'identity_proofs', 'identity_audit'],
  ...['token_imports', 'wallets'],
]

/** The folder was seeded by a start before this one: whatever is seen here outlived it. */
describe('the stocks and identities of the demo', { timeout: 120_000 }, () => {
  let folder = ''
  let stack: RunningStack

  beforeAll(async () => {
    folder = await seededFolder()
    stack = await startStack(folder)
  }, 120_000)

  async function read(path: string, role = 'issuer') {
    const { body } = await callHttp(stack.url, stack.demo.instances[role]?.apiKey ?? '', 'GET', path)
    expect(body.success, `${path}: ${JSON.stringify(body.error)}`).toBe(true)
    return body
  }
  const ofStock = async (rest: string) => (await read(`/stocks/api/fetch/${rest}`)).data
  const stock = (symbol: string) => stack.demo.tokens[symbol] ?? ''
  /** The wallet with this label. */
  const wallet = (label: string) => {
    const wallets = Object.values(stack.demo.instances).flatMap((instance) => instance.wallets)
    return wallets.find((one) => one.label === label)?.address ?? ''
  }
  const identity = (label: string) => read(`${IDENTITY}/status/${wallet(label)}`)

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
      expect((await read(`/external-tokens/api/${tokenAddress}`)).data).toMatchObject({
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
    const { registries } = (await read(`${IDENTITY}/registry`)).data
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
    const { proofs } = (await read(`${IDENTITY}/proofs/${wallet('Borrower')}`)).data
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
    expect((await read(`${IDENTITY}/claims/${wallet('Borrower')}`)).data.claims).toHaveLength(5)
  })

  it('are not touched by another start', async () => {
    const signers = ['Issuer platform', 'Sub-issuer', 'Controller']
    async function everything() {
      const chain = createPublicClient({ transport: http(stack.demo.rpcUrl) })
      const countOf = (label: string) => chain.getTransactionCount({ address: wallet(label) as `0x${string}` })
      const counts = await Promise.all(signers.map(countOf))
      const sql = connectEmbedded(folder)
      const rows = await allRows(sql).finally(() => sql.end())
      const facts = await Promise.all(
        ['NWP', 'ALPS'].map((symbol) => ofStock(`transactions/${stock(symbol)}?limit=200`)),
      )
      return { counts, rows: tables.map((table) => [table, rows[table]]), facts, tokens: stack.demo.tokens }
    }
    const before = await everything()
    for (const [table, rows] of before.rows) expect(rows, String(table)).toHaveLength(expectedRows[String(table)] ?? 0)
    await stopStack(stack)
    stack = await startStack(folder)
    expect(await everything()).toEqual(before)
    await stopStack(stack)
    expect(stack.stderr()).toBe('')
  })
})

/** Reasons stand on chain as they are, and no proof was revoked. */
const expectedRows: Record<string, number> = {
  ...{ stock_tokens: 2, identity_records: 7, identity_proofs: 3, token_imports: 14, wallets: 10 },
}
