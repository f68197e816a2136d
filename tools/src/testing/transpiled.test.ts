import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { atItsPlace, fromTranspiled } from './transpiled.ts'

const SOURCE = 'packages/some/src/module.ts'
const urlOf = (path: string) => pathToFileURL(join(repositoryRoot, path)).href

/** In two parts, as it would be a call in this file too, which is transpiled itself. */
const CALL = 'import'

describe('a module as JavaScript', () => {
  it.each([
    ['import { a } from "./a.ts";', 'import { a } from "./a.js";'],
    ['import "../b/c.ts";', 'import "../b/c.js";'],
    ['export * from "./a.ts";', 'export * from "./a.js";'],
    ['import {\n  a,\n  b\n} from "./a.ts";', 'import {\n  a,\n  b\n} from "./a.js";'],
    [`const { a } = await ${CALL}("./a.ts");`, `const { a } = await ${CALL}("./a.js");`],
  ])('names its neighbours in the tree: %s', (text, expected) => {
    expect(atItsPlace(text, SOURCE)).toBe(expected)
  })

  it('names everything else where it is', () => {
    expect(atItsPlace('import { a } from "../bin/a.mjs";', SOURCE)).toBe(
      `import { a } from "${urlOf('packages/some/bin/a.mjs')}";`,
    )
    expect(atItsPlace('import { a } from "viem";', SOURCE)).toBe('import { a } from "viem";')
  })

  it('knows where its source is, and leaves texts alone that only look like code', () => {
    const text = 'const file = new URL("./a.sql", __urlOfSource);\nconst said = `from "./a.ts"`;\n'
    expect(atItsPlace(text, SOURCE)).toBe(`const __urlOfSource = "${urlOf(SOURCE)}";\n${text}`)
  })
})

describe('what the runner of tests asks for', () => {
  const SET_UP = 'apps/some/test/after-file.ts'

  async function loaded(path: string): Promise<string> {
    const resolve = async (id: string) => ({ id })
    const { resolveId } = fromTranspiled('/tree', [SET_UP]) as unknown as {
      resolveId(
        this: { resolve: typeof resolve },
        id: string,
        importer: string,
        options: object,
      ): Promise<{ id: string }>
    }
    const found: unknown = await resolveId.call({ resolve }, join(repositoryRoot, path), repositoryRoot, {})
    return typeof found === 'string' ? found : (found as { id: string }).id
  }

  it.each(['apps/some/src/module.ts', 'apps/some/src/module.test.ts'])('is loaded from the tree: %s', async (path) => {
    expect(await loaded(path)).toBe(join('/tree', path.replace(/[.]ts$/, '.js')))
  })

  it.each([SET_UP, 'apps/console/src/view.test.ts', 'packages/some/README.md'])(
    'is loaded from its source: %s',
    async (path) => {
      expect(await loaded(path)).toBe(join(repositoryRoot, path))
    },
  )
})
