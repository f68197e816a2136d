import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryTree, writeTemporaryTree } from '../support/temporary-tree.ts'
import { answerOnce } from './compile-cache.ts'

describe("the compiler's answers", () => {
  let tree: TemporaryTree
  beforeEach(() => {
    tree = writeTemporaryTree({})
  })
  afterEach(() => tree.remove())

  const ask = async (input: unknown, answer: string) => {
    let asked = false
    const compile = async () => {
      asked = true
      return answer
    }
    return { answer: await answerOnce(join(tree.root, 'cache'), input, compile), asked }
  }

  it('are kept for the same input and no other', async () => {
    expect(await ask({ a: 1 }, 'first')).toEqual({ answer: 'first', asked: true })
    expect(await ask({ a: 1 }, 'second')).toEqual({ answer: 'first', asked: false })
    expect(await ask({ a: 2 }, 'third')).toEqual({ answer: 'third', asked: true })
  })

  it('are kept in a small number', async () => {
    for (let input = 0; input < 20; input++) await ask(input, 'answer')
    expect(readdirSync(join(tree.root, 'cache'))).toHaveLength(16)
  })

  it('are not kept when there was none', async () => {
    const failing = () => Promise.reject(new Error('out of memory'))
    await expect(answerOnce(join(tree.root, 'cache'), 1, failing)).rejects.toThrow('out of memory')
    expect(await ask(1, 'answer')).toEqual({ answer: 'answer', asked: true })
  })
})
