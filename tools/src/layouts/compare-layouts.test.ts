import { describe, expect, it } from 'vitest'
import { compareLayouts } from './compare-layouts.ts'
import type { Field, StorageLayout, StorageType } from './layout.ts'

const ID = 'erc7201:example.storage.Pool'
const field = (label: string, slot: number, offset: number, type: string): Field => ({ label, slot, offset, type })
const OWNER = field('owner', 0, 0, 'address')
const FEE = field('fee', 0, 20, 'uint80')
const LOANS = field('loans', 1, 0, 'mapping(uint256 => struct Loan)')
const QUEUE = field('queue', 2, 0, 'struct Ticket[]')
const LOAN: StorageType = {
  bytes: 32,
  members: [field('borrower', 0, 0, 'address'), field('status', 0, 20, 'enum Status')],
}
const TYPES: StorageLayout['types'] = {
  'struct Loan': LOAN,
  'struct Ticket': { bytes: 32, members: [field('amount', 0, 0, 'uint128')] },
  'struct Ticket[]': { bytes: 32, base: 'struct Ticket' },
  'enum Status': { bytes: 1, values: ['NONE', 'OPEN'] },
}

const layout = (fields: Field[], types: StorageLayout['types'] = {}): StorageLayout => ({
  contract: 'Pool',
  namespaces: { [ID]: { slot: '0x100', fields } },
  types: { ...TYPES, ...types },
})
const RELEASED = layout([OWNER, FEE, LOANS, QUEUE])
const compare = (current: StorageLayout) => compareLayouts(RELEASED, current)
const brokenBy = (current: StorageLayout) => compare(current).broken

describe('comparing storage layouts', () => {
  it('finds nothing in the same layout', () => {
    expect(compare(layout([OWNER, FEE, LOANS, QUEUE]))).toEqual({ broken: [], appended: [] })
  })

  it('refuses a field that moved', () => {
    expect(brokenBy(layout([FEE, OWNER, LOANS, QUEUE].map((each, slot) => ({ ...each, slot, offset: 0 }))))).toEqual([
      `Pool: ${ID}: owner moved from slot 0 byte 0 to slot 1 byte 0`,
      `Pool: ${ID}: fee moved from slot 0 byte 20 to slot 0 byte 0`,
      `Pool: ${ID}: loans moved from slot 1 byte 0 to slot 2 byte 0`,
      `Pool: ${ID}: queue moved from slot 2 byte 0 to slot 3 byte 0`,
    ])
  })

  it('refuses a field of another type, even one of the same size', () => {
    expect(brokenBy(layout([OWNER, { ...FEE, type: 'bytes10' }, LOANS, QUEUE]))).toEqual([
      `Pool: ${ID}: fee was retyped from uint80 to bytes10`,
    ])
  })

  it('refuses a field that is gone, at the end too', () => {
    expect(brokenBy(layout([OWNER, LOANS, QUEUE]))).toEqual([`Pool: ${ID}: fee was removed`])
    expect(brokenBy(layout([OWNER, FEE, LOANS]))).toEqual([`Pool: ${ID}: queue was removed`])
  })

  it('refuses a field of another name: it may hold something else now', () => {
    expect(brokenBy(layout([OWNER, { ...FEE, label: 'toll' }, LOANS, QUEUE]))).toContain(
      `Pool: ${ID}: fee was renamed to toll`,
    )
  })

  it('refuses a field between others, even in room that was free', () => {
    expect(brokenBy(layout([OWNER, FEE, field('isPaused', 0, 30, 'bool'), LOANS, QUEUE]))).toEqual([
      `Pool: ${ID}: isPaused was inserted: new fields go to the end`,
    ])
  })

  it('takes a field at the end and says so', () => {
    expect(compare(layout([OWNER, FEE, LOANS, QUEUE, field('cap', 3, 0, 'uint256')]))).toEqual({
      broken: [],
      appended: [`Pool: ${ID}: cap appended`],
    })
  })

  it('refuses a namespace that is gone or lies elsewhere, and takes a new one', () => {
    const elsewhere = { ...RELEASED, namespaces: { [ID]: { slot: '0x200', fields: [OWNER, FEE, LOANS, QUEUE] } } }
    expect(brokenBy(elsewhere)).toEqual([`Pool: ${ID}: its slot moved from 0x100 to 0x200`])
    expect(brokenBy({ ...RELEASED, namespaces: {} })).toEqual([`Pool: ${ID}: the namespace was removed`])
    const more = { ...RELEASED.namespaces, 'erc7201:example.storage.Roles': { slot: '0x300', fields: [] } }
    expect(compare({ ...RELEASED, namespaces: more })).toEqual({
      broken: [],
      appended: ['Pool: erc7201:example.storage.Roles: new namespace'],
    })
  })

  it('looks into the structs: a value of a mapping may grow at its end, and change in no other way', () => {
    const withLoan = (members: Field[], bytes = 32) =>
      compare(layout([OWNER, FEE, LOANS, QUEUE], { 'struct Loan': { bytes, members } }))
    const [borrower, status] = LOAN.members ?? []
    if (borrower === undefined || status === undefined) throw new Error('the struct has two members')
    expect(withLoan([borrower, status, field('debt', 1, 0, 'uint256')], 64)).toEqual({
      broken: [],
      appended: ['Pool: struct Loan: debt appended'],
    })
    expect(
      withLoan([
        { ...status, offset: 0 },
        { ...borrower, offset: 1 },
      ]).broken,
    ).toHaveLength(2)
    expect(withLoan([borrower]).broken).toEqual(['Pool: struct Loan: status was removed'])
  })

  it('refuses a longer element of an array', () => {
    const members = [field('amount', 0, 0, 'uint128'), field('since', 1, 0, 'uint256')]
    expect(brokenBy(layout([OWNER, FEE, LOANS, QUEUE], { 'struct Ticket': { bytes: 64, members } }))).toEqual([
      'Pool: struct Ticket[]: its elements grew from 32 to 64 bytes',
    ])
  })

  it('takes another value at the end of an enum and refuses any other order', () => {
    const withValues = (values: string[]) =>
      compare(layout([OWNER, FEE, LOANS, QUEUE], { 'enum Status': { bytes: 1, values } }))
    expect(withValues(['NONE', 'OPEN', 'CLOSED'])).toEqual({
      broken: [],
      appended: ['Pool: enum Status: CLOSED appended'],
    })
    expect(withValues(['OPEN', 'NONE']).broken).toEqual([
      'Pool: enum Status: its values were NONE, OPEN and are OPEN, NONE',
    ])
  })
})
