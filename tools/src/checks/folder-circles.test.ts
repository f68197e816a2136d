import { afterAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { writeTemporaryTree } from '../support/temporary-tree.ts'
import { folderCircleFindings } from './folder-circles.ts'

const values = (specifier: string) => `import { thing } from '${specifier}'\nexport const used = thing\n`
const types = (specifier: string) => `import type { Thing } from '${specifier}'\nexport type Used = Thing\n`
const thing = 'export type Thing = string\nexport const thing = 1\n'

describe('circles between folders', () => {
  const trees: { remove: () => void }[] = []
  const findings = (files: Record<string, string>) => {
    const entries = Object.entries(files).map(([path, text]) => [`apps/server/src/${path}`, text])
    const tree = writeTemporaryTree(Object.fromEntries(entries))
    trees.push(tree)
    return folderCircleFindings(tree.root)
  }
  afterAll(() => {
    for (const tree of trees) tree.remove()
  })

  it('finds two folders that know each other by types alone', () => {
    expect(
      findings({ 'tokens/mint/one.ts': types('../burn/two.ts'), 'tokens/burn/two.ts': types('../mint/one.ts') }),
    ).toEqual([
      'error folder-circle: apps/server/src/tokens/burn/two.ts → apps/server/src/tokens/mint/one.ts ' +
        '(apps/server/src/tokens/burn → apps/server/src/tokens/mint → apps/server/src/tokens/burn)',
    ])
  })

  it('finds one through a third folder, through another feature, and through the folder around it', () => {
    const third = { 'a/x/1.ts': values('../y/2.ts'), 'a/y/2.ts': values('../z/3.ts'), 'a/z/3.ts': types('../x/1.ts') }
    expect(findings(third)).toHaveLength(1)
    expect(findings({ 'a/x/1.ts': types('../../b/2.ts'), 'b/2.ts': types('../a/x/1.ts') })).toHaveLength(1)
    expect(findings({ 'platform/1.ts': types('./db/2.ts'), 'platform/db/2.ts': types('../3.ts') })).toHaveLength(1)
  })

  it('lets a face know what its folders know, folders know the ground, and a test know all', () => {
    expect(
      findings({
        'a/index.ts': values('./x/1.ts'),
        'a/parts.ts': thing,
        'a/x/1.ts': types('../parts.ts'),
        'a/x/1.test.ts': values('../y/2.ts'),
        'a/y/2.ts': values('../x/1.ts'),
      }),
    ).toEqual([])
  })

  it('finds none in this repository', () => {
    expect(folderCircleFindings(repositoryRoot)).toEqual([])
  })
})
