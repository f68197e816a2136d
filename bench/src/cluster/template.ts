/** A configuration file with its `{{names}}` filled in; one that nobody fills is a mistake, and so is a value for none. */
export function fillTemplate(text: string, values: Readonly<Record<string, string | number>>): string {
  const used = new Set<string>()
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`nothing fills {{${name}}}`)
    used.add(name)
    return String(value)
  })
  const left = Object.keys(values).filter((name) => !used.has(name))
  if (left.length > 0) throw new Error(`no place for ${left.join(', ')}`)
  return filled
}

/** `NAME=value` by line; comments and empty lines say nothing. */
export function parseEnv(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
