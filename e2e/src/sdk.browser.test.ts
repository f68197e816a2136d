import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser/open-browser.ts'
import type { PageReport, PageSettings } from './browser/sdk-page.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

/** As a bundler of a web application would take it; nothing of Node is put in its place. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./browser/sdk-page.ts', import.meta.url))],
    ...{ bundle: true, write: false, minify: true, platform: 'browser', format: 'esm', target: 'es2022' },
  })
  return outputFiles[0]?.text ?? ''
}

async function serve(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

describe('the SDK in a page of another origin', () => {
  let demo: RunningDemo
  let browser: Browser
  let pages: Server
  let strangers: Server
  beforeAll(async () => {
    const script = await bundle()
    ;[pages, strangers] = await Promise.all([serve(script), serve(script)])
    const settings = { CORS_ORIGINS: originOf(pages) }
    ;[demo, browser] = await Promise.all([startDemo(undefined, settings), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
    pages?.close()
    strangers?.close()
  })

  function settings(): PageSettings {
    const { baseUrl, rpcUrl, instances, tokens, orderBooks } = demo.file
    const [issuer, investor] = instances.issuer?.wallets ?? []
    const book = orderBooks.stock
    if (!issuer || !investor || !book || !tokens.NWP) throw new Error('the demo lacks what the page needs')
    const { privateKey } = issuer
    const apiKey = instances.issuer?.apiKey ?? ''
    return {
      ...{ baseUrl, rpcUrl, apiKey, privateKey, tokenAddress: tokens.NWP },
      ...{ recipient: investor.address, orderBookId: book.orderBookId },
    }
  }

  /** Opens the page, and has it do its work. */
  async function report(server: Server): Promise<PageReport> {
    const page = await browser.newPage()
    await page.goto(originOf(server), { waitUntil: 'load' })
    return page.evaluate<PageReport>(`globalThis.run(${JSON.stringify(settings())})`)
  }

  it('reads, is refused in words, writes on chain and follows a book', async () => {
    expect(await report(pages)).toEqual({
      instanceId: expect.stringMatching(/./),
      refused: { code: expect.stringMatching(/^[A-Z_]+$/), requestId: expect.stringMatching(/./) },
      issued: '3',
      firstMessage: 'snapshot',
    })
  })

  it('is not answered in a page of an origin that the service does not name', async () => {
    await expect(report(strangers)).rejects.toThrow('TallyConnectionError')
  })
})
