const SECTION = /^### `(\w+)`\n([\s\S]*?)(?=^##|(?![\s\S]))/gm
const NAME = /`(\w+)`/g

/** The functions that the tables below a heading with the contract's name list in their second column. */
export function documentedFunctions(page: string): Map<string, string[]> {
  return new Map(
    [...page.matchAll(SECTION)].map(([, contract = '', text = '']) => {
      const cells = text.split('\n').flatMap((line) => (line.startsWith('|') ? [line.split('|')[2] ?? ''] : []))
      return [contract, cells.flatMap((cell) => [...cell.matchAll(NAME)].map(([, name = '']) => name))]
    }),
  )
}

/** Every function has to be there once, overloads together; nothing else may be. */
export function callersFindings(page: string, functions: ReadonlyMap<string, readonly string[]>): string[] {
  const documented = documentedFunctions(page)
  const gone = [...documented.keys()].filter((contract) => !functions.has(contract))
  const perContract = [...functions].flatMap(([contract, names]) => {
    const listed = documented.get(contract)
    if (listed === undefined) return [`has no section ${contract}`]
    const twice = listed.filter((name, index) => listed.indexOf(name) !== index)
    return [
      ...[...new Set(names)].filter((name) => !listed.includes(name)).map((name) => `${contract}.${name} is missing`),
      ...listed
        .filter((name) => !names.includes(name))
        .map((name) => `${contract} has no ${name} that changes anything`),
      ...twice.map((name) => `${contract}.${name} is there twice`),
    ]
  })
  return [...gone.map((contract) => `there is no contract ${contract}`), ...perContract]
}
