/** The text form of a one-dimensional `text[]`: `{plain,"with, comma or \"quote\"",NULL}`. */
const element = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs

export function parseTextArray(text: string): (string | null)[] {
  return [...text.matchAll(element)].map(([, quoted, plain]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1')
    return plain === 'NULL' ? null : (plain ?? null)
  })
}

export function formatTextArray(values: readonly (string | null)[]): string {
  const formatted = values.map((value) => (value === null ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`))
  return `{${formatted.join(',')}}`
}
