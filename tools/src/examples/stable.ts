import { createHash } from 'node:crypto'
import type { Operation } from '@tallystick/wire'
import { type Example, formOf } from './example.ts'

/** The second in which every example was made. */
const NOW = Date.parse('2026-03-02T10:00:00.000Z')
const HOUR_MS = 3_600_000
const MOMENT_MS = 300_000
/** Longer calldata and signatures tell a reader nothing more. */
const LONGEST_HEX = 2 + 8 + 64

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HASH = /^0x[0-9a-fA-F]{64}$/
const HEX = /^0x[0-9a-fA-F]{65,}$/
/** At least one letter: else it is a number. */
const BARE_HEX = /^(?=\d*[a-f])[0-9a-f]{16,}$/
const API_KEY = /^tally_\w+$/
/** Within a sentence. */
const VOLATILE =
  /0x[0-9a-fA-F]{40,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b(?=\d*[a-f])[0-9a-f]{32,}\b/g
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** Addresses that mean something by themselves. */
const KNOWN_ADDRESS = /^0x0{30}/

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const addressOf = (name: string) =>
  `0x${BigInt(`0x${digest(name)}`)
    .toString()
    .slice(0, 40)}`
const uuidOf = (name: string) => digest(name).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')

/** As exact as it is the same in every run. */
function offsetOf(ms: number): number {
  const step = Math.abs(ms) < 2 * HOUR_MS ? MOMENT_MS : HOUR_MS
  return Math.round(ms / step) * step
}

/**
 * Values that differ from run to run get one that follows from the name of their field, the same for all places of one value. So examples
 * tell the same story, and a new recording changes little.
 */
export function stable(example: Example, { path: main, alsoAt = [] }: Pick<Operation, 'path' | 'alsoAt'>): Example {
  const names = new Map<string, string>()
  const { metadata } = (example.answer ?? {}) as { metadata?: { timestamp?: string; chainTime?: number } }
  const recordedAt = Date.parse(metadata?.timestamp ?? '') || undefined
  const chainAt = metadata?.chainTime === undefined ? undefined : metadata.chainTime * 1000

  const named = (value: string, name: string) => {
    const known = names.get(value.toLowerCase()) ?? name
    names.set(value.toLowerCase(), known)
    return known
  }
  function instant(ms: number): number {
    const bases = [recordedAt, chainAt].filter((one) => one !== undefined)
    const offsets = bases.map((base) => ms - base).sort((a, b) => Math.abs(a) - Math.abs(b))
    return NOW + offsetOf(offsets[0] ?? 0)
  }
  function text(value: string, name: string): string {
    if (ADDRESS.test(value)) return KNOWN_ADDRESS.test(value) ? value : addressOf(named(value, name))
    if (HASH.test(value)) return `0x${digest(named(value, name))}`
    if (HEX.test(value)) return hex(value, name)
    if (UUID.test(value)) return uuidOf(named(value, name))
    if (INSTANT.test(value)) return new Date(instant(Date.parse(value))).toISOString()
    if (BARE_HEX.test(value)) return digest(named(value, name)).repeat(4).slice(0, value.length)
    if (API_KEY.test(value))
      return value.replace(/_[^_]{8,}(?=_|$)/g, (part) => `_${digest(name).slice(1, part.length)}`)
    if (name === 'checksum' || name === 'ref') return digest(name).slice(0, value.length)
    return value
      .replaceAll(/https?(:\/\/|%3A%2F%2F)(?:127\.0\.0\.1|localhost)(?:(?::|%3A)\d+)?/g, 'https$1example.org')
      .replaceAll('localhost', 'example.org')
      .replaceAll('/tmp/', '/data/')
      .replaceAll(VOLATILE, (part) => text(part, name))
  }
  function hex(value: string, name: string): string {
    if (/signature/i.test(name))
      return `0x${digest(name)
        .repeat(4)
        .slice(0, value.length - 4)}1b`
    let known = value.slice(0, LONGEST_HEX)
    for (const [original, replaced] of names)
      if (ADDRESS.test(original)) known = known.replaceAll(original.slice(2), addressOf(replaced).slice(2))
    return known
  }
  function walk(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((one) => walk(one, name))
    if (typeof value === 'string') return text(value, name)
    if (typeof value === 'number') return number(value, name)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [text(key, name), walk(member, ADDRESS.test(key) ? name : key)]),
    )
  }
  function number(value: number, name: string): number {
    const isSecond = value > 1_500_000_000 && value < 5_000_000_000 && Number.isInteger(value)
    if (isSecond && /at$|time|until|expir|deadline|from|to$|since|valid/i.test(name))
      return instant(value * 1000) / 1000
    return value
  }

  const [path = '', query] = example.path.split('?')
  const matches = [main, ...alsoAt].map((template) => formOf(template).exec(path))
  const params = Object.entries(matches.find((one) => one !== null)?.groups ?? {})
  const stablePath = params.reduce((known, [name, value]) => known.replace(`{${name}}`, text(value, name)), main)
  const asked = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query)) asked.append(name, text(value, name))
  const body = example.body === undefined ? {} : { body: walk(example.body, 'body') }
  const answer = example.answer === undefined ? {} : { answer: walk(withPlainMetadata(example.answer), 'answer') }
  return { path: asked.size === 0 ? stablePath : `${stablePath}?${asked}`, ...body, ...answer }
}

/** Of what stands beside every answer, what is always there. */
function withPlainMetadata(answer: unknown): unknown {
  const { metadata, ...rest } = answer as { metadata?: Record<string, unknown> }
  if (!metadata) return answer
  const { instanceId: _, blockNumber: __, blockHash: ___, chainTime: ____, ...others } = metadata
  return { ...rest, metadata: { ...others, requestId: 'req-1' } }
}
