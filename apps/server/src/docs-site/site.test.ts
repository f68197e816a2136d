import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'
import { createSite } from './site.ts'

const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url))
const site = createSite(DOCS, '1.2.3')
const pages = new Map(site.paths.map((path) => [path, site.page(path) ?? '']))

describe('the documentation site', () => {
  const hrefs = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)

  it('shows every text there is', () => {
    const texts = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
    const shown = texts.filter((file) => pages.has(file === 'index.md' ? '/docs' : `/docs/${file.slice(0, -3)}`))
    expect(shown.sort()).toEqual(texts.sort())
  })

  it('has a title, its place in the navigation, and nothing that is loaded from elsewhere on every page', () => {
    for (const [path, html] of pages) {
      expect(html, path).toMatch(/<title>[^<]+ - Tallystick 1\.2\.3<\/title>/)
      expect(html, path).toContain(`<a href="${path}" aria-current="page">`)
      expect(/<link|<img (?!src="\/docs\/pictures\/)|@import|url\((?!#)/.test(html), path).toBe(false)
      expect(html.match(/<script[^>]*>[^<]*/g), path).toEqual(['<script src="/docs/site.js" defer>'])
    }
  })

  it('folds its menu, but for the beginning and the part that is being read', () => {
    const open = [...(pages.get('/docs/errors') ?? '').matchAll(/<details( open)?><summary>(\w[\w ]*)/g)]
    expect(open.filter(([, isOpen]) => isOpen).map(([, , title]) => title)).toEqual(['Start', 'Promises'])
    expect(open.length).toBeGreaterThan(5)
  })

  it('can be searched: every entry leads to a part that is there, and codes, settings and operations are found', async () => {
    const index = await site.searchIndex()
    for (const { path } of index) {
      const [page = '', anchor] = path.split('#')
      expect([path, anchor ? pages.get(page)?.includes(`id="${anchor}"`) : pages.has(page)]).toEqual([path, true])
    }
    const where = (word: string) => index.filter(({ text }) => text.includes(word)).map(({ path }) => path)
    expect(where('MARKET_PENDING_CURATOR')).toContain('/docs/errors')
    expect(where('CORS_ORIGINS')).toContain('/docs/configuration')
    expect(where('/access/api/keys')).toContain('/docs/reference/access#listKeys')
  })

  it('leads nowhere that does not exist', () => {
    const known = new Set([...site.paths, '/openapi.json', '/docs'])
    for (const [path, html] of pages)
      for (const href of hrefs(html).filter((one) => !one.startsWith('https://'))) {
        const [target = '', anchor] = href.split('#')
        expect([path, href, known.has(target || path)]).toEqual([path, href, true])
        if (anchor)
          expect([path, href, pages.get(target || path)?.includes(`id="${anchor}"`)]).toEqual([path, href, true])
      }
  })

  it('puts drawings into the page, in words too', () => {
    expect(pages.get('/docs/concepts')).toMatch(/<figure role="img" aria-label="Your program asks[^"]+"><svg /)
    for (const file of readdirSync(join(DOCS, 'diagrams'))) expect(existsSync(join(DOCS, 'diagrams', file))).toBe(true)
  })

  it('shows pictures of screens, and has every one that a page shows', () => {
    const shown = [...pages.values()].flatMap((html) =>
      [...html.matchAll(/<img src="\/docs\/(pictures\/[^"]+)" alt="[^"]+"/g)].map(([, file]) => file ?? ''),
    )
    expect(shown.filter((file) => !existsSync(join(DOCS, file)))).toEqual([])
    const kept = readdirSync(join(DOCS, 'pictures')).filter((file) => file.endsWith('.webp'))
    expect(new Set(shown)).toEqual(new Set(kept.map((file) => `pictures/${file}`)))
  })

  it('answers nothing for a page that it does not have', () => {
    expect(site.page('/docs/../package')).toBeUndefined()
  })
})

describe('a text', () => {
  const parts = {
    file: 'guides/a.md',
    pathOf: (file: string) => (file === 'b.md' ? '/docs/b' : null),
    drawing: () => '',
  }
  const html = (text: string) => renderMarkdown(text, parts).html

  it('links other texts by their pages, and says the rest without a link', () => {
    expect(html('[b](../b.md#part)')).toContain('<a href="/docs/b#part">b</a>')
    expect(html('[code](../../apps/x.ts)')).toBe('<p><span>code</span></p>\n')
    expect(html('[there](https://example.org)')).toContain('href="https://example.org"')
  })

  it('cannot bring markup of its own', () => {
    expect(html('<img src=x onerror=alert(1)>')).not.toContain('<img')
    expect(html('[x](javascript:alert(1))')).not.toContain('href')
  })

  it('has wide tables in a frame, and brings no style of its own', () => {
    const table = html('| a | b |\n| --- | ---: |\n| 1 | 2 |')
    expect(table).toMatch(/^<div class="table"><table>/)
    expect(table).toContain('<td class="right">2</td>')
    expect(table).not.toContain('style')
  })

  it('says in each cell of a table with many columns what it is, for those who see it as a list', () => {
    const table = html('| `a` | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n\n| x | y |\n| --- | --- |\n| 4 | 5 |')
    expect(table).toContain('<table class="many">')
    expect(table).toContain('<td>1</td>\n<td data-label="b">2</td>\n<td data-label="c">3</td>')
    expect(table).toContain('<table>\n')
    expect(table).toContain('<td>4</td>\n<td>5</td>')
  })

  it('shows a life cycle step by step, and another diagram as it is written', () => {
    const states =
      'stateDiagram-v2\n  [*] --> Open: deploy\n  state Open {\n    [*] --> Calm\n    Calm --> Paused: pause <now>\n  }\n  Open --> [*]'
    const table = html(`\`\`\`mermaid\n${states}\n\`\`\``)
    const row = (from: string, to: string, by: string) =>
      `<tr><td>${from}</td><td data-label="To">${to}</td><td data-label="By">${by}</td></tr>`
    expect(table).toContain(row('(begin)', 'Open', 'deploy'))
    expect(table).toContain(row('Open', 'Open: Calm', ''))
    expect(table).toContain(row('Open: Calm', 'Open: Paused', 'pause &#60;now&#62;'))
    expect(table).toContain(row('Open', '(end)', ''))
    expect(html('```mermaid\ngraph TD\n  A --> B\n```')).toContain('<pre><code')
    expect(pages.get('/docs/contracts')).not.toContain('stateDiagram')
  })

  it('has a title and headings that can be linked to', () => {
    const page = renderMarkdown('<!-- generated -->\n\n# The `title`\n\n## What to do: now', parts)
    expect(page.title).toBe('The title')
    expect(page.html).toContain('<h2 id="what-to-do-now">')
    expect(page.html).not.toContain('generated')
  })
})
