import { type Operation, operations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needsBody } from '../src/platform/http/openapi/needs-body.ts'
import { everyOperation, everyWrite, plausibleRequest, someOf } from './door-requests.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from './world.ts'

const JSON_TYPE = 'application/json'

/** Which fields failed: the list of details, or the head of the message where the interface wants no list. */
function faultsOf({ plainValidation }: Operation, { body }: TestAnswer): { field?: string; message?: string }[] {
  if (!plainValidation) return body.error.details
  expect(body.error).not.toHaveProperty('details')
  const [field, ...message] = body.error.message.split(' ')
  return [{ field, message: message.join(' ') }]
}

describe('what every operation accepts', () => {
  let world: World
  let instance: TestInstance

  beforeAll(async () => {
    world = await createWorld()
    instance = await world.createInstance()
  })
  afterAll(() => world.close())

  const asText = (method: string, path: string, text: string, type = JSON_TYPE) =>
    instance.call(method, path, { raw: { text, type } })

  it.each(everyWrite)('%s rejects key material at any depth it looks at', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    // Writes of stock tokens may ask for the relayer of the instance.
    const signing = operation.feature === 'stocks' ? { autoSubmit: true } : { useRelayer: true }
    for (const extra of someOf([{ privateKey: '0x1' }, { list: [{ deep: { MNEMONIC: 'x' } }] }, signing], operation)) {
      const answer = await instance.call(method, path, { body: { ...body, ...extra } })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'KEY_MATERIAL_REJECTED'])
    }
  })

  it.each(everyWrite)('%s takes 64 KiB or what it declares, and not a byte more', async (_id, operation) => {
    const { method, path } = plausibleRequest(operation)
    const most = operation.largestBody ?? 65_536
    const tooLarge = await asText(method, path, `{}${' '.repeat(most - 1)}`)
    expect([tooLarge.status, tooLarge.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(tooLarge.body.error.message).toContain(` ${most} bytes`)
    const allowed = await asText(method, path, `{}${' '.repeat(most - 2)}`)
    expect(allowed.status).not.toBe(413)
  })

  it('declares more only where bodies are long: terms, profiles and batches', () => {
    const declared = operations.filter(({ largestBody }) => largestBody).map(({ id }) => id)
    expect(declared.sort()).toEqual([
      'batchVerifyIdentities',
      'putTerms',
      'setProfile',
      'submitOffchainOrders',
      'submitOrders',
    ])
  })

  it('refuses what would be costly before it costs: ten bodies of 650 KB hold nobody up', async () => {
    const [operation] = operations.filter(({ id }) => id === 'putTerms')
    if (!operation) throw new Error('there are no terms')
    const { method, path } = plausibleRequest(operation)
    const fields = Array.from({ length: 60_000 }, (_, index) => `"f${index}":0`)
    const bodies = [
      `{${fields.join(',')}}`,
      `{"content":[${'0,'.repeat(320_000)}0]}`,
      `${'['.repeat(21)}${']'.repeat(21)}`,
    ]
    const faults = ['more than 20000', 'more than 20000', 'deeper than 20']
    for (const [index, text] of bodies.entries()) {
      const answer = await asText(method, path, text)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.body.error.message).toContain(faults[index])
    }
    const started = performance.now()
    await Promise.all(Array.from({ length: 10 }, () => asText(method, path, bodies[0] ?? '')))
    // They took 16.9 s, on a machine that did nothing else.
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('takes the most that a batch may hold, and tells no more faults than a person reads', async () => {
    const [operation] = operations.filter(({ id }) => id === 'batchVerifyIdentities')
    if (!operation) throw new Error('there are no batches')
    const { method, path } = plausibleRequest(operation)
    const answer = await asText(
      method,
      path,
      JSON.stringify({ entries: Array.from({ length: 500 }, () => ({ walletAddress: 1 })) }),
    )
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.length).toBeLessThanOrEqual(50)
  })

  it.each(everyWrite)('%s refuses a NUL and half of a character, wherever they stand', async (_id, operation) => {
    const { method, path, body = {} } = plausibleRequest(operation)
    const texts = { NUL: '\\u0000', 'half of a character': 'a\\ud83d', 'the other half': '\\uDE00b' }
    const first = Object.keys(body)[0] ?? 'note'
    for (const [what, text] of someOf(Object.entries(texts), operation, 1)) {
      const bodies = [
        JSON.stringify({ ...body, [first]: 'REPLACED' }).replace('REPLACED', text),
        JSON.stringify({ deep: [{ text: 'REPLACED' }] }).replace('REPLACED', text),
        JSON.stringify({ REPLACED: 1 }).replace('REPLACED', text),
      ]
      for (const one of bodies) expect([what, one, (await asText(method, path, one)).status]).toEqual([what, one, 400])
    }
  })

  it('takes whole characters and escapes of escapes', async () => {
    const names = ['\\ud83d\\ude00', 'a\\\\u0000b', '\\\\ud800']
    for (const name of names) {
      const answer = await asText('POST', '/access/api/keys', `{"name":"${name}","scopes":["access:read"]}`)
      expect([name, answer.status]).toEqual([name, 200])
    }
    const bytes = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d])
    const headers = { 'x-api-key': instance.apiKey, 'content-type': JSON_TYPE }
    const odd = await world.app.inject({ method: 'POST', url: '/access/api/keys', payload: bytes, headers })
    expect([odd.statusCode, odd.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it.each(everyWrite)('%s takes application/json only', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    const text = JSON.stringify(body ?? {})
    const others = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonx']
    for (const type of someOf(others, operation, 1)) {
      const answer = await asText(method, path, text, type)
      expect([type, answer.status, answer.body.error.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
    const withCharset = await asText(method, path, text, 'application/json; charset=utf-8')
    expect(withCharset.status).not.toBe(415)
  })

  it.each(everyWrite)('%s says when a body is not JSON it can trust', async (_id, operation) => {
    const { method, path } = plausibleRequest(operation)
    const texts = [
      '{',
      '{"a":1,}',
      'tokenAddress=1',
      '{"__proto__":{"a":1}}',
      '{"a":[{"__proto__":1}]}',
      '{"a":{"\\u005f_pro\\u0074o__" :1}}',
      '\u0000',
    ]
    for (const text of someOf(texts, operation)) {
      const answer = await asText(method, path, text)
      expect([text, answer.status, answer.body.error.code]).toEqual([text, 400, 'VALIDATION_ERROR'])
      expect(faultsOf(operation, answer)).toEqual([{ field: 'body', message: expect.any(String) }])
    }
  })

  // One parser reads all bodies, and these are large: a part of the operations shows it.
  it.each(everyWrite.filter((_, index) => index % 8 === 0))(
    '%s survives a body nested without end, with and without an Idempotency-Key',
    async (id, operation) => {
      const { method, path } = plausibleRequest(operation)
      for (const depth of [100, 1_000, 8_000]) {
        const raw = { text: `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`, type: JSON_TYPE }
        for (const headers of [{} as Record<string, string>, { 'idempotency-key': `deep-${id}-${depth}` }]) {
          const answer = await instance.call(method, path, { raw, headers })
          expect([depth, answer.status]).toEqual([depth, 400])
        }
      }
    },
  )

  it.each(everyWrite)('%s checks the form of an Idempotency-Key', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    for (const key of someOf(['short', 'x'.repeat(201), 'with space 1', 'with/slash1'], operation)) {
      const answer = await instance.call(method, path, { body, headers: { 'idempotency-key': key } })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(faultsOf(operation, answer)).toEqual([{ field: 'Idempotency-Key', message: expect.any(String) }])
    }
  })

  const withBody = everyWrite.filter(([, { body }]) => body)
  it.each(withBody)('%s refuses a field it does not know, and says which', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    const answer = await instance.call(method, path, { body: { ...body, surprise: 1 } })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(faultsOf(operation, answer)).toEqual([{ field: 'surprise', message: 'is not a field of this request' }])
  })

  // A list of loans, or a switch, is all that these take.
  const withTexts = withBody.filter(([id]) => !['actOnExtension', 'toggleHook', 'setApprovalPolicy'].includes(id))
  it.each(withTexts)('%s refuses a number where a string belongs', async (_id, operation) => {
    const { method, path, body = {} } = plausibleRequest(operation)
    const texts = Object.keys(body).filter((name) => typeof body[name] === 'string' || body[name] === null)
    // Some build from numbers and switches alone; what they confirm with is a string.
    const hashes = 'txHash' in (operation.body?.properties ?? {}) ? ['txHash'] : []
    expect([...texts, ...hashes].length).toBeGreaterThan(0)
    for (const name of [...texts, ...hashes]) {
      const answer = await instance.call(method, path, { body: { ...body, [name]: 12345678 } })
      expect(answer.status).toBe(400)
      expect(answer.body.error.code).toBe(operation.fieldCodes?.[name] ?? 'VALIDATION_ERROR')
      expect(faultsOf(operation, answer)[0]?.field).toBe(name)
    }
  })

  it.each(withBody)('%s needs a body that is an object', async (_id, operation) => {
    const { method, path } = plausibleRequest(operation)
    const absent = [await instance.call(method, path), await asText(method, path, '')]
    // Where no field is required, nothing is as good as an empty object.
    const expected = needsBody(operation)
      ? 'VALIDATION_ERROR'
      : (await instance.call(method, path, { body: {} })).body.error?.code
    for (const answer of absent) expect(answer.body.error?.code).toBe(expected)
    for (const answer of [await asText(method, path, 'null'), await asText(method, path, '[]')])
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  const withoutBody = everyWrite.filter(([, { body }]) => !body)
  it.each(withoutBody)('%s takes no body, an empty one or {}, and nothing else', async (_id, operation) => {
    const { method, path } = plausibleRequest(operation)
    const accepted = [
      await instance.call(method, path),
      await asText(method, path, ''),
      await asText(method, path, ' \n'),
      await asText(method, path, '{}'),
    ]
    for (const answer of accepted) expect(answer.body.error.code).toMatch(/_NOT_(FOUND|DEPLOYED|CONFIGURED)$/)
    for (const text of ['{"a":1}', '[]', 'null', '0', '""']) {
      const answer = await asText(method, path, text)
      expect([text, answer.status, answer.body.error.code]).toEqual([text, 400, 'VALIDATION_ERROR'])
    }
  })

  // Any words name a customer: whoever is not known has no orders.
  const withParameter = everyOperation.filter(([, { params, path }]) => params && !path.includes('{customerRef}'))
  it.each(withParameter)("%s answers an id that is too long with the route's own code", async (_id, operation) => {
    const [[name, code] = ['', '']] = Object.entries(operation.fieldCodes ?? {}).filter(([field]) =>
      operation.path.includes(`{${field}}`),
    )
    for (const length of [101, 8_000]) {
      const { method, path, body } = plausibleRequest(operation, { [name]: 'a'.repeat(length) })
      const answer = await instance.call(method, path, { body })
      expect([answer.status, answer.body.error.code]).toEqual([400, code])
      expect(faultsOf(operation, answer)[0]?.field).toBe(name)
    }
  })

  it.each(withParameter)('%s finds nothing under an id of another form', async (_id, operation) => {
    const name = /\{(\w+)\}/.exec(operation.path)?.[1] ?? ''
    const isAddress = ['market', 'custodyContract'].includes(name) || name.toLowerCase().endsWith('address')
    for (const id of someOf(['abc', '1', 'a'.repeat(100), "';--", '0x12'], operation)) {
      const given = { [name]: encodeURIComponent(decodeURIComponent(id)) }
      const { method, path, body, headers } = plausibleRequest(operation, given)
      const answer = await instance.call(method, path, { body, headers })
      expect([id, answer.status]).toEqual([id, isAddress ? 400 : 404])
      expect(answer.body.error.code).toMatch(isAddress ? /^(INVALID_ADDRESS|VALIDATION_ERROR)$/ : /(^|_)NOT_FOUND$/)
    }
  })

  it('tells no instance about the rows of another', async () => {
    const other = await world.createInstance()
    const { keyId } = (await other.call('GET', '/access/api/instance')).body.data.key
    for (const operation of operations.filter(({ path }) => path.includes('{keyId}'))) {
      const { method, path } = plausibleRequest(operation, { keyId })
      const answer = await instance.call(method, path)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'KEY_NOT_FOUND'])
      // The very same answer as for a key that does not exist.
      const nothing = await instance.call(method, plausibleRequest(operation).path)
      expect(nothing.body.error).toEqual(answer.body.error)
    }
    expect((await other.call('GET', '/access/api/keys')).body.data[0].status).toBe('ACTIVE')
  })
})
