import type { ReadOperation, RefusalSchema, Schema } from './document.ts'
import { type NameOf, quoted, spaced, typeText, unionText } from './type-text.ts'

const FIELD_FAULTS = ['field', 'message'].join()
/** Which fields failed, and how: many codes carry it. */
const nameOf: NameOf = ({ properties = {} }) =>
  Object.keys(properties).join() === 'details' &&
  Object.keys(properties.details?.items?.properties ?? {}).join() === FIELD_FAULTS
    ? 'FieldFaults'
    : undefined
const hasNoFields = ({ properties = {} }: Schema) => Object.keys(properties).length === 0
const lineOf = (refusal: RefusalSchema) => JSON.stringify(refusal)

/** One member per status and form of the extra fields, so that comparing `code` tells which fields there are. */
function membersText(refusals: readonly RefusalSchema[], depth: number): string[] {
  const groups = new Map<string, RefusalSchema[]>()
  for (const refusal of refusals) {
    const key = JSON.stringify([refusal.status, refusal.extra])
    groups.set(key, [...(groups.get(key) ?? []), refusal])
  }
  return [...groups.values()].map((group) => {
    const codes = unionText(group.map(({ code }) => quoted(code)).sort(), depth + 1)
    const [first] = group
    if (!first || hasNoFields(first.extra)) return `Refusal<${codes}, ${first?.status}>`
    return `Refusal<${codes}, ${first.status}, ${typeText(first.extra, depth + 1, nameOf)}>`
  })
}

interface CommonRefusals {
  readonly name: string
  readonly words: string
  readonly refusals: readonly RefusalSchema[]
}

/** What every one of these operations can answer. */
function sharedBy(operations: readonly ReadOperation[]): RefusalSchema[] {
  const [first, ...others] = operations.map(({ refusals }) => refusals)
  const lines = others.map((refusals) => new Set(refusals.map(lineOf)))
  return (first ?? []).filter((refusal) => lines.every((set) => set.has(lineOf(refusal))))
}

function firstOf(operations: readonly ReadOperation[], code: string): RefusalSchema[] {
  return operations.flatMap(({ refusals }) => refusals.filter((one) => one.code === code)).slice(0, 1)
}

/** What operations have in common is said once: a file would otherwise be mostly codes of the door. */
export function commonRefusals(operations: readonly ReadOperation[]): CommonRefusals[] {
  const everywhere = sharedBy(operations)
  const known = new Set(everywhere.map(lineOf))
  const writes = operations.filter(({ method }) => method !== 'GET')
  return [
    { name: 'AnyRefusal', words: 'What any operation can answer.', refusals: everywhere },
    {
      name: 'WriteRefusal',
      words: 'What any operation that changes something can answer besides.',
      refusals: sharedBy(writes).filter((refusal) => !known.has(lineOf(refusal))),
    },
    {
      name: 'ServiceRefusal',
      words: 'What operations of a service answer that an instance can be without.',
      refusals: firstOf(operations, 'SERVICE_NOT_ENABLED'),
    },
  ]
}

export function commonRefusalsText(common: readonly CommonRefusals[]): string {
  return common
    .map(
      ({ name, words, refusals }) =>
        `/** ${words} */\nexport type ${name} =${spaced(unionText(membersText(refusals, 0), 0))}\n`,
    )
    .join('\n')
}

/** The names of the common sets that an operation has, and its own codes. */
export function refusalText({ refusals }: ReadOperation, common: readonly CommonRefusals[], depth: number) {
  const own = new Set(refusals.map(lineOf))
  const sets = common.filter(
    (set) => set.refusals.length > 0 && set.refusals.every((refusal) => own.has(lineOf(refusal))),
  )
  const covered = new Set(sets.flatMap((set) => set.refusals.map(lineOf)))
  const rest = refusals.filter((refusal) => !covered.has(lineOf(refusal)))
  const names = sets.map(({ name }) => name)
  return { names, text: unionText([...names, ...membersText(rest, depth + 1)], depth) }
}
