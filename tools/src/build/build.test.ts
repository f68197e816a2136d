import { afterEach, describe, expect, it } from 'vitest'
import type { Lock } from '../checks/lock-file.ts'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import { requireInTree } from './bundle.ts'
import { bundledPackages, licenceTexts } from './bundled-packages.ts'
import { noticeText } from './notice.ts'
import { runTimePackages } from './run-time-packages.ts'

describe('the packages in a bundle', () => {
  let tree: TemporaryTree | undefined
  afterEach(() => tree?.remove())

  const metafile = (...inputs: string[]) => {
    const output = {
      bytes: 1,
      imports: [],
      exports: [],
      inputs: Object.fromEntries(inputs.map((path) => [path, { bytesInOutput: 1 }])),
    }
    return { inputs: {}, outputs: { 'dist/api.js': output } }
  }
  const installed = () => {
    tree = writeTemporaryTree({
      'node_modules/plain/package.json': '{ "name": "plain", "version": "1.2.3", "license": "MIT" }',
      'node_modules/plain/LICENSE.md': 'Copyright of plain',
      'node_modules/@scope/host/node_modules/plain/package.json':
        '{ "name": "plain", "version": "0.9.0", "license": "ISC" }',
      'node_modules/@scope/host/node_modules/plain/NOTICE': 'Notice of plain',
    })
    const paths = ['apps/server/src/app.ts', 'node_modules/plain/a.js', 'node_modules/plain/b.js']
    const packages = bundledPackages(tree.root, metafile(...paths, 'node_modules/@scope/host/node_modules/plain/c.js'))
    return { root: tree.root, packages }
  }

  it('are those that its files came from, nested ones by themselves', () => {
    expect(installed().packages).toEqual([
      { location: 'node_modules/@scope/host/node_modules/plain', name: 'plain', version: '0.9.0', licence: 'ISC' },
      { location: 'node_modules/plain', name: 'plain', version: '1.2.3', licence: 'MIT' },
    ])
  })

  it('are all named in NOTICE, and their texts go along', () => {
    const { root, packages } = installed()
    expect(noticeText(packages, [])).toContain('- plain 0.9.0: ISC\n- plain 1.2.3: MIT\n')
    const texts = licenceTexts(root, packages)
    expect(texts).toContain('plain 0.9.0: ISC\n\nNotice of plain')
    expect(texts).toContain('plain 1.2.3: MIT\n\nCopyright of plain')
  })
})

describe('what is installed beside a build', () => {
  const lock: Lock = {
    '': {},
    'packages/embedded': { dependencies: { host: '1.0.0' }, optionalDependencies: { native: '2.0.0' } },
    'node_modules/host': { version: '1.0.0', dependencies: { shared: '^1' } },
    'node_modules/host/node_modules/shared': { version: '1.5.0' },
    'node_modules/native': { version: '2.0.0', hasInstallScript: true },
    'node_modules/shared': { version: '2.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
  }
  const root = { name: 'tallystick', version: '0.1.0', allowScripts: { native: true, tool: false } }
  const wanted = ['host', 'native'].map((name) => ({ workspace: 'packages/embedded', name }))

  it('is what programs look for at run time and all that it needs, in the versions of our lock file', () => {
    const { manifest, lock: own } = runTimePackages({ root, lock, wanted })
    expect(manifest).toMatchObject({
      dependencies: { host: '1.0.0' },
      optionalDependencies: { native: '2.0.0' },
      allowScripts: { native: true },
    })
    expect(manifest).not.toHaveProperty('allowScripts.tool')
    expect(Object.keys((own as { packages: Lock }).packages)).toEqual([
      '',
      'node_modules/host',
      'node_modules/host/node_modules/shared',
      'node_modules/native',
    ])
  })

  it('cannot be what lies below one of our workspaces', () => {
    const nested = { ...lock, 'packages/embedded/node_modules/host': { version: '3.0.0' } }
    expect(() => runTimePackages({ root, lock: nested, wanted })).toThrow('no place for it')
  })
})

describe('a source that reads a file beside it', () => {
  const source = 'apps/demo/src/demo-register.ts'

  it('is bundled when the built tree has that file', () => {
    expect(() => requireInTree(source, "new URL('./register/issuers.csv', import.meta.url)")).not.toThrow()
  })

  it('is refused when it would not be there', () => {
    expect(() => requireInTree(source, "new URL('./prices.csv', import.meta.url)")).toThrow('apps/demo/src/prices.csv')
  })
})
