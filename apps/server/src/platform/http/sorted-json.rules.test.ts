import { seededRandom } from '@tallystick/testkit'
import { expect, it } from 'vitest'
import { sortedJson } from './sorted-json.rules.ts'

const random = seededRandom(7)
const NAMES = ['side', 'price', 'Z', 'é', '-1', '01', '0', '9', '10', '4294967294', '4294967295', 'a b', '"', '', '__x']
const TEXTS = ['BUY', '100', 'ü', '"\\\n', '\u2028', '😀', '', 'a,b', '<']

function drawn(depth: number): unknown {
  const kind = random.integer(0, depth > 0 ? 6 : 4)
  if (kind === 5) return Array.from({ length: random.integer(0, 3) }, () => drawn(depth - 1))
  if (kind === 6) return Object.fromEntries(shuffled().map((name) => [name, drawn(depth - 1)]))
  return [random.pick(TEXTS), random.pick([0, -0, 1.5, 1e21, -7]), true, false, null][kind]
}

const shuffled = () =>
  NAMES.map((name) => [random.next(), name] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, 6)
    .map(([, name]) => name)

const withSortedFields = (_name: string, value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

it('writes what an object with its fields in order writes', () => {
  for (let count = 0; count < 2_000; count += 1) {
    const value = JSON.parse(JSON.stringify(drawn(3))) as unknown
    expect(sortedJson(value)).toBe(JSON.stringify(value, withSortedFields))
  }
  // A number that is too large for JavaScript is written as null, as it was before.
  expect(sortedJson(JSON.parse('[1e999,-1e999]'))).toBe('[null,null]')
  expect(sortedJson({ b: 1, a: { d: '2', c: [] } })).toBe('{"a":{"c":[],"d":"2"},"b":1}')
})
