import type { Operation } from '@tallystick/wire'
import { exampleFaults } from '../../../apps/server/test/openapi/example-faults.ts'
import { type Example, isOnMainPath } from './example.ts'
import { stable } from './stable.ts'

/** An answer of this size shows everything that a reader looks for; what is longer is taken only where nothing else is there. */
const LONG = 900

/** What a reader learns from a value: fields that hold something, less those that are empty. */
function richness(value: unknown): number {
  if (Array.isArray(value)) return value.length === 0 ? -1 : value.reduce((sum, one) => sum + richness(one), 0)
  if (value === null) return -0.5
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, one) => sum + richness(one), 0)
}

/** A call that a simulation found to fail, or a warning, is not what an operation is shown with. */
const TROUBLE =
  /"(success|willSucceed|ok|operable|canExecute)":false|"readFailed":true|"(revertReason|simulationError|error)":"|"warnings":\["/

/** A list without a row shows nothing. */
function isEmptyList(answer: unknown): boolean {
  const { data } = (answer ?? {}) as { data?: unknown }
  if (typeof data !== 'object' || data === null) return false
  const lists = [data, ...Object.values(data)].filter((one) => Array.isArray(one))
  return lists.length > 0 && lists.every((one) => one.length === 0)
}

function rank(operation: Operation, example: Example): readonly number[] {
  const text = JSON.stringify(example)
  return [
    operation.legs.read && isEmptyList(example.answer) ? 0 : 1,
    TROUBLE.test(text) ? 0 : 1,
    text.length > LONG ? 0 : 1,
    text.length > LONG ? -text.length : richness(example.answer) + richness(example.body ?? {}) / 2,
    -text.length,
  ]
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, index) => one !== b[index])
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0)
}

export interface Candidates {
  readonly operation: Operation
  readonly leg: string
  readonly recorded: readonly Example[]
  /** What the leg is shown with so far. */
  readonly known?: Example | undefined
}

/** The one that shows most of its leg, of those that are true of it; which test came first does not matter. */
export function choose({ operation, leg, recorded, known }: Candidates): Example | undefined {
  const onMainPath = recorded.filter(({ path }) => isOnMainPath(operation, path))
  const own = (onMainPath.length > 0 ? onMainPath : recorded).map((example) => stable(example, operation))
  const ranked = [...own, ...(known ? [known] : [])]
    .filter((example) => exampleFaults(operation, leg, example).length === 0)
    .map((example) => ({ example, text: JSON.stringify(example), rank: rank(operation, example) }))
  ranked.sort((a, b) => compare(a.rank, b.rank) || (a.text < b.text ? -1 : 1))
  return ranked[0]?.example
}
