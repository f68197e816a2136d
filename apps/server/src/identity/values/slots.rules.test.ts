import { claimSlots } from '@tallystick/wire'
import { hexToBigInt, keccak256, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { claimIdOf, dataHashOf, expiryAfter, hashOfInput } from './claim-data.rules.ts'
import { canonicalSlot, everySlot, needsProof, slotOf, topicOf } from './slots.rules.ts'

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('no slot')
  return value
}

describe('the slots of an identity', () => {
  it('are named in any case, or counted', () => {
    for (const [index, name] of claimSlots.entries())
      for (const text of [name, name.toLowerCase(), index]) expect(slotOf(text)).toEqual({ index, name })
  })

  it('are eight, and no string of digits names one', () => {
    for (const text of [8, -1, 0.5, Number.NaN, '0', '7', '', 'KYC ', 'toString']) expect(slotOf(text)).toBeNull()
  })

  it('are filled by proofs or by hand', () => {
    expect(everySlot.filter(needsProof).map(({ name }) => name)).toEqual([
      'KYC',
      'ACCREDITATION',
      'RESIDENCY',
      'CITIZENSHIP',
    ])
    expect(canonicalSlot('nationality')?.name).toBe('CITIZENSHIP')
    for (const field of ['Nationality', '__proto__', 'constructor']) expect(canonicalSlot(field)).toBeNull()
  })

  it('have a topic on an ONCHAINID; the first that the registry asks for is that of KYC', () => {
    const hash = (name: string) => hexToBigInt(keccak256(toHex(name)))
    expect(topicOf(must(slotOf('KYC')), [7n, 8n])).toBe(7n)
    expect(topicOf(must(slotOf('KYC')), [])).toBe(hash('KYC'))
    expect(topicOf(must(slotOf('AML')), [7n])).toBe(hash('AML'))
  })
})

describe('what a claim holds', () => {
  const wallet = '0x00000000000000000000000000000000000000AB'

  it('is bound to slot and wallet', () => {
    const [aml, pep] = [must(slotOf('AML')), must(slotOf('PEP_CHECK'))]
    const hash = hashOfInput(aml, ' "x" ', wallet)
    expect(hash).toBe(keccak256(toHex(`{"claimType":"AML","data":"\\"x\\"","wallet":"${wallet.toLowerCase()}"}`)))
    expect(hashOfInput(pep, '"x"', wallet)).not.toBe(hash)
    expect(hashOfInput(aml, '"x"', '0x00000000000000000000000000000000000000ac')).not.toBe(hash)
  })

  it('is a hash, or the hash of something else', () => {
    const word = `0x${'ab'.repeat(32)}` as const
    expect([dataHashOf(word), dataHashOf('0x1234')]).toEqual([word, keccak256('0x1234')])
    expect(claimIdOf(wallet, 1n)).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('lasts for days from now, or for ever', () => {
    expect([expiryAfter(undefined, 5), expiryAfter(0, 5), expiryAfter(2, 5)]).toEqual([0, 0, 172_805])
  })
})
