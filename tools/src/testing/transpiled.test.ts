import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { atItsPlace } from './transpiled.ts'

const SOURCE = 'packages/some/src/module.ts'
const urlOf = (path: string) => pathToFileURL(join(repositoryRoot, path)).href

describe('a module as JavaScript', () => {
  it.each([
    ['import { a } from "./a.ts";', 'import { a } from "./a.js";'],
    ['import "../b/c.ts";', 'import "../b/c.js";'],
    ['export * from "./a.ts";', 'export * from "./a.js";'],
    ['import {\n  a,\n  b\n} from "./a.ts";', 'import {\n  a,\n  b\n} from "./a.js";'],
    ['const { a } = await import("./a.ts");', 'const { a } = await import("./a.js");'],
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
