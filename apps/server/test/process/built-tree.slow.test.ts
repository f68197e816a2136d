import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { connectChain, connectTestCluster } from '@tallystick/testkit'
import { operations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { currentVersion } from '../../src/platform/db/migrate.ts'
import { TEMPLATE } from '../global-setup.ts'
import { runCommand } from './program.ts'
import { bundled, bundledFile } from './programs.ts'

describe('a built tree, far from the repository and with nothing installed', () => {
  const chain = connectChain(inject('rpcUrl'))
  let elsewhere: string
  let databaseUrl = ''
  let drop: () => Promise<void>
  const settings = () => ({ DATABASE_URL: databaseUrl, RPC_URL: chain.url, PORT: '0', SHUTDOWN_DELAY_MS: '0' })

  beforeAll(async () => {
    elsewhere = mkdtempSync(join(tmpdir(), 'tally-built-'))
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: databaseUrl, drop } = await cluster.cloneDatabase(TEMPLATE))
  })
  afterAll(async () => {
    rmSync(elsewhere, { recursive: true, force: true })
    await drop()
  })

  function moved(file: string): string {
    const tree = join(elsewhere, basename(file, '.js'))
    cpSync(dirname(file), tree, { recursive: true })
    return join(tree, basename(file))
  }

  it('serves HTTP, ready, with its pages', async () => {
    const api = runCommand(process.execPath, [moved(await bundled('api'))], { env: settings() })
    const [, url = ''] = await api.prints(/"url":"(http[^"]+)","msg":"serving HTTP"/)
    const status = async (path: string) => (await fetch(`${url}${path}`)).status
    expect(await status('/healthz')).toBe(200)
    await expect.poll(() => status('/readyz')).toBe(200)
    // Written by the build, and by nobody later: the servers only read it.
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> }
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(operations.map(({ path }) => path)))
    expect(await (await fetch(`${url}/docs/operating`)).text()).toContain('Operating a deployment')
    expect([await status('/docs/site.js'), await status('/docs/search.json')]).toEqual([200, 200])
    api.signal('SIGTERM')
    expect(await api.ended, api.stderr()).toBe(0)
  })

  it('follows the chain', async () => {
    const worker = runCommand(process.execPath, [moved(await bundled('worker'))], { env: settings() })
    await worker.prints(/following chains/)
    worker.signal('SIGTERM')
    expect(await worker.ended, worker.stderr()).toBe(0)
  })

  it('has the migrations that the command line carries out', async () => {
    const program = moved(await bundled('cli'))
    const tally = runCommand(process.execPath, [program, 'migrate'], { env: settings() })
    expect(await tally.ended, tally.stderr()).toBe(0)
    expect(JSON.parse(tally.stdout())).toEqual({ version: currentVersion() })
  })

  it('draws PDF files: the fonts are in it', async () => {
    const source = fileURLToPath(new URL('../../src/lending/terms/terms-pdf.ts', import.meta.url))
    const file = pathToFileURL(moved(await bundledFile(source, 'terms-pdf'))).href
    const terms = "{ title: 'Terms', facts: ['Market'], blocks: [], createdAt: new Date(0) }"
    const text = `const { renderTermsPdf } = await import('${file}'); process.stdout.write(await renderTermsPdf(${terms}))`
    const program = runCommand(process.execPath, ['--input-type=module', '--eval', text])
    expect(await program.ended, program.stderr()).toBe(0)
    expect(program.stdout()).toMatch(/^%PDF-1\.\d/)
    expect(program.stdout()).toContain('/BaseFont /Helvetica')
  })

  it('has the chain node as JavaScript, so that nothing looks for tsx', async () => {
    const tree = dirname(await bundled('embedded'))
    expect(existsSync(join(tree, 'packages/embedded/src/chain/edr/main.js'))).toBe(true)
  })
})
