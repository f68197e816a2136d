import { describe, expect, it } from 'vitest'
import { parseAddress } from './address.ts'

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('an address', () => {
  it.each([CHECKSUMMED, CHECKSUMMED.toLowerCase(), `0x${CHECKSUMMED.slice(2).toUpperCase()}`, `0x${'12'.repeat(20)}`])(
    '%s is accepted and lowercased',
    (text) => {
      expect(parseAddress(text)).toBe(text.toLowerCase())
    },
  )

  it.each([
    CHECKSUMMED.replace('5aA', '5AA'),
    CHECKSUMMED.replace('Aed', 'aed'),
    CHECKSUMMED.slice(2),
    `0X${CHECKSUMMED.slice(2).toLowerCase()}`,
    `${CHECKSUMMED}0`,
    CHECKSUMMED.slice(0, -1),
    ` ${CHECKSUMMED}`,
    `0x${'zz'.repeat(20)}`,
    '0x',
    '',
  ])('%j is refused', (text) => {
    expect(parseAddress(text)).toBeNull()
  })
})
