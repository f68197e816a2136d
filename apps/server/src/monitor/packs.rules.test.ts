import { expect, it } from 'vitest'
import { packed } from './packs.rules.ts'

const itself = (size: number) => size

it('puts together what fits, in its order', () => {
  expect(packed([], itself, 5)).toEqual([])
  expect(packed([2, 3, 1, 4, 5, 1], itself, 5)).toEqual([[2, 3], [1, 4], [5], [1]])
})

it('leaves out nothing that is too great: it stands alone', () => {
  expect(packed([1, 9, 1, 1], itself, 5)).toEqual([[1], [9], [1, 1]])
})
