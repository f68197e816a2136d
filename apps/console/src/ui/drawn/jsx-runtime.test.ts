import { describe, expect, it } from 'vitest'
import { jsx, jsxs } from './jsx-runtime.ts'

const NAME = 'Nord\u202Ekniw'
const SHOWN = 'Nord\uFFFDkniw'

describe('what is drawn', () => {
  it('has no character that turns the writing beside it, as text or as a hint', () => {
    expect(jsx('p', { title: NAME, children: NAME }).props).toEqual({ title: SHOWN, children: SHOWN })
    expect(jsxs('p', { children: [NAME, [' (', NAME], 7] }).props).toEqual({ children: [SHOWN, [' (', SHOWN], 7] })
  })

  it('is all that changes: what a component or a field is given stays as the service said it', () => {
    const Part = () => null
    const row = { name: NAME }
    const given = { title: NAME, rows: [row], children: NAME }
    expect(jsx(Part, given).props).toEqual({ ...given, children: SHOWN })
    expect(jsx(Part, { 'aria-label': NAME }).props).toEqual({ 'aria-label': SHOWN })
    expect(jsx('input', { value: NAME }).props).toEqual({ value: NAME })
    expect(given.children).toBe(NAME)
  })

  it('is the very same where nothing turns: nothing is drawn again for it', () => {
    const children = ['a', ['b']]
    expect((jsxs('p', { children }).props as { children: unknown }).children).toBe(children)
  })
})
