import type { AddressInfo } from 'node:net'
import { operations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Described, type DescribedAnswer, plainDocument } from '../src/platform/http/openapi/describe.ts'
import { readCsv } from './csv-reader.ts'
import { everyOperation, plausibleRequest } from './door-requests.ts'
import { must } from './signing.ts'
import { connectSuperuser } from './superuser.ts'
import { createOffchainWorld, OFFCHAIN, type OffchainWorld, ONE, type TestBook } from './trading/offchain-world.ts'
import type { TestInstance } from './world.ts'

const CSV = { accept: 'text/csv' }
const ENTRIES = `${OFFCHAIN}/ledger/entries`
const AUDIT = '/access/api/audit'

describe('lists as CSV', () => {
  let world: OffchainWorld
  let book: TestBook
  let superuser: ReturnType<typeof connectSuperuser>
  beforeAll(async () => {
    world = await createOffchainWorld()
    superuser = connectSuperuser(world.databaseUrl)
    book = await world.createBook()
    await book.fund('anna', 'bert')
  })
  afterAll(async () => {
    await superuser.end()
    await world.close()
  })

  const csv = async (path: string, of: TestInstance = world.instance) => {
    const answer = must(await of.call('GET', path, { headers: CSV }))
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.text.endsWith('\r\n')).toBe(true)
    return { ...answer, rows: readCsv(answer.text) }
  }

  /** The same list, page by page as JSON. */
  async function walked(path: string, list: string, of: TestInstance = world.instance) {
    const rows: Record<string, unknown>[] = []
    for (let cursor = ''; ; ) {
      const query = `${path.includes('?') ? '&' : '?'}limit=7${cursor && `&cursor=${cursor}`}`
      const { data } = must(await of.call('GET', `${path}${query}`)).body
      rows.push(...data[list])
      if (data.nextCursor === null) return rows
      cursor = data.nextCursor
    }
  }

  it('hold the trades of a book, every one of them, newest first', async () => {
    for (let count = 0; count < 12; count += 1) {
      await book.sell('anna', 40n * ONE, ONE)
      await book.buy('bert', 40n * ONE, ONE)
    }
    const path = `${OFFCHAIN}/order-books/${book.id}/trades`
    const expected = await walked(path, 'trades')
    expect(expected).toHaveLength(12)
    expect(expected.map(({ tradeId }) => tradeId)).toEqual([...new Set(expected.map(({ tradeId }) => tradeId))])
    const { rows, headers } = await csv(path)
    const shown = (row: object) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]))
    expect(rows).toEqual(expected.map(shown))
    expect(headers['content-disposition']).toBe('attachment; filename="listOffchainTrades.csv"')
    // A page of JSON says where the next one begins; so does a file that begins there.
    const { nextCursor } = must(await world.instance.call('GET', `${path}?limit=5`)).body.data
    expect((await csv(`${path}?cursor=${nextCursor}&limit=1`)).rows).toEqual(expected.slice(5).map(shown))
    const ofAnna = await csv(`${OFFCHAIN}/customers/anna/trades`)
    expect(ofAnna.rows).toEqual((await walked(`${OFFCHAIN}/customers/anna/trades`, 'trades')).map(shown))
    const bad = await world.instance.call('GET', `${path}?cursor=nonsense`)
    expect([bad.status, bad.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('hold all entries of the ledger, over many pages, with amounts that can be summed', async () => {
    const instance = await world.createInstance()
    const token = `0x${'ab'.repeat(20)}`
    const body = { tokenAddress: token, symbol: 'TKN' }
    must(await instance.call('POST', `${OFFCHAIN}/ledger/tokens`, { body }))
    const move = (kind: string, amount: string, reference: string) =>
      instance.call('POST', `${OFFCHAIN}/ledger/${kind}`, {
        body: { customerRef: 'zoë, "the 1st"', tokenAddress: token, amount, reference },
      })
    for (let count = 0; count < 130; count += 1) must(await move('credit', '10', `=1+${count}`))
    must(await move('debit', '4', '-4'))
    const expected = await walked(ENTRIES, 'entries', instance)
    const { rows } = await csv(ENTRIES, instance)
    expect(rows).toHaveLength(131)
    expect(rows.map(({ entryId }) => entryId)).toEqual(expected.map(({ entryId }) => entryId))
    expect(rows[0]).toMatchObject({
      kind: 'DEBIT',
      fromCustomerRef: 'zoë, "the 1st"',
      toAccount: 'EXTERNAL',
      amount: '4',
    })
    // A number stays one, and what a spreadsheet would run is text.
    expect([rows[0]?.reference, rows[1]?.reference]).toEqual(['-4', "'=1+129"])
    const sum = rows.reduce(
      (total, { toAccount, amount }) => total + (toAccount === 'CUSTOMER' ? 1 : -1) * Number(amount),
      0,
    )
    expect(sum).toBe(1_296)
    const debits = await csv(`${ENTRIES}?customerRef=nobody`, instance)
    expect(debits.rows).toEqual([])
    expect(debits.text).toMatch(/^entryId,createdAt,kind,/)
  })

  it('stand beside the statement of an account, which is a PDF', async () => {
    const path = `${OFFCHAIN}/ledger/accounts/anna/statement?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z`
    const { headers, text } = must(await world.instance.call('GET', path))
    expect(headers['content-type']).toBe('application/pdf')
    expect(text.slice(0, 5)).toBe('%PDF-')
  })

  it('hold the audit log, with what changed as JSON', async () => {
    const instance = await world.createInstance()
    for (const name of ['=cmd()', 'plain']) {
      const body = { name, scopes: ['access:read'] }
      must(await instance.call('POST', '/access/api/keys', { body }))
    }
    const { rows } = await csv(AUDIT, instance)
    const { acts } = must(await instance.call('GET', AUDIT)).body.data
    expect(rows.map(({ actId }) => actId)).toEqual(acts.map(({ actId }: { actId: string }) => actId))
    const own = rows.filter(({ actor }) => actor === 'key')
    expect(own.map(({ after }) => JSON.parse(after ?? '').name)).toEqual(['plain', '=cmd()'])
    expect(rows[0]).toMatchObject({ operation: 'createKey', actor: 'key', before: '' })
  })

  it('are only one of two forms: the caller says which', async () => {
    const typeFor = async (accept: string) =>
      String(must(await world.instance.call('GET', AUDIT, { headers: { accept } })).headers['content-type']).split(
        ';',
      )[0]
    expect(await typeFor('application/json, text/csv')).toBe('application/json')
    expect(await typeFor('text/csv, */*;q=0.1')).toBe('text/csv')
    expect(await typeFor('*/*')).toBe('application/json')
    const head = await world.app.inject({
      method: 'HEAD',
      url: AUDIT,
      headers: { ...CSV, 'x-api-key': world.instance.apiKey },
    })
    expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8; header=present',
    ])
  })

  it('are refused as JSON, with the codes of the operation', async () => {
    const refused = await world.instance.call('GET', `${ENTRIES}?cursor=x`, { headers: CSV })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const unknown = await world.instance.call('GET', `${OFFCHAIN}/order-books/none/trades`, { headers: CSV })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
    expect((await world.call('GET', AUDIT, { headers: CSV })).status).toBe(401)
  })

  it('are in the document as a second form', async () => {
    expect(must(await world.call('GET', '/openapi.json')).text).toContain('"text/csv":')
    const { paths } = plainDocument('test')
    const audit = paths[AUDIT]?.get as Described | undefined
    const answer: DescribedAnswer | undefined = audit?.responses['200']
    const content = answer?.content ?? {}
    expect(Object.keys(content)).toEqual(['application/json', 'text/csv'])
    expect(content['text/csv']?.schema.description).toContain('actId, at, operation')
  })

  it('break off when the key is revoked before they are whole', async () => {
    const instance = await world.createInstance()
    const key = await world.createKey(instance, ['trading:read'])
    await superuser`
      insert into ledger_entries (instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, reference, created_at)
      select ${instance.instanceId}, gen_random_uuid(), 'CREDIT', ${`0x${'cd'.repeat(20)}`}, 'external', 'offchain:many', 1, repeat('r', 200), now()
      from generate_series(1, 60000)`
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
    const response = await fetch(`${base}${ENTRIES}`, { headers: { ...CSV, 'x-api-key': key } })
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    const keyId = must(await instance.call('GET', '/access/api/keys')).body.data.find(({ ref }: { ref: string }) =>
      key.includes(ref),
    ).keyId
    must(await instance.call('DELETE', `/access/api/keys/${keyId}`))
    const rest = async () => {
      let lines = 0
      for (;;) {
        const part = await reader?.read()
        if (!part || part.done) return lines
        lines += Buffer.from(part.value).toString().split('\r\n').length - 1
      }
    }
    await expect(rest()).rejects.toThrow()
  })

  it.each(everyOperation.filter(([, { method, stream, csv }]) => method === 'GET' && !stream && !csv))(
    'are NOT_ACCEPTABLE of %s',
    async (_, operation) => {
      const { path } = plausibleRequest(operation)
      const { status, body } = await world.instance.call('GET', path, { headers: CSV })
      expect([status, body.error.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    },
  )

  it('are declared by reads alone', () => {
    expect(operations.filter(({ csv, method, stream, files }) => csv && (method !== 'GET' || stream || files))).toEqual(
      [],
    )
  })
})
