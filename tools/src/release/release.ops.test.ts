import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { installedTool, runCommand } from '../support/run-command.ts'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'

describe('npm run release', () => {
  let tree: TemporaryTree
  afterEach(() => tree.remove())
  const git = (...args: string[]) => execFileSync('git', args, { cwd: tree.root, encoding: 'utf8' }).trim()
  const run = (...args: string[]) =>
    runCommand(installedTool('tsx'), [join(repositoryRoot, 'tools/src/release.ts'), ...args], tree.root)
  const read = (path: string) => readFileSync(join(tree.root, path), 'utf8')

  function begin(): void {
    const manifest = (name: string, more: object = {}) =>
      JSON.stringify({ name, version: '0.1.0', private: true, ...more }, null, 2)
    tree = writeTemporaryTree({
      'package.json': manifest('tallystick', { workspaces: ['packages/*'] }),
      'packages/a/package.json': manifest('@tallystick/a', { dependencies: { '@tallystick/b': '0.1.0' } }),
      'packages/b/package.json': manifest('@tallystick/b'),
      'apps/server/src/version.ts': "export const VERSION = '0.1.0'\n",
      'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- Something new.\n',
      '.gitignore': 'node_modules\n',
    })
    git('init', '--quiet')
    git('config', 'user.email', 'release@example.com')
    git('config', 'user.name', 'release')
    git('add', '.')
    git('commit', '--quiet', '--message', 'begin')
  }

  it('bumps every package, dates the changelog, commits and tags', async () => {
    begin()
    expect(await run('0.2.0')).toMatchObject({ exitCode: 0, output: expect.stringContaining('v0.2.0 is tagged') })
    expect(JSON.parse(read('packages/a/package.json'))).toMatchObject({
      version: '0.2.0',
      dependencies: { '@tallystick/b': '0.2.0' },
    })
    expect(read('apps/server/src/version.ts')).toContain("'0.2.0'")
    expect(read('CHANGELOG.md')).toMatch(/## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- Something new\./)
    expect([
      git('describe', '--exact-match'),
      git('log', '-1', '--format=%s'),
      git('status', '--porcelain', '--untracked-files=no'),
    ]).toEqual(['v0.2.0', 'chore: release 0.2.0', ''])
  })

  it('does nothing while changes are not committed', async () => {
    begin()
    writeFileSync(join(tree.root, 'CHANGELOG.md'), 'changed')
    expect(await run('0.2.0')).toEqual({ exitCode: 1, output: 'There are changes that are not committed.' })
    expect(git('tag')).toBe('')
  })
})
