import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../test/world.ts'
import { createConsoleSite } from './index.ts'

const PAGE = '<!doctype html><title>Console</title>'
const SCRIPT = 'console.log("tally")'

describe('the console as it is served', () => {
  let world: World
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tally-console-'))
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), PAGE)
    writeFileSync(join(folder, 'built-from.txt'), 'notes of the build')
    writeFileSync(join(folder, 'assets/app-1a2b.js'), SCRIPT)
    writeFileSync(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT))
    world = await createWorld({ consoleSite: createConsoleSite(folder) })
  })
  afterAll(async () => {
    await world.close()
    rmSync(folder, { recursive: true })
  })

  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    world.app.inject({ method: method as 'GET', url, headers })
  const html = { accept: 'text/html,application/xhtml+xml' }

  it('lets a page run and show nothing but what comes from here, and nobody frame it', async () => {
    for (const url of ['/', '/assets/app-1a2b.js']) {
      const { headers } = await get(url)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
    }
  })

  it('keeps what has its hash in the name for ever, and asks again for the page', async () => {
    const page = await get('/')
    expect([page.statusCode, page.body, page.headers['content-type']]).toEqual([200, PAGE, 'text/html; charset=utf-8'])
    expect(page.headers['cache-control']).toBe('no-cache')
    expect((await get('/', { 'if-none-match': String(page.headers.etag) })).statusCode).toBe(304)
    const script = await get('/assets/app-1a2b.js')
    expect([script.body, script.headers['content-type']]).toEqual([SCRIPT, 'text/javascript; charset=utf-8'])
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('sends what the build compressed to whoever takes it', async () => {
    const as = async (encoding: string) => {
      const { headers, rawPayload } = await get('/assets/app-1a2b.js', { 'accept-encoding': encoding })
      return [headers['content-encoding'], rawPayload.length, headers.vary]
    }
    expect(await as('gzip, deflate, br')).toEqual(['br', brotliCompressSync(SCRIPT).length, 'accept-encoding'])
    expect(await as('gzip')).toEqual(['gzip', gzipSync(SCRIPT).length, 'accept-encoding'])
    expect(await as('identity')).toEqual([undefined, SCRIPT.length, 'accept-encoding'])
  })

  it('answers whoever navigates to a place inside it with itself', async () => {
    for (const url of ['/markets', '/markets/01890000?tab=rates', '/loans/1/repay']) {
      const answer = await get(url, html)
      expect([url, answer.statusCode, answer.body]).toEqual([url, 200, PAGE])
      expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
    }
  })

  it('is in the way of nothing: what is missing elsewhere is an error as before', async () => {
    for (const [url, headers, method] of [
      ['/markets', {}],
      ['/markets', html, 'POST'],
      ['/access/api/nothing', html],
      ['/docs/nothing', html],
      ['/assets/app-9z9z.js', html],
      ['/built-from.txt', html],
      ['/assets/app-1a2b.js.br', html],
      ['/../../package.json', html],
      ['/%2e%2e/package.json', html],
    ] as const) {
      const answer = await get(url, headers, method)
      expect([url, answer.statusCode, answer.json().error.code]).toEqual([url, 404, 'ROUTE_NOT_FOUND'])
    }
    const wrong = await get('/access/api/sign-in', html)
    expect([wrong.statusCode, wrong.json().error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect((await get('/docs', html)).body).toContain('/docs/site.js')
    expect((await get('/openapi.json', html)).json().openapi).toBe('3.1.0')
    expect((await get('/access/api/instance', html)).json().error.code).toBe('AUTH_REQUIRED')
  })

  it('tells its pages where people can sign in', async () => {
    expect((await get('/console.json')).json()).toEqual({ identityProvider: null })
    const other = await createWorld({ consoleSite: createConsoleSite(folder, { identityProvider: { name: 'Bank' } }) })
    const answer = await other.app.inject({ method: 'GET', url: '/console.json' })
    expect([answer.json(), answer.headers['cache-control']]).toEqual([
      { identityProvider: { name: 'Bank' } },
      'no-cache',
    ])
    await other.close()
  })

  it('leads to the documentation where it was not built', () => {
    expect(createConsoleSite(join(folder, 'nothing'))).toBeUndefined()
  })
})
