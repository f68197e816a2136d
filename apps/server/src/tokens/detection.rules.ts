import type { Framework } from '@tallystick/wire'
import { decodeAddress, decodeBool, decodeText, decodeWord, presentNames } from './chain-text.rules.ts'

/** The calls that tell frameworks apart. The order is that of the evidence. */
export const questions = [
  'identityRegistry()',
  'identityRegistry().isVerified(0x0)',
  'compliance()',
  'onchainID()',
  'paused()',
  'isControllable()',
  'isIssuable()',
  'granularity()',
  'supportsInterface(0x01ffc9a7)',
  'supportsInterface(0xffffffff)',
  'supportsInterface(0x80ac58cd)',
  'supportsInterface(0xd9b67a26)',
  'name()',
  'symbol()',
  'decimals()',
  'totalSupply()',
  'uri(0)',
  'noTokenHasThis()',
] as const
export type Question = (typeof questions)[number]

export interface RawAnswer {
  readonly outcome: 'OK' | 'REVERTED' | 'OUT_OF_GAS' | 'EMPTY' | 'TOO_LARGE' | 'NO_CODE' | 'SKIPPED'
  readonly data: string
}
export type RawAnswers = Readonly<Record<Question, RawAnswer>>

export interface Evidence {
  readonly call: string
  readonly outcome: 'VALUE' | 'MALFORMED' | Exclude<RawAnswer['outcome'], 'OK'>
  readonly value?: string
}

/** What a contract says about itself, once it is known what to make of it. */
export interface TokenFacts {
  readonly framework: Framework
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly totalSupplyRaw: bigint
  readonly facts: Readonly<Record<string, unknown>>
  readonly degraded: boolean
}

export type Verdict =
  | { readonly kind: 'token'; readonly token: TokenFacts }
  | { readonly kind: 'not-a-contract' }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly framework: Framework; readonly failure: string }

/** More would not fit the amounts we store; no real token comes near it. */
const MOST_DECIMALS = 77n

const decoders: Partial<Record<Question, (data: string) => unknown>> = {
  'identityRegistry()': decodeAddress,
  'compliance()': decodeAddress,
  'onchainID()': decodeAddress,
  'paused()': decodeBool,
  'isControllable()': decodeBool,
  'isIssuable()': decodeBool,
  'supportsInterface(0x01ffc9a7)': decodeBool,
  'supportsInterface(0xffffffff)': decodeBool,
  'supportsInterface(0x80ac58cd)': decodeBool,
  'supportsInterface(0xd9b67a26)': decodeBool,
  'name()': decodeText,
  'symbol()': decodeText,
  'uri(0)': decodeText,
}

function decodeAnswer(question: Question, answer: RawAnswer): unknown {
  if (answer.outcome !== 'OK') return null
  return (decoders[question] ?? decodeWord)(answer.data)
}

/** The detection, call by call, for a person who wants to know why. */
export function evidenceOf(answers: RawAnswers): Evidence[] {
  return questions.map((call) => {
    const answer = answers[call]
    if (answer.outcome !== 'OK') return { call, outcome: answer.outcome }
    const value = decodeAnswer(call, answer)
    // A stored NUL or lone surrogate would be refused by the database; what is shown is JSON-escaped anyway.
    return value === null ? { call, outcome: 'MALFORMED' } : { call, outcome: 'VALUE', value: printable(String(value)) }
  })
}

function printable(text: string): string {
  return [...text]
    .slice(0, 512)
    .join('')
    .replace(/[\p{Cc}]/gu, '\uFFFD')
}

function nonZeroAddress(value: unknown): string | null {
  return typeof value === 'string' && !/^0x0{40}$/.test(value) ? value : null
}

/** Decides by what the contract answers, never by what it calls itself. */
export function detect(answers: RawAnswers): Verdict {
  const value = <T>(question: Question) => decodeAnswer(question, answers[question]) as T | null
  const answered = (question: Question) => ['OK', 'TOO_LARGE'].includes(answers[question].outcome)
  if (answers['name()'].outcome === 'NO_CODE') return { kind: 'not-a-contract' }
  // A contract that answers a call no token has would answer anything; its answers prove nothing.
  if (answered('noTokenHasThis()')) return { kind: 'unsupported', reason: 'It answers every call alike.' }

  const framework = frameworkOf(value, answered, answers)
  if (!framework) return { kind: 'unsupported', reason: `As an ERC-20 it fails: ${erc20Failures(answers)}.` }
  const fungible = framework === 'erc3643' || framework === 'erc1400' || framework === 'erc20'
  const decimals = fungible ? value<bigint>('decimals()') : 0n
  if (decimals === null) return { kind: 'unreadable', framework, failure: failureOf('decimals()', answers) }
  if (decimals > MOST_DECIMALS)
    return {
      kind: 'unreadable',
      framework,
      failure: `decimals() answers ${decimals}, and more than ${MOST_DECIMALS} cannot be`,
    }
  const supply = framework === 'erc1155' ? 0n : value<bigint>('totalSupply()')
  if (supply === null && fungible)
    return { kind: 'unreadable', framework, failure: failureOf('totalSupply()', answers) }
  const names = presentNames(value<string>('name()'), value<string>('symbol()'), framework)
  return {
    kind: 'token',
    token: {
      framework,
      name: names.name,
      symbol: names.symbol,
      // ERC-1155 has no name() of its own, so a stand-in there is nothing to warn about.
      degraded: names.degraded && (framework !== 'erc1155' || answered('name()')),
      decimals: Number(decimals),
      totalSupplyRaw: supply ?? 0n,
      facts: factsOf(framework, value, answered),
    },
  }
}

const causes: Record<Exclude<RawAnswer['outcome'], 'OK'>, string> = {
  REVERTED: 'reverts',
  OUT_OF_GAS: 'uses up all the gas that a question is given',
  EMPTY: 'answers nothing',
  TOO_LARGE: 'answers more than can be read',
  NO_CODE: 'is asked of an address without code',
  SKIPPED: 'could not be asked',
}

/** What a call did instead of answering what it should, in words: `decimals() reverts`. */
function failureOf(question: Question, answers: RawAnswers): string {
  const { outcome } = answers[question]
  return `${question} ${outcome === 'OK' ? 'answers what cannot be understood' : causes[outcome]}`
}

/** Everything that keeps a contract from being an ERC-20, the least of the five frameworks. */
function erc20Failures(answers: RawAnswers): string {
  const asked = ['name()', 'symbol()', 'decimals()', 'totalSupply()'] as const
  const isMissing = (question: (typeof asked)[number]) => {
    const { outcome } = answers[question]
    const isText = question === 'name()' || question === 'symbol()'
    if (isText) return outcome !== 'OK' && outcome !== 'TOO_LARGE'
    return decodeAnswer(question, answers[question]) === null
  }
  return asked
    .filter(isMissing)
    .map((question) => failureOf(question, answers))
    .join(', ')
}

type Value = <T>(question: Question) => T | null

function frameworkOf(value: Value, answered: (question: Question) => boolean, answers: RawAnswers): Framework | null {
  const registryExists = !['NO_CODE', 'SKIPPED'].includes(answers['identityRegistry().isVerified(0x0)'].outcome)
  if (nonZeroAddress(value('identityRegistry()')) && registryExists) return 'erc3643'
  if (value<boolean>('isControllable()') !== null && value<boolean>('isIssuable()') !== null) return 'erc1400'
  const speaksErc165 =
    value<boolean>('supportsInterface(0x01ffc9a7)') === true && value<boolean>('supportsInterface(0xffffffff)') !== true
  if (speaksErc165 && value<boolean>('supportsInterface(0x80ac58cd)') === true) return 'erc721'
  if (speaksErc165 && value<boolean>('supportsInterface(0xd9b67a26)') === true) return 'erc1155'
  const readable =
    answered('name()') && answered('symbol()') && value('decimals()') !== null && value('totalSupply()') !== null
  return readable ? 'erc20' : null
}

function factsOf(
  framework: Framework,
  value: Value,
  answered: (question: Question) => boolean,
): Record<string, unknown> {
  switch (framework) {
    case 'erc3643':
      return {
        identityRegistry: value('identityRegistry()'),
        compliance: nonZeroAddress(value('compliance()')),
        onchainID: nonZeroAddress(value('onchainID()')),
        paused: value<boolean>('paused()'),
      }
    case 'erc1400':
      return {
        isControllable: value<boolean>('isControllable()'),
        isIssuable: value<boolean>('isIssuable()'),
        granularity: value<bigint>('granularity()')?.toString() ?? null,
      }
    case 'erc721':
      // Without the enumerable extension there is no supply to read, and the record shows 0.
      return { enumerable: value<bigint>('totalSupply()') !== null }
    case 'erc1155':
      return { uri: answered('uri(0)') ? printableOrNull(value<string>('uri(0)')) : null }
    case 'erc20':
      return {}
  }
}

function printableOrNull(text: string | null): string | null {
  return text === null ? null : printable(text)
}
