import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPdf } from '../../../test/pdf-reader.ts'
import {
  createOffchainWorld,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'

const CUSTOMER = 'Żółć Őrs Čapek Ελένη'
const PATH = `${OFFCHAIN}/ledger/accounts`
const DAY = 86_400_000

describe('the statement of an account', () => {
  let world: OffchainWorld
  let book: TestBook
  const times: Date[] = []
  const now = () => world.clock.now()

  beforeAll(async () => {
    world = await createOffchainWorld()
    book = await world.createBook({ makerFeeBps: 10, takerFeeBps: 25 })
    await book.fund('Müller & Söhne')
    await world.credit(CUSTOMER, book.quote, 10_000n * ONE)
    world.clock.advance(DAY)
    times.push(now())
    await move('credit', '250000001', 'wire “Łódź” 7')
    await book.sell('Müller & Söhne', 40n * ONE, 5n * ONE)
    await book.buy(CUSTOMER, 40n * ONE, 3n * ONE)
    await move('debit', '1', '=not a formula here')
    // Reserved, not spent: it is part of the balance.
    await book.buy(CUSTOMER, 10n * ONE, ONE)
    world.clock.advance(DAY)
    times.push(now())
    await move('credit', '5', 'after the period')
    world.clock.advance(DAY)
    times.push(now())
  })
  afterAll(() => world.close())

  const move = (kind: string, amount: string, reference: string) =>
    world.instance.call('POST', `${OFFCHAIN}/ledger/${kind}`, {
      body: { customerRef: CUSTOMER, tokenAddress: book.quote, amount, reference },
    })
  const at = (index: number) => (times[index] as Date).toISOString()

  /** Straight from the socket of the framework: a PDF is no text. */
  async function statement(query: string, customer = CUSTOMER) {
    const url = `${PATH}/${encodeURIComponent(customer)}/statement?${query}`
    const answer = await world.app.inject({ url, headers: { 'x-api-key': world.instance.apiKey } })
    return { status: answer.statusCode, headers: answer.headers, pdf: answer.rawPayload }
  }
  const refused = async (query: string, customer = CUSTOMER) => {
    const url = `${PATH}/${encodeURIComponent(customer)}/statement?${query}`
    const { status, body } = await world.instance.call('GET', url)
    return [status, body.error.code]
  }

  interface Entry {
    kind: string
    createdAt: string
    reference: string | null
    legs: { customerRef: string | null; amount: string }[]
  }

  /** What the ledger says of one token of the customer, by the list of its entries. */
  async function ledger(token: string, from: string, to: string) {
    const query = `customerRef=${encodeURIComponent(CUSTOMER)}&tokenAddress=${token}&limit=100`
    const { entries } = (await world.instance.call('GET', `${OFFCHAIN}/ledger/entries?${query}`)).body.data
    const mine = (entries as Entry[]).toReversed().map((entry) => ({
      ...entry,
      amount: BigInt(entry.legs.find(({ customerRef }) => customerRef === CUSTOMER)?.amount ?? 0),
    }))
    const sum = (list: typeof mine) => list.reduce((total, { amount }) => total + amount, 0n)
    const before = mine.filter(({ createdAt }) => createdAt < from)
    const within = mine.filter(({ createdAt }) => createdAt >= from && createdAt < to)
    return { opening: sum(before), within, closing: sum(before) + sum(within), sum }
  }

  const shown = (amount: bigint) => formatUnits(amount, 6)
  const signed = (amount: bigint) => `${amount < 0n ? '−' : '+'}${shown(amount < 0n ? -amount : amount)}`

  it('says of every token what the ledger says: opening, entries, fees, closing', async () => {
    const { status, headers, pdf } = await statement(`from=${at(0)}&to=${at(1)}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="Account-Statement_account_[\d-]+_[\d-]+\.pdf"$/,
    )
    const { lines, fonts } = readPdf(pdf)
    // With its fonts, so that every letter of every name is there.
    expect(fonts.map((name) => name.slice(7)).sort()).toEqual(['Roboto-Bold', 'Roboto-Regular'])
    const text = lines.map((line) => line.join(' | '))
    expect(text[0]).toBe('Account statement')
    expect(text).toContain(`Account | ${CUSTOMER}`)
    expect(text).toContain(`From | ${at(0).slice(0, 19).replace('T', ' ')} UTC`)
    expect(text.join('\n')).toContain('Trade with Müller & Söhne')
    expect(text.join('\n')).toContain('Credit: wire “Łódź” 7')
    expect(text.join('\n')).not.toContain('after the period')
    expect(text.join('\n')).not.toContain('\uFFFD')

    for (const [token, symbol] of [
      [book.base, 'BASE'],
      [book.quote, 'QUOTE'],
    ] as const) {
      const { opening, within, closing, sum } = await ledger(token, at(0), at(1))
      expect(within.length).toBeGreaterThan(0)
      const start = text.indexOf(`Token | ${token}`)
      const end = text.findIndex((line, index) => index > start && line.startsWith('Closing balance'))
      const section = text.slice(start, end + 1)
      expect(section).toContain(`Opening balance | ${shown(opening)} ${symbol}`)
      expect(section.at(-1)).toBe(`Closing balance | ${shown(closing)} ${symbol}`)
      const fees = within.filter(({ kind }) => kind === 'FEE')
      expect(section).toContain(`Fees, part of it | ${shown(-sum(fees))} ${symbol}`)
      let balance = opening
      const expected = within.map(({ amount }) => {
        balance += amount
        return `${signed(amount)} | ${shown(balance)}`
      })
      const figures = section
        .filter((line) => /UTC \| /.test(line))
        .map((line) => line.split(' | ').slice(2).join(' | '))
      expect(figures).toEqual(expected)
    }
    // The fee of the taker was booked, or the comparison above compared nothing.
    const { within } = await ledger(book.base, at(0), at(1))
    const { within: paid } = await ledger(book.quote, at(0), at(1))
    expect([...within, ...paid].some(({ kind }) => kind === 'FEE')).toBe(true)
  })

  it('closes with the balance of now when it reaches to now, and the next one opens with it', async () => {
    const closing = async (query: string) => {
      const { lines } = readPdf((await statement(`${query}&tokenAddress=${book.quote}`)).pdf)
      const value = (name: string) => lines.find(([first]) => first === name)?.[1]
      expect(lines.filter(([first]) => first === 'Token')).toEqual([['Token', book.quote]])
      return { opening: value('Opening balance'), closing: value('Closing balance') }
    }
    const { total, reserved } = await book.balance(encodeURIComponent(CUSTOMER), book.quote)
    expect(reserved).not.toBe('0')
    const [first, second] = [await closing(`from=${at(0)}&to=${at(1)}`), await closing(`from=${at(1)}&to=${at(2)}`)]
    expect(second.opening).toBe(first.closing)
    expect(second.closing).toBe(`${shown(BigInt(total))} QUOTE`)
  })

  it('is empty for a period before anything happened, and names what its fonts cannot draw', async () => {
    const early = readPdf((await statement('from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z')).pdf)
    expect(early.lines.flat()).toContain('Nothing was ever booked on this account before the end of the period.')
    await world.credit('北京', book.quote, 1n)
    world.clock.advance(1_000)
    const { lines } = readPdf((await statement(`from=${at(0)}&to=${now().toISOString()}`, '北京')).pdf)
    expect(lines).toContainEqual(['Account', '[U+5317][U+4EAC]'])
  })

  it('goes over as many pages as it takes', async () => {
    const customer = 'busy'
    for (let count = 0; count < 3; count += 1) await world.credit(customer, book.quote, 1n)
    const [{ instance_id: instanceId } = {}] = await world.superuser`
      select instance_id from trading_accounts where holder = 'offchain:busy'`
    const fill = (count: number) => world.superuser`
      insert into ledger_entries (instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, created_at)
      select ${instanceId}, gen_random_uuid(), 'CREDIT', ${book.quote}, 'external', 'offchain:busy', n, '2025-06-01'::timestamptz + n * interval '1 second'
      from generate_series(1, ${count}::int) n`
    await fill(200)
    const period = 'from=2025-06-01T00:00:00Z&to=2025-07-01T00:00:00Z'
    const { lines, pages } = readPdf((await statement(period, customer)).pdf)
    expect(pages).toBeGreaterThan(5)
    expect(lines.filter(([first]) => first?.endsWith(' UTC') && first.startsWith('2025-06-01'))).toHaveLength(200)
    expect(lines).toContainEqual(['Closing balance', '0.0201 QUOTE'])
    await fill(9_801)
    expect(await refused(period, customer)).toEqual([400, 'STATEMENT_TOO_LONG'])
  })

  it('is refused where there is no such account, or no such period', async () => {
    expect(await refused(`from=${at(0)}&to=${at(1)}`, 'nobody')).toEqual([404, 'ACCOUNT_NOT_FOUND'])
    expect(await refused(`from=${at(1)}&to=${at(1)}`)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused(`from=${at(0)}`)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused(`from=yesterday&to=${at(1)}`)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused(`from=${at(0)}&to=${at(1)}&tokenAddress=0x12`)).toEqual([400, 'VALIDATION_ERROR'])
    const other = await world.createInstance()
    const url = `${PATH}/${encodeURIComponent(CUSTOMER)}/statement?from=${at(0)}&to=${at(1)}`
    expect((await other.call('GET', url)).status).toBe(404)
  })
})
