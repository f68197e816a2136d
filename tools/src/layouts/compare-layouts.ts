import type { Field, StorageLayout, StorageType } from './layout.ts'

/** `broken`: a proxy with the released layout would read something else. `appended`: safe, and new since the release. */
export type LayoutDifference = { broken: string[]; appended: string[] }

const place = ({ slot, offset }: Field) => `slot ${slot} byte ${offset}`

function compareField(released: Field, current: Field[]): string[] {
  const now = current.find(({ label }) => label === released.label)
  if (now === undefined) {
    const heir = current.find((field) => place(field) === place(released) && field.type === released.type)
    return [`${released.label} was ${heir === undefined ? 'removed' : `renamed to ${heir.label}`}`]
  }
  const moved = place(now) === place(released) ? [] : [`moved from ${place(released)} to ${place(now)}`]
  const retyped = now.type === released.type ? [] : [`was retyped from ${released.type} to ${now.type}`]
  return [...moved, ...retyped].map((change) => `${released.label} ${change}`)
}

function compareFields(where: string, released: Field[], current: Field[]): LayoutDifference {
  const known = new Set(released.map(({ label }) => label))
  const lastKnown = current.findLastIndex(({ label }) => known.has(label))
  const added = current.filter(({ label }) => !known.has(label))
  const inserted = added.filter((field) => current.indexOf(field) < lastKnown)
  return {
    broken: [
      ...released.flatMap((field) => compareField(field, current)),
      ...inserted.map(({ label }) => `${label} was inserted: new fields go to the end`),
    ].map((line) => `${where}: ${line}`),
    appended: added.filter((field) => !inserted.includes(field)).map(({ label }) => `${where}: ${label} appended`),
  }
}

function compareValues(where: string, released: string[], current: string[]): LayoutDifference {
  const kept = released.every((value, index) => current[index] === value)
  const broken = kept ? [] : [`${where}: its values were ${released.join(', ')} and are ${current.join(', ')}`]
  return { broken, appended: current.slice(released.length).map((value) => `${where}: ${value} appended`) }
}

function compareType(
  name: string,
  released: StorageLayout['types'],
  current: StorageLayout['types'],
): LayoutDifference {
  const [was, is] = [released[name], current[name]]
  // Whatever was of a type that is gone was removed or retyped itself.
  if (was === undefined || is === undefined) return { broken: [], appended: [] }
  if (was.members !== undefined) return compareFields(name, was.members, is.members ?? [])
  if (was.values !== undefined) return compareValues(name, was.values, is.values ?? [])
  const elementBytes = (types: Record<string, StorageType>, { base }: StorageType) => types[base ?? '']?.bytes
  const [from, to] = [elementBytes(released, was), elementBytes(current, is)]
  // A value of a mapping may grow; an element of an array pushes the next ones away.
  if (from !== to) return { broken: [`${name}: its elements grew from ${from} to ${to} bytes`], appended: [] }
  return { broken: was.bytes === is.bytes ? [] : [`${name}: ${was.bytes} bytes became ${is.bytes}`], appended: [] }
}

/** Nothing moved, removed, renamed, retyped or inserted; appending is allowed where nothing lies behind. */
export function compareLayouts(released: StorageLayout, current: StorageLayout): LayoutDifference {
  const namespaces = Object.entries(released.namespaces).map(([id, was]): LayoutDifference => {
    const is = current.namespaces[id]
    if (is === undefined) return { broken: [`${id}: the namespace was removed`], appended: [] }
    const { broken, appended } = compareFields(id, was.fields, is.fields)
    const slot = was.slot === is.slot ? [] : [`${id}: its slot moved from ${was.slot} to ${is.slot}`]
    return { broken: [...slot, ...broken], appended }
  })
  const types = Object.keys(released.types).map((name) => compareType(name, released.types, current.types))
  const fresh = Object.keys(current.namespaces).filter((id) => released.namespaces[id] === undefined)
  const all = [...namespaces, ...types, { broken: [], appended: fresh.map((id) => `${id}: new namespace`) }]
  const named = (lines: string[]) => lines.map((line) => `${current.contract}: ${line}`)
  return {
    broken: named(all.flatMap(({ broken }) => broken)),
    appended: named(all.flatMap(({ appended }) => appended)),
  }
}
