import { concat, type Hex, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { selectorsIn, warningsFrom } from './restriction.rules.ts'

/** As a compiler writes the comparison with a selector: DUP1 PUSH4 selector EQ. */
const compares = (signature: string): Hex => concat(['0x8063', toFunctionSelector(signature), '0x14'])

describe('what the code of a token lets expect', () => {
  it('is nothing for a plain ERC-20', () => {
    expect(warningsFrom([concat([compares('transfer(address,uint256)'), compares('balanceOf(address)')])])).toEqual([])
    expect(warningsFrom(['0x'])).toEqual([])
    expect(warningsFrom([])).toEqual([])
  })

  it.each([
    ['PAUSABLE', 'unpause()'],
    ['BLOCK_LIST', 'isBlackListed(address)'],
    ['RULE_ENGINE', 'detectTransferRestriction(address,address,uint256)'],
    ['SNAPSHOT', 'balanceOfAt(address,uint256)'],
    ['FORCED_TRANSFER', 'forcedTransfer(address,address,uint256)'],
  ])('is %s for %s', (code, signature) => {
    const plain = compares('transfer(address,uint256)')
    const [warning, ...more] = warningsFrom([plain, concat([plain, compares(signature)])])
    expect(more).toEqual([])
    expect(warning).toMatchObject({ code, functions: [signature] })
    expect(warning?.message).toContain(signature)
  })

  it('reads instructions, not bytes: what lies inside a longer constant is no selector', () => {
    const inside = concat(['0x7f', compares('pause()'), `0x${'00'.repeat(25)}`])
    expect(selectorsIn(inside).size).toBe(0)
    expect(warningsFrom([inside])).toEqual([])
    // Behind the constant the reading goes on.
    expect(warningsFrom([concat([inside, compares('pause()')])])).toHaveLength(1)
  })

  it('knows selectors whose leading zeros the compiler dropped, and code that ends in the middle of a constant', () => {
    expect(selectorsIn('0x62abcdef')).toContain('0x00abcdef')
    expect(selectorsIn('0x63ab')).toEqual(new Set(['0x000000ab']))
  })
})
