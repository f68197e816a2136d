import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Manifest = {
  name?: string
  version?: string
  license?: unknown
  licenses?: unknown
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  engines?: { node?: string }
  os?: string[]
  cpu?: string[]
  libc?: string[]
  tallystick?: { devOnly?: boolean }
}
export type LockEntry = Manifest & {
  link?: boolean
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  /** Only dev dependencies lead here. */
  dev?: boolean
  /** Dev dependencies and optional ones lead here. */
  devOptional?: boolean
}

/** By location, which is also the folder; the root is ''. */
export type Lock = Readonly<Record<string, LockEntry>>

export const readLock = (root: string): Lock =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages

/** The name that a location is imported by; workspaces are called by their folder. */
export const packageAt = (location: string): string => location.split('node_modules/').at(-1) || 'root'

/** Where Node finds `name` from `location`: the nearest node_modules upwards, links followed. */
export function locate(lock: Lock, location: string, name: string): string | undefined {
  for (let folder = location; ; folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '') {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = lock[candidate]
    if (entry !== undefined) return entry.link === true ? entry.resolved : candidate
    if (folder === '') return undefined
  }
}
