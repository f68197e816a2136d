import { type Lock, type LockEntry, locate, type Manifest } from '../checks/lock-file.ts'

/** What package.json and package-lock.json of a built tree are made from. */
export interface RunTimeSource {
  readonly root: Manifest & { overrides?: object; allowScripts?: Record<string, boolean> }
  readonly lock: Lock
  /** Packages that are not bundled but looked for at run time, each with the workspace that depends on it. */
  readonly wanted: readonly { readonly workspace: string; readonly name: string }[]
}

function wantedBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockEntry): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]
}

function closure({ lock, wanted }: RunTimeSource): string[] {
  const found = new Set<string>()
  const queue = wanted.map(({ workspace, name }) => locate(lock, workspace, name))
  // The list grows while it is walked.
  for (const location of queue) {
    if (location === undefined || found.has(location)) continue
    if (!location.startsWith('node_modules/'))
      throw new Error(`${location} lies where a built tree has no place for it`)
    found.add(location)
    queue.push(...wantedBy(lock[location] ?? {}).map((name) => locate(lock, location, name)))
  }
  return [...found].sort()
}

/** The two files by which `npm ci --omit=dev` installs in a built tree what is not bundled, in the versions of our lock file. */
export function runTimePackages(source: RunTimeSource): { manifest: object; lock: object } {
  const { root, lock, wanted } = source
  const locations = closure(source)
  const isIn = (name: string) => locations.some((location) => location.endsWith(`node_modules/${name}`))
  const group = (kind: 'dependencies' | 'optionalDependencies') =>
    Object.fromEntries(
      wanted
        .flatMap(({ workspace, name }) => {
          const version = lock[workspace]?.[kind]?.[name]
          return version === undefined ? [] : [[name, version] as const]
        })
        .sort(),
    )
  const shared = {
    name: root.name,
    version: root.version,
    license: root.license,
    dependencies: group('dependencies'),
    optionalDependencies: group('optionalDependencies'),
    engines: root.engines,
  }
  const allowScripts = Object.entries(root.allowScripts ?? {}).filter(([name]) => isIn(name))
  return {
    manifest: {
      ...shared,
      private: true,
      type: 'module',
      overrides: root.overrides,
      allowScripts: Object.fromEntries(allowScripts),
    },
    lock: {
      name: root.name,
      version: root.version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': shared, ...Object.fromEntries(locations.map((location) => [location, lock[location]])) },
    },
  }
}
