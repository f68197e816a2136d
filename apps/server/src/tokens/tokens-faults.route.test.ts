import { type TcpProxy, tcpProxy } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'
import type { TestAnswer } from '../../test/world.ts'

describe('the token routes under real faults', () => {
  let world: TokensWorld
  let line: TcpProxy

  beforeAll(async () => {
    world = await createTokensWorld({
      async rpcUrls(url) {
        line = await tcpProxy(url)
        return [line.url]
      },
    })
  })
  afterAll(async () => {
    await world.close()
    await line.stop()
  })

  /** While the API may not do this with imports. */
  async function without<T>(privilege: 'select' | 'insert' | 'update', work: () => Promise<T>): Promise<T> {
    await world.superuser.unsafe(`revoke ${privilege} on token_imports from tally_api`)
    try {
      return await work()
    } finally {
      await world.superuser.unsafe(`grant ${privilege} on token_imports to tally_api`)
    }
  }
  const outcome = ({ status, headers, body }: TestAnswer) => [status, body.error.code, headers['retry-after']]

  it('answer PROVIDER_UNAVAILABLE when the chain cannot be reached, and write nothing', async () => {
    const [imported, fresh] = [await world.createImport(), await world.createCash()]
    const before = await world.everyImport()
    await line.cut()
    try {
      const answers = [
        await world.detect(fresh),
        await world.import(fresh),
        await world.instance.call('POST', `${TOKENS}/${imported}/refresh`),
      ]
      for (const answer of answers) expect(outcome(answer)).toEqual([503, 'PROVIDER_UNAVAILABLE', '1'])
    } finally {
      await line.restore()
    }
    expect(await world.everyImport()).toEqual(before)
    expect((await world.import(fresh)).status).toBe(200)
  })

  it('serve what is stored while the chain cannot be reached', async () => {
    const token = await world.createImport()
    await line.cut()
    try {
      const answers = [
        await world.get(token),
        await world.instance.call('GET', `${TOKENS}/list`),
        await world.instance.call('PUT', `${TOKENS}/${token}/image`, { body: { imageURI: null } }),
        await world.instance.call('PUT', `${TOKENS}/${token}/profile`, { body: { profile: null } }),
        await world.instance.call('DELETE', `${TOKENS}/${token}`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    } finally {
      await line.restore()
    }
  })

  it('answer IMPORT_LOOKUP_FAILED, not "not found", when an import cannot be read', async () => {
    const token = await world.createImport()
    await without('select', async () => {
      const answers = [
        await world.get(token),
        await world.get(`0x${'99'.repeat(20)}`),
        await world.instance.call('POST', `${TOKENS}/${token}/refresh`),
      ]
      for (const answer of answers) expect(outcome(answer)).toEqual([503, 'IMPORT_LOOKUP_FAILED', '1'])
    })
    expect((await world.get(token)).status).toBe(200)
  })

  it('answer IMPORT_LOOKUP_FAILED when an import cannot be written, and change nothing', async () => {
    const token = await world.createImport()
    const before = await world.everyImport()
    await without('update', async () => {
      const profile = { issuerName: 'Alpine Uhren AG' }
      const answers = [
        await world.instance.call('PUT', `${TOKENS}/${token}/profile`, { body: { profile } }),
        await world.instance.call('PUT', `${TOKENS}/${token}/image`, { body: { imageURI: 'ipfs://bafy' } }),
        await world.instance.call('DELETE', `${TOKENS}/${token}`),
        await world.instance.call('POST', `${TOKENS}/${token}/refresh`),
      ]
      for (const answer of answers) expect(outcome(answer)).toEqual([503, 'IMPORT_LOOKUP_FAILED', '1'])
    })
    expect(await world.everyImport()).toEqual(before)
  })

  it('answer INTERNAL_ERROR on detect and import, without a word of the cause', async () => {
    const token = await world.createCash()
    const before = await world.everyImport()
    const answers = [
      await without('select', () => world.detect(token)),
      await without('insert', () => world.import(token)),
    ]
    for (const answer of answers) {
      expect(outcome(answer)).toEqual([500, 'INTERNAL_ERROR', undefined])
      expect(answer.text).not.toMatch(/permission|token_imports|postgres/i)
    }
    expect(await world.everyImport()).toEqual(before)
  })

  it('replay an import byte for byte instead of importing twice', async () => {
    const body = { tokenAddress: await world.createCash(), assetType: 'BOND' }
    const headers = { 'idempotency-key': 'import-once-1' }
    const first = await world.instance.call('POST', `${TOKENS}/import`, { body, headers })
    expect(first.status).toBe(200)
    await line.cut()
    const second = await world.instance.call('POST', `${TOKENS}/import`, { body, headers }).finally(line.restore)
    expect([second.text, second.headers['idempotent-replay']]).toEqual([first.text, 'true'])
  })

  it('do not remember that the chain could not be reached', async () => {
    const body = { tokenAddress: await world.createCash(), assetType: 'BOND' }
    const headers = { 'idempotency-key': 'import-later-1' }
    await line.cut()
    const first = await world.instance.call('POST', `${TOKENS}/import`, { body, headers }).finally(line.restore)
    expect(first.body.error.code).toBe('PROVIDER_UNAVAILABLE')
    expect((await world.instance.call('POST', `${TOKENS}/import`, { body, headers })).status).toBe(200)
  })
})
