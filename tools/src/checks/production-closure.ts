import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { locate, type Manifest, readLock } from './lock-file.ts'

export type ProductionDependency = {
  /** The key in package-lock.json, which is also the folder. */
  location: string
  /** From a production root down to this package. */
  path: string[]
  manifest: Manifest
}
export type ProductionClosure = { dependencies: ProductionDependency[]; problems: string[] }

const readManifest = (folder: string): Manifest | undefined => {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined
}

function wantedBy(manifest: Manifest): { name: string; required: boolean }[] {
  const optional = Object.keys(manifest.optionalDependencies ?? {})
  const mustHave = Object.keys(manifest.dependencies ?? {}).filter((name) => !optional.includes(name))
  // An optional peer is installed only when somebody else asks for it, and then it is found on that path.
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
  )
  return [
    ...[...mustHave, ...peers].map((name) => ({ name, required: true })),
    ...optional.map((name) => ({ name, required: false })),
  ]
}

/**
 * Everything that a production install brings along. npm marks the dependencies of every workspace as production, so the
 * lock file's own `dev` flag is of no use: the walk starts at the root and at each workspace not marked `devOnly`.
 */
export function productionClosure(root: string): ProductionClosure {
  const lock = readLock(root)
  const problems: string[] = []
  const found = new Map<string, ProductionDependency>()
  const isWorkspace = (location: string) => !location.includes('node_modules')
  const isDevOnly = (location: string) => readManifest(join(root, location))?.tallystick?.devOnly === true

  const queue: ProductionDependency[] = Object.keys(lock)
    .filter((location) => isWorkspace(location) && !isDevOnly(location))
    .map((location) => ({ location, path: [location || 'root'], manifest: readManifest(join(root, location)) ?? {} }))

  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const { name, required } of wantedBy(next.manifest)) {
      const location = locate(lock, next.location, name)
      const path = [...next.path, name]
      if (location === undefined) {
        if (required) problems.push(`${name}: not in package-lock.json (${path.join(' > ')}); run npm install`)
      } else if (isWorkspace(location)) {
        if (isDevOnly(location)) problems.push(`${name}: a dev-only workspace in production (${path.join(' > ')})`)
      } else if (!found.has(location)) {
        const manifest = readManifest(join(root, location)) ?? lock[location] ?? {}
        const dependency = { location, path, manifest }
        found.set(location, dependency)
        queue.push(dependency)
      }
    }
  }
  return { dependencies: [...found.values()], problems }
}
