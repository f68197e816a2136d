/** The names of one operation, as its files spell them. */
export interface OperationNames {
  readonly feature: 'lending'
  readonly resource: string
  /** `pokeSnapshot` */
  readonly operation: string
  /** `poke-snapshot` */
  readonly stem: string
  /** `Poke snapshot` */
  readonly words: string
}

export function namesOf(feature: string, resource: string, operation: string): OperationNames {
  if (feature !== 'lending') throw new Error(`There is a template for writes of lending only, not of ${feature}.`)
  if (!/^[a-z]+(-[a-z]+)*$/.test(resource)) throw new Error(`${resource} is not the name of a folder.`)
  if (!/^[a-z]+([A-Z][a-z]+)+$/.test(operation)) throw new Error(`${operation} is not a verb and a noun in camel case.`)
  const stem = operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const spaced = stem.replaceAll('-', ' ')
  return { feature, resource, operation, stem, words: `${spaced.slice(0, 1).toUpperCase()}${spaced.slice(1)}` }
}
