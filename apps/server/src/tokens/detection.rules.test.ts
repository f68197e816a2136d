import { encodeAbiParameters, maxUint256, pad, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { detect, evidenceOf, type Question, questions, type RawAnswer, type RawAnswers } from './detection.rules.ts'

type Answers = Partial<Record<Question, RawAnswer>>

const ok = (data: string): RawAnswer => ({ outcome: 'OK', data })
const failed = (outcome: RawAnswer['outcome']): RawAnswer => ({ outcome, data: '0x' })
const number = (value: bigint | number) => ok(toHex(BigInt(value), { size: 32 }))
const bool = (value: boolean) => number(value ? 1 : 0)
const address = (value: string) => ok(pad(value as `0x${string}`, { size: 32 }))
const text = (value: string) => ok(encodeAbiParameters([{ type: 'string' }], [value]))
const REGISTRY = `0x${'a1'.repeat(20)}`
const COMPLIANCE = `0x${'b2'.repeat(20)}`
const ZERO = `0x${'00'.repeat(20)}`

/** A contract that reverts on everything but what is given. */
function contract(...layers: Answers[]): RawAnswers {
  const reverting = Object.fromEntries(questions.map((question) => [question, failed('REVERTED')]))
  return Object.assign(reverting, ...layers) as RawAnswers
}

const erc20: Answers = {
  'name()': text('Example'),
  'symbol()': text('EXM'),
  'decimals()': number(18),
  'totalSupply()': number(1_000),
}
const erc3643: Answers = {
  ...erc20,
  'identityRegistry()': address(REGISTRY),
  'identityRegistry().isVerified(0x0)': bool(false),
  'compliance()': address(COMPLIANCE),
  'onchainID()': address(ZERO),
  'paused()': bool(false),
}
const erc1400: Answers = {
  ...erc20,
  'isControllable()': bool(true),
  'isIssuable()': bool(false),
  'granularity()': number(10),
}
const erc165: Answers = {
  'supportsInterface(0x01ffc9a7)': bool(true),
  'supportsInterface(0xffffffff)': bool(false),
  'supportsInterface(0x80ac58cd)': bool(false),
  'supportsInterface(0xd9b67a26)': bool(false),
}
const named: Answers = { 'name()': text('Example'), 'symbol()': text('EXM') }
const erc721: Answers = { ...named, ...erc165, 'supportsInterface(0x80ac58cd)': bool(true) }
const erc1155: Answers = {
  ...erc165,
  'supportsInterface(0xd9b67a26)': bool(true),
  'uri(0)': text('https://x.example/{id}'),
}

function tokenOf(...layers: Answers[]) {
  const verdict = detect(contract(...layers))
  if (verdict.kind !== 'token') throw new Error(`expected a token, got ${JSON.stringify(verdict)}`)
  return verdict.token
}
const verdictOf = (...layers: Answers[]) => {
  const verdict = detect(contract(...layers))
  return verdict.kind === 'token' ? verdict.token.framework : verdict.kind
}

describe('the framework of a contract', () => {
  it.each([
    ['erc3643', erc3643],
    ['erc1400', erc1400],
    ['erc721', erc721],
    ['erc1155', erc1155],
    ['erc20', erc20],
  ])('is %s when it answers like one', (framework, answers) => {
    expect(verdictOf(answers)).toBe(framework)
  })

  it('is the first of the five that fits', () => {
    const all = { ...erc165, ...erc1155, ...erc721, 'supportsInterface(0xd9b67a26)': bool(true) }
    expect(verdictOf(all, erc1400, erc3643)).toBe('erc3643')
    expect(verdictOf(all, erc1400)).toBe('erc1400')
    expect(verdictOf(all, erc20)).toBe('erc721')
    expect(verdictOf(erc1155, erc20)).toBe('erc1155')
  })

  it.each<[string, Answers]>([
    ['its identity registry is the zero address', { 'identityRegistry()': address(ZERO) }],
    ['its identity registry is no address', { 'identityRegistry()': ok(`0x${'ff'.repeat(32)}`) }],
    ['its identity registry has no code', { 'identityRegistry().isVerified(0x0)': failed('NO_CODE') }],
    ['its identity registry could not be asked', { 'identityRegistry().isVerified(0x0)': failed('SKIPPED') }],
    ['identityRegistry() reverts', { 'identityRegistry()': failed('REVERTED') }],
    ['identityRegistry() answers two words', { 'identityRegistry()': ok(`0x${'00'.repeat(12)}${'a1'.repeat(52)}`) }],
  ])('is not erc3643 when %s', (_, change) => {
    expect(verdictOf(erc3643, change)).toBe('erc20')
  })

  it('is erc3643 although its registry reverts on the zero address', () => {
    expect(verdictOf(erc3643, { 'identityRegistry().isVerified(0x0)': failed('REVERTED') })).toBe('erc3643')
  })

  it.each<[string, Answers]>([
    ['isControllable() reverts', { 'isControllable()': failed('REVERTED') }],
    ['isIssuable() reverts', { 'isIssuable()': failed('REVERTED') }],
    ['isIssuable() answers nothing', { 'isIssuable()': failed('EMPTY') }],
    ['isControllable() answers a number', { 'isControllable()': number(2) }],
  ])('is not erc1400 when %s', (_, change) => {
    expect(verdictOf(erc1400, change)).toBe('erc20')
  })

  it.each<[string, Answers]>([
    ['it does not say that it speaks ERC-165', { 'supportsInterface(0x01ffc9a7)': bool(false) }],
    ['it is silent about ERC-165', { 'supportsInterface(0x01ffc9a7)': failed('REVERTED') }],
    ['it claims the interface that nobody has', { 'supportsInterface(0xffffffff)': bool(true) }],
    ['it answers something else than yes or no', { 'supportsInterface(0x80ac58cd)': number(7) }],
  ])('is not erc721 or erc1155 when %s', (_, change) => {
    expect(verdictOf(erc721, change)).toBe('unsupported')
    const twin = { ...change, 'supportsInterface(0xd9b67a26)': change['supportsInterface(0x80ac58cd)'] ?? bool(true) }
    expect(verdictOf(erc1155, twin)).toBe('unsupported')
  })

  it.each<Question>(['name()', 'symbol()', 'decimals()', 'totalSupply()'])('is not erc20 without %s', (question) => {
    for (const outcome of ['REVERTED', 'OUT_OF_GAS', 'EMPTY'] as const)
      expect(verdictOf(erc20, { [question]: failed(outcome) })).toBe('unsupported')
  })

  it.each<[Question, RawAnswer, string]>([
    ['name()', failed('REVERTED'), 'name() reverts'],
    ['symbol()', failed('OUT_OF_GAS'), 'symbol() uses up all the gas that a question is given'],
    ['decimals()', failed('EMPTY'), 'decimals() answers nothing'],
    ['totalSupply()', failed('TOO_LARGE'), 'totalSupply() answers more than can be read'],
    ['decimals()', ok('0x12'), 'decimals() answers what cannot be understood'],
  ])('is refused with what %s did', (question, answer, failure) => {
    expect(detect(contract(erc20, { [question]: answer }))).toEqual({
      kind: 'unsupported',
      reason: `As an ERC-20 it fails: ${failure}.`,
    })
  })

  it('is not guessed for an address without code, nor for a contract that answers every call alike', () => {
    expect(verdictOf(Object.fromEntries(questions.map((question) => [question, failed('NO_CODE')])))).toBe(
      'not-a-contract',
    )
    expect(detect(contract(erc3643, { 'noTokenHasThis()': number(1) }))).toEqual({
      kind: 'unsupported',
      reason: 'It answers every call alike.',
    })
    expect(verdictOf(erc20, { 'noTokenHasThis()': failed('TOO_LARGE') })).toBe('unsupported')
    expect(verdictOf(erc20, { 'noTokenHasThis()': failed('EMPTY') })).toBe('erc20')
  })

  it('is not taken from the name', () => {
    expect(tokenOf(erc20, { 'name()': text('ERC3643 Security Token'), 'symbol()': text('erc1400') }).framework).toBe(
      'erc20',
    )
  })
})

describe('the facts of a token', () => {
  it('of erc3643 are its registry, compliance, identity and pause', () => {
    expect(tokenOf(erc3643).facts).toEqual({
      identityRegistry: REGISTRY,
      compliance: COMPLIANCE,
      onchainID: null,
      paused: false,
    })
    const bare = { 'compliance()': address(ZERO), 'onchainID()': address(COMPLIANCE), 'paused()': number(2) }
    expect(tokenOf(erc3643, bare).facts).toEqual({
      identityRegistry: REGISTRY,
      compliance: null,
      onchainID: COMPLIANCE,
      paused: null,
    })
    expect(tokenOf(erc3643, { 'paused()': bool(true) }).facts.paused).toBe(true)
  })

  it('of erc1400 are its switches and its granularity', () => {
    expect(tokenOf(erc1400).facts).toEqual({ isControllable: true, isIssuable: false, granularity: '10' })
    expect(tokenOf(erc1400, { 'granularity()': failed('REVERTED') }).facts.granularity).toBeNull()
  })

  it('of erc721 have no decimals, and a supply only when it can be enumerated', () => {
    expect(tokenOf(erc721)).toMatchObject({ decimals: 0, totalSupplyRaw: 0n, facts: { enumerable: false } })
    const enumerable = { 'totalSupply()': number(3), 'decimals()': number(18) }
    expect(tokenOf(erc721, enumerable)).toMatchObject({ decimals: 0, totalSupplyRaw: 3n, facts: { enumerable: true } })
  })

  it('of erc1155 have neither decimals nor supply, and a missing name is nothing to warn about', () => {
    const token = tokenOf(erc1155, { 'totalSupply()': number(3), 'decimals()': number(18) })
    expect(token).toMatchObject({
      name: 'ERC1155',
      symbol: 'ERC1155',
      decimals: 0,
      totalSupplyRaw: 0n,
      degraded: false,
    })
    expect(token.facts).toEqual({ uri: 'https://x.example/{id}' })
    expect(tokenOf(erc1155, { 'uri(0)': failed('REVERTED') }).facts).toEqual({ uri: null })
    expect(tokenOf(erc1155, { 'uri(0)': ok('0xff') }).facts).toEqual({ uri: null })
    expect(tokenOf(erc1155, { 'name()': ok('0xff') }).degraded).toBe(true)
  })

  it('of erc20 are exact up to the largest supply', () => {
    expect(tokenOf(erc20, { 'totalSupply()': number(maxUint256) })).toMatchObject({
      name: 'Example',
      symbol: 'EXM',
      decimals: 18,
      totalSupplyRaw: maxUint256,
      facts: {},
      degraded: false,
    })
  })

  it('show a stand-in for a name that is too large or malformed, and say so', () => {
    for (const answer of [failed('TOO_LARGE'), ok('0xff')])
      expect(tokenOf(erc20, { 'name()': answer })).toMatchObject({ name: 'EXM', symbol: 'EXM', degraded: true })
  })

  it.each<[string, Answers]>([
    ['erc3643', erc3643],
    ['erc1400', erc1400],
  ])('of %s are not guessed when decimals or supply cannot be read', (framework, answers) => {
    for (const fact of ['decimals()', 'totalSupply()'] as const)
      for (const answer of [failed('REVERTED'), failed('OUT_OF_GAS'), failed('TOO_LARGE'), ok('0x12')])
        expect(detect(contract(answers, { [fact]: answer }))).toEqual({
          kind: 'unreadable',
          framework,
          failure: expect.stringContaining(`${fact} `),
        })
  })

  it('allow at most 77 decimals', () => {
    expect(tokenOf(erc20, { 'decimals()': number(77) }).decimals).toBe(77)
    for (const decimals of [78n, 300n, maxUint256])
      expect(detect(contract(erc20, { 'decimals()': number(decimals) }))).toEqual({
        kind: 'unreadable',
        framework: 'erc20',
        failure: `decimals() answers ${decimals}, and more than 77 cannot be`,
      })
  })
})

describe('the evidence', () => {
  const evidence = (...layers: Answers[]) => new Map(evidenceOf(contract(...layers)).map((one) => [one.call, one]))

  it('holds every question once, in order', () => {
    expect(evidenceOf(contract()).map(({ call }) => call)).toEqual(questions)
  })

  it('shows decoded values', () => {
    const seen = evidence(erc3643, { 'uri(0)': text('') })
    expect(seen.get('identityRegistry()')).toEqual({ call: 'identityRegistry()', outcome: 'VALUE', value: REGISTRY })
    expect(seen.get('paused()')?.value).toBe('false')
    expect(seen.get('decimals()')?.value).toBe('18')
    expect(seen.get('name()')?.value).toBe('Example')
    expect(seen.get('uri(0)')).toEqual({ call: 'uri(0)', outcome: 'VALUE', value: '' })
  })

  it('shows why there is no value', () => {
    for (const outcome of ['REVERTED', 'OUT_OF_GAS', 'EMPTY', 'TOO_LARGE', 'NO_CODE', 'SKIPPED'] as const)
      expect(evidence({ 'name()': failed(outcome) }).get('name()')).toEqual({ call: 'name()', outcome })
    expect(evidence({ 'name()': ok('0xff') }).get('name()')).toEqual({ call: 'name()', outcome: 'MALFORMED' })
    expect(evidence({ 'paused()': number(2) }).get('paused()')?.outcome).toBe('MALFORMED')
  })

  it('can always be stored: no control characters, a bounded length, no halved character', () => {
    expect(evidence({ 'name()': text('A\u0000B\u001B') }).get('name()')?.value).toBe('A\uFFFDB\uFFFD')
    expect(evidence({ 'name()': text('n'.repeat(600)) }).get('name()')?.value).toBe('n'.repeat(512))
    const value = evidence({ 'name()': text(`${'n'.repeat(511)}🚀 and more`) }).get('name()')?.value
    expect(value).toBe(`${'n'.repeat(511)}🚀`)
    expect(tokenOf(erc1155, { 'uri(0)': text(`${'n'.repeat(511)}🚀`) }).facts.uri).not.toMatch(/\p{Cs}/u)
  })
})
