import { type CountingRpc, countingRpc } from '@tallystick/testkit'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../test/lending/asset-data-steps.ts'
import { createLendingWorld, type LendingWorld, must } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'
import { createTermsSteps, type TermsSteps, termsPath } from '../../../test/lending/terms-steps.ts'

const hostile = `# Terms & <b>conditions</b>

<script>alert(1)</script>

1. First [here](https://example.org/a?b=1&c=2)
2. Second [there](javascript:alert(1)) ![pixel](https://tracker.example/p.png)
   - inner

> quoted

\`\`\`
code < 1
\`\`\`
`

describe('reading the terms of a market', () => {
  let rpc: CountingRpc
  let world: LendingWorld
  let steps: TermsSteps
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        rpc = await countingRpc(node.url)
        return [rpc.url]
      },
    })
    steps = createTermsSteps(world)
    market = await createMarketLife(world).adopted()
    for (const content of ['one', 'two', hostile]) must(await steps.put(market.marketId, { content }))
    must(await steps.put(market.marketId, { content: 'draft', published: false }))
  })
  afterAll(async () => {
    await world.close()
    await rpc.stop()
  })

  const get = (rest = '', marketId = market.marketId) => world.deployer.get(termsPath(marketId, rest))
  const exported = (query: string) => get(`/export${query}`)
  /** The same bytes as they came, which text would not keep. */
  const exportedBytes = async (query: string) => {
    const url = termsPath(market.marketId, `/export${query}`)
    const response = await world.app.inject({ method: 'GET', url, headers: { 'x-api-key': world.deployer.apiKey } })
    return response.rawPayload
  }

  describe('those in force', () => {
    it('are served exactly, with a text that needs no reader of markdown, and without asking the chain', async () => {
      rpc.reset()
      const { terms } = must(await get()).body.data
      expect(rpc.counts.roundTrips).toBe(0)
      expect(terms).toMatchObject({ version: 3, content: hostile, format: 'markdown' })
      expect(terms).not.toHaveProperty('html')
      expect(terms.plainText).toBe(
        [
          'Terms & <b>conditions</b>',
          '<script>alert(1)</script>',
          '1. First here (https://example.org/a?b=1&c=2)',
          '2. Second [there](javascript:alert(1)) !pixel (https://tracker.example/p.png)',
          '  - inner',
          '  quoted',
          'code < 1\n',
        ].join('\n\n'),
      )
    })

    it('are safe to show as HTML: nothing in them is taken for markup, runs, or loads anything', async () => {
      const { terms } = must(await get('?format=html')).body.data
      expect(terms).not.toHaveProperty('content')
      expect(terms.html).toContain('<h1>Terms &amp; &lt;b&gt;conditions&lt;/b&gt;</h1>')
      expect(terms.html).not.toMatch(/<script|<img|href="javascript/)
      expect(terms.html).toContain('<a href="https://example.org/a?b=1&amp;c=2">here</a>')
    })

    it('do not exist while none were published', async () => {
      const { marketId } = await world.deployMarket({ mode: 'CUSTODY' })
      refused(await get('', marketId), 404, 'TERMS_NOT_PUBLISHED')
      refused(await get('/export', marketId), 404, 'TERMS_NOT_PUBLISHED')
      const none = { versions: [], current: null, limit: 25, nextCursor: null }
      expect(must(await get('/versions', marketId)).body.data).toEqual(none)
    })

    it('come in the formats there are', async () => {
      refused(await get('?format=pdf'), 400, 'VALIDATION_ERROR')
      refused(await get('/versions/1?format=text'), 400, 'VALIDATION_ERROR')
      refused(await exported('?format=html'), 400, 'VALIDATION_ERROR')
    })
  })

  describe('their versions', () => {
    it('are listed newest first, drafts included, page by page', async () => {
      const { data } = must(await get('/versions?limit=2')).body
      expect(data).toMatchObject({ current: 3, limit: 2, nextCursor: '3' })
      expect(data.versions).toMatchObject([
        { version: 4, published: false },
        { version: 3, published: true, title: null, curatorAddress: world.deployer.wallet.address.toLowerCase() },
      ])
      const rest = must(await get(`/versions?limit=2&cursor=${data.nextCursor}`)).body.data
      expect(rest.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
      expect(rest.nextCursor).toBeNull()
    })

    it.each([
      ['', 25],
      ['?limit=abc', 25],
      ['?limit=1.5', 25],
      ['?limit=0', 1],
      ['?limit=-3', 1],
      ['?limit=1000', 100],
    ])('take %j as a limit of %i', async (query, limit) => {
      expect(must(await get(`/versions${query}`)).body.data.limit).toBe(limit)
    })

    it('take one limit, not two', async () => {
      refused(await get('/versions?limit=1&limit=2'), 400, 'VALIDATION_ERROR')
    })

    it('can each be read, whether published or not', async () => {
      const { terms } = must(await get('/versions/1')).body.data
      expect(terms).toMatchObject({ version: 1, content: 'one', plainText: 'one\n' })
      expect(must(await get('/versions/4?format=html')).body.data.terms).toMatchObject({ html: '<p>draft</p>\n' })
      for (const version of ['5', '0', '999999'])
        refused(await get(`/versions/${version}`), 404, 'TERMS_VERSION_NOT_FOUND')
      for (const version of ['1234567', 'one', '-1', '1.0']) {
        const error = refused(await get(`/versions/${version}`), 400, 'VALIDATION_ERROR')
        expect(error.details).toEqual([{ field: 'version', message: expect.any(String) }])
      }
    })
  })

  describe('as a file', () => {
    it('are the exact text, the plain text, or a PDF, under a name that says what they are', async () => {
      const markdown = await exported('?format=markdown')
      expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect(markdown.headers['content-disposition']).toBe('attachment; filename="Lending-Terms-NORD-v3.md"')
      const { contentHash } = must(await get()).body.data.terms
      expect(keccak256(await exportedBytes('?format=markdown'))).toBe(contentHash)
      const text = await exported('?format=text')
      expect(text.headers['content-disposition']).toContain('Lending-Terms-NORD-v3.txt')
      expect(text.text).toContain('1. First here (https://example.org/a?b=1&c=2)')
      const pdf = await exported('')
      expect(pdf.headers['content-type']).toBe('application/pdf')
      expect(pdf.headers['content-disposition']).toContain('Lending-Terms-NORD-v3.pdf')
      const bytes = await exportedBytes('?format=pdf')
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
      expect(bytes.subarray(-6).toString()).toContain('%%EOF')
    })

    it('are a draft for its author while none are in force, and nothing for others', async () => {
      must(await steps.withdraw(market.marketId))
      rpc.reset()
      const draft = await exported('?format=markdown')
      expect([draft.text, rpc.counts.roundTrips]).toEqual(['draft', 1])
      expect(draft.headers['content-disposition']).toContain('v4.md')
      const { instanceId } = world.deployer
      await world.superuser`update wallets set address = ${world.cash} where instance_id = ${instanceId}`
      refused(await exported(''), 404, 'TERMS_NOT_PUBLISHED')
      await world.node.testClient.setCode({ address: market.marketAddress, bytecode: '0x60006000fd' })
      refused(await exported(''), 503, 'MARKET_UNREADABLE')
      await world.superuser`delete from wallets where instance_id = ${instanceId}`
      refused(await exported(''), 404, 'TERMS_NOT_PUBLISHED')
    })
  })
})
