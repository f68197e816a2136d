/** What JSON writes as it is. Most texts of a request are ids, names and numbers, and to quote them is all there is to do. */
const PLAIN = /^[\w:. -]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** What JavaScript takes for the place in a list: it names such fields first, lowest first, however they came. */
const isPlace = (name: string): boolean => String(Number(name) >>> 0) === name && name !== '4294967295'

function sortedNames(fields: object): string[] {
  const names = Object.keys(fields)
  const places = names.findIndex((name) => !isPlace(name))
  if (places < 0) return names
  return places === 0 ? names.sort() : [...names.slice(0, places), ...names.slice(places).sort()]
}

/**
 * A value that came as JSON, in the same words whatever the order of its fields. The same as an object makes whose fields were put in order before,
 * which is what it was once: hashes of it are kept for a day.
 */
export function sortedJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  const fields = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of sortedNames(fields)) text += `${text === '' ? '' : ','}${quoted(name)}:${sortedJson(fields[name])}`
  return `{${text}}`
}
