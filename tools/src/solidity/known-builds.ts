import type { Build, KnownBuild } from '@tallystick/deployer/builds'

export type BuildTable = Readonly<Record<string, readonly KnownBuild[]>>

const banner = `// Every build of a contract that ever stood on the main branch: npm run generate adds, nobody takes away. What is deployed is
// recognized by it (builds.ts). A line: first day, bytes, hash without what is filled in, and the places that are.
`

const line = ({ since, bytes, hash, immutables, libraries, self }: KnownBuild): string =>
  [
    since,
    bytes,
    hash,
    ...(immutables.length > 0 ? [`immutables=${immutables.join()}`] : []),
    ...Object.entries(libraries).map(([name, places]) => `${name}=${places.join()}`),
    ...(self === null ? [] : [`self=${self}`]),
  ].join(' ')

export function renderKnownBuilds(table: BuildTable): string {
  const entries = Object.entries(table)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, builds]) => `  ${name}: [\n${builds.map((build) => `    '${line(build)}',\n`).join('')}  ],\n`)
  return `${banner}export const knownBuildLines: Readonly<Record<string, readonly string[]>> = {\n${entries.join('')}}\n`
}

/** The table with today's builds in it, and the names of those that it lacked. */
export function withBuilds(table: BuildTable, current: ReadonlyMap<string, Build>, today: string) {
  const lacked = [...current].filter(
    ([name, { bytes, hash }]) => !table[name]?.some((known) => known.bytes === bytes && known.hash === hash),
  )
  const added = lacked.map(([name, build]) => [name, [...(table[name] ?? []), { since: today, ...build }]] as const)
  return { table: { ...table, ...Object.fromEntries(added) }, lacked: lacked.map(([name]) => name) }
}
