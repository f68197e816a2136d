import { type Abi, encodeErrorResult, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { explainReverts, type RevertTable, unmappedErrors } from './reverts.ts'

const market = parseAbi([
  'error TooMuch(uint256 asked, uint256 left)',
  'error NotOwner(address account)',
  'error Closed()',
  'error Never()',
  'function borrow()',
])
const builtin = parseAbi(['error Error(string message)', 'error Panic(uint256 code)'])
const table: RevertTable = {
  TooMuch: { code: 'AMOUNT_TOO_HIGH', message: 'More than there is.' },
  Closed: { code: 'MARKET_CLOSED', message: 'The market is closed.' },
  Never: { unreachable: 'checked before' },
}
const explain = explainReverts([market], table)
const revert = (abi: Abi, errorName: string, args: unknown[] = []): Hex => encodeErrorResult({ abi, errorName, args })

describe('explaining a revert', () => {
  it('shows the text of require', () => {
    expect(explain(revert(builtin, 'Error', ['not today']))).toEqual({
      error: 'Error',
      code: null,
      message: 'not today',
    })
  })

  it('names a panic with its number', () => {
    expect(explain(revert(builtin, 'Panic', [0x11n]))).toEqual({
      error: 'Panic',
      code: null,
      message: expect.stringContaining('17'),
    })
  })

  it('gives a known custom error its code, sentence and values', () => {
    expect(explain(revert(market, 'TooMuch', [5n, 2n]))).toEqual({
      error: 'TooMuch',
      code: 'AMOUNT_TOO_HIGH',
      message: 'More than there is. (5, 2)',
    })
    expect(explain(revert(market, 'Closed'))).toEqual({
      error: 'Closed',
      code: 'MARKET_CLOSED',
      message: 'The market is closed.',
    })
  })

  it('still names a declared error that has no code', () => {
    const account = '0x00000000000000000000000000000000000000AA'
    expect(explain(revert(market, 'NotOwner', [account]))).toEqual({
      error: 'NotOwner',
      code: null,
      message: `The contract refused with NotOwner. (${account})`,
    })
    expect(explain(revert(market, 'Never'))).toMatchObject({ error: 'Never', code: null })
  })

  it('says Unknown for nothing, for other contracts and for garbage, and never throws', () => {
    expect(explain('0x')).toMatchObject({ error: 'Unknown', code: null })
    const foreign = revert(parseAbi(['error Foreign(uint256 x)']), 'Foreign', [1n])
    expect(explain(foreign)).toEqual({
      error: 'Unknown',
      code: null,
      message: expect.stringContaining(foreign.slice(0, 10)),
    })
    for (const data of ['0x00', '0xdead', '0x08c379a0', `0x08c379a0${'f'.repeat(64)}`, `0x4e487b71${'0'.repeat(10)}`])
      expect(explain(data as Hex)).toMatchObject({ error: 'Unknown', code: null })
  })

  it('understands several contracts at once', () => {
    const other = parseAbi(['error Foreign(uint256 x)'])
    expect(explainReverts([market, other], table)(revert(other, 'Foreign', [1n])).error).toBe('Foreign')
  })
})

describe('errors that the table forgot', () => {
  it('are listed once each, sorted; mapped and unreachable ones are not', () => {
    const other = parseAbi(['error NotOwner(address account)', 'error Alone()'])
    expect(unmappedErrors([market, other], table)).toEqual(['Alone', 'NotOwner'])
    expect(unmappedErrors([market], { ...table, NotOwner: { unreachable: 'x' } })).toEqual([])
  })

  it('do not hide behind names that every object has', () => {
    expect(unmappedErrors([parseAbi(['error toString()', 'error constructor()'])], {})).toEqual([
      'constructor',
      'toString',
    ])
  })
})
