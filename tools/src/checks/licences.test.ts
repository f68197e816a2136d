import { afterEach, describe, expect, it } from 'vitest'
import type { BuiltPackages } from '../build/built-packages.ts'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import { isAllowedLicence } from './licence-expression.ts'
import { checkLicences } from './licences.ts'

type Entry = Record<string, unknown>

describe('licence expressions', () => {
  it.each(['MIT', 'Apache-2.0', 'MIT OR GPL-3.0', '(GPL-2.0 OR MIT)', 'MIT AND (ISC OR LGPL-3.0)'])(
    'allow %s',
    (text) => {
      expect(isAllowedLicence(text)).toBe(true)
    },
  )

  it.each([
    'GPL-3.0',
    'LGPL-3.0-or-later',
    'AGPL-3.0',
    'SEE LICENSE IN LICENSE.md',
    'MIT AND GPL-3.0',
    'MIT with conditions',
    '(MIT',
    'UNLICENSED',
    '',
  ])('refuse %s', (text) => {
    expect(isAllowedLicence(text)).toBe(false)
  })
})

describe('licences', () => {
  let tree: TemporaryTree | undefined
  afterEach(() => tree?.remove())

  /** Each package goes to the lock file; unless `absent`, also to its folder. */
  const check = (packages: Record<string, Entry & { absent?: true }>, built?: BuiltPackages, notice = '') => {
    const files = Object.entries(packages)
      .filter(([, { absent, link }]) => absent !== true && link !== true)
      .map(([location, entry]) => [
        location === '' ? 'package.json' : `${location}/package.json`,
        JSON.stringify(entry),
      ])
    const lock = JSON.stringify({ packages })
    tree?.remove()
    tree = writeTemporaryTree({ ...Object.fromEntries(files), 'package-lock.json': lock, NOTICE: notice })
    return checkLicences(tree.root, built)
  }
  const server = (dependencies: string[], others: Entry = {}) => ({
    'apps/server': { dependencies: Object.fromEntries(dependencies.map((name) => [name, '1.0.0'])), ...others },
  })
  const ours = (name: string, entry: Entry) => ({
    [`node_modules/@tallystick/${name}`]: { link: true, resolved: `packages/${name}` },
    [`packages/${name}`]: entry,
  })

  it('accept allowed licences, in old and new notation', () => {
    const result = check({
      '': { dependencies: { plain: '1.0.0' } },
      ...server(['object', 'list']),
      'node_modules/plain': { license: 'MIT' },
      'node_modules/object': { license: { type: 'ISC' } },
      'node_modules/list': { licenses: [{ type: 'GPL-2.0' }, { type: 'MIT' }] },
    })
    expect(result).toEqual({ passed: true, output: '', notes: [] })
  })

  it('name a refused package and the path that pulls it in, through our own packages too', () => {
    const result = check({
      '': {},
      ...server(['@tallystick/wire', 'nested']),
      ...ours('wire', { dependencies: { middle: '1.0.0' } }),
      'node_modules/middle': { license: 'MIT', dependencies: { copyleft: '1.0.0' } },
      'node_modules/copyleft': { license: 'GPL-3.0' },
      'node_modules/nested': { license: 'MIT', dependencies: { silent: '1.0.0' } },
      'node_modules/nested/node_modules/silent': {},
      'node_modules/silent': { license: 'MIT' },
    })
    expect(result.passed).toBe(false)
    expect(result.output.split('\n')).toEqual([
      'copyleft: GPL-3.0 (packages/wire > middle > copyleft)',
      'silent: no licence stated (apps/server > nested > silent)',
    ])
  })

  it('leave out what only dev dependencies and dev-only workspaces bring', () => {
    const result = check({
      '': { devDependencies: { copyleft: '1.0.0' } },
      ...server([], { devDependencies: { '@tallystick/testkit': '1.0.0' } }),
      ...ours('testkit', { tallystick: { devOnly: true }, dependencies: { copyleft: '1.0.0' } }),
      'node_modules/copyleft': { license: 'GPL-3.0' },
    })
    expect(result.passed).toBe(true)
  })

  it('refuse a dev-only workspace among production dependencies', () => {
    const result = check({
      '': {},
      ...server(['@tallystick/testkit']),
      ...ours('testkit', { tallystick: { devOnly: true } }),
    })
    expect(result.output).toBe(
      '@tallystick/testkit: a dev-only workspace in production (apps/server > @tallystick/testkit)',
    )
  })

  it('read the lock file for a platform package that is not installed here', () => {
    const result = check({
      '': {},
      ...server(['native']),
      'node_modules/native': {
        license: 'MIT',
        optionalDependencies: { 'native-other': '1.0.0', 'native-bad': '1.0.0', 'native-unlisted': '1.0.0' },
      },
      'node_modules/native-other': { license: 'MIT', absent: true },
      'node_modules/native-bad': { license: 'AGPL-3.0', absent: true },
    })
    expect(result.output).toBe('native-bad: AGPL-3.0 (apps/server > native > native-bad)')
  })

  it('follow required peers, not optional ones', () => {
    const result = check({
      '': {},
      ...server(['host']),
      'node_modules/host': {
        license: 'MIT',
        peerDependencies: { wanted: '1', spare: '1' },
        peerDependenciesMeta: { spare: { optional: true } },
      },
      'node_modules/wanted': { license: 'SEE LICENSE IN LICENSE.md' },
      'node_modules/spare': { license: 'GPL-3.0' },
    })
    expect(result.output).toBe('wanted: SEE LICENSE IN LICENSE.md (apps/server > host > wanted)')
  })

  it('say when the lock file does not know a dependency', () => {
    expect(check({ '': {}, ...server(['new']) }).output).toBe(
      'new: not in package-lock.json (apps/server > new); run npm install',
    )
  })

  describe('of a build', () => {
    const bundled = (name: string) => ({ location: `node_modules/${name}`, name, version: '1.0.0', licence: 'MIT' })
    const installed = {
      '': { devDependencies: { tool: '1.0.0' } },
      ...server(['plain']),
      'node_modules/plain': { license: 'MIT' },
      'node_modules/tool': { license: 'MIT' },
    }

    it('are fine when everything in it is a production dependency and NOTICE says so', () => {
      expect(check(installed, { bundled: [bundled('plain')], notice: 'plain' }, 'plain').passed).toBe(true)
    })

    it('are unknown where a package only got in because it happened to be installed', () => {
      const { output } = check(installed, { bundled: [bundled('plain'), bundled('tool')], notice: '' })
      expect(output).toBe('tool: bundled by npm run build, but no production dependency (node_modules/tool)')
    })

    it('are not told when NOTICE is of another build', () => {
      const { output } = check(installed, { bundled: [bundled('plain')], notice: 'plain 1.0.1' }, 'plain 1.0.0')
      expect(output).toBe('NOTICE: does not say what a build contains; run npm run notice')
    })
  })
})
