type Json = Readonly<Record<string, unknown>>

/** The names that components may have. */
const clean = (name: string) => name.replace(/[^A-Za-z0-9._-]/g, '_')

/** What is used in several places, kept once under a name of its own. */
export function createShelf(kind: string) {
  const names = new Map<string, string>()
  const kept: Record<string, Json> = {}

  return {
    /** A reference to it; the same twice is kept once, whatever it was to be called. */
    put(wanted: string, value: Json): { $ref: string } {
      const text = JSON.stringify(value)
      let name = names.get(text)
      if (name === undefined) {
        const base = clean(wanted)
        for (let count = 1; name === undefined || name in kept; count++) name = count === 1 ? base : `${base}_${count}`
        names.set(text, name)
        kept[name] = value
      }
      return { $ref: `#/components/${kind}/${name}` }
    },
    /** In the order of their names. */
    all: (): Record<string, Json> => Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
