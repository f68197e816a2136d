import { describe, expect, it } from 'vitest'
import { regionOf, withIncludedCode } from './included-code.ts'

const source = `export function walk() {
  // #region first
  const a = 1

  if (a) {
    go()
  }
  // #endregion
}`

describe('code that a guide includes', () => {
  it('is what stands between the marks, moved to the left', () => {
    expect(regionOf(source, 'first')).toBe('const a = 1\n\nif (a) {\n  go()\n}')
    expect(regionOf('// #region a\n\nx\n\n// #endregion', 'a')).toBe('x')
    expect(regionOf(source, 'second')).toBeUndefined()
    expect(regionOf('// #region open\nx', 'open')).toBeUndefined()
  })

  it('takes the place of whatever the block said before, and of nothing else', () => {
    const fence = '```'
    const text = `a\n\n${fence}ts include=walk.ts#first\nold\n${fence}\n\n${fence}ts\nkept\n${fence}\n`
    const filled = withIncludedCode(text, () => source)
    expect(filled).toContain(`${fence}ts include=walk.ts#first\nconst a = 1\n`)
    expect(filled).toContain(`${fence}ts\nkept\n${fence}`)
    expect(filled).not.toContain('old')
    expect(withIncludedCode(filled, () => source)).toBe(filled)
  })

  it('may be several regions, with a line between them', () => {
    const two = `${source}\n// #region second\nimport a from 'a'\n// #endregion`
    const filled = withIncludedCode('```ts include=walk.ts#second+first\n```', () => two)
    expect(filled).toContain("#second+first\nimport a from 'a'\n\nconst a = 1\n")
  })

  it('has to exist', () => {
    expect(() => withIncludedCode('```ts include=walk.ts#no\n```', () => source)).toThrow('walk.ts has no region no')
  })
})
