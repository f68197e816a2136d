import { type Advice, orWell, warning, well, wrong } from './advice.rules.ts'

const OLDEST_NODE = [20, 19] as const
const GIB = 1024 ** 3

export function adviseOnNodeVersion(version: string): Advice {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? wrong('node', `Node ${version} is too old.`, `Install Node ${OLDEST_NODE.join('.')} or newer.`)
    : well('node', `Node ${version}.`)
}

export function adviseOnDisk(folder: string, freeBytes: number): Advice {
  const free = `${(freeBytes / GIB).toFixed(1)} GiB are free where ${folder} is.`
  if (freeBytes < GIB / 4) return wrong('disk', free, 'Free some space now: a database without any stops.')
  return freeBytes < 2 * GIB ? warning('disk', free, 'Free some space soon.') : well('disk', free)
}

export interface PortFacts {
  readonly setting: 'PORT' | 'OPS_PORT'
  readonly port: number
  /** Free; held by a process of this product; held by another program. */
  readonly held: 'free' | 'ours' | 'foreign'
}

export function adviseOnPort({ setting, port, held }: PortFacts): Advice {
  if (held === 'foreign')
    return wrong(
      'ports',
      `Another program holds ${setting} ${port}.`,
      `Stop it, or choose another with ${setting}=<number>.`,
    )
  return well(
    'ports',
    held === 'ours' ? `${setting} ${port} is served.` : `${setting} ${port} is free: nothing serves there.`,
  )
}

export interface SecretFile {
  readonly path: string
  /** Null: it cannot be read. */
  readonly mode: number | null
}

/** Keystores and passwords of relayers. */
export function adviseOnSecrets(files: readonly SecretFile[]): readonly Advice[] {
  const found = files.flatMap(({ path, mode }) => {
    if (mode === null)
      return [wrong('keystores', `${path} cannot be read.`, 'Correct the setting, or the owner of the file.')]
    const isOpen = (mode & 0o077) !== 0
    return isOpen
      ? [
          wrong(
            'keystores',
            `Others may read ${path} (mode ${(mode & 0o777).toString(8)}).`,
            `chmod ${(mode & 0o700).toString(8).padStart(3, '0')} ${path}`,
          ),
        ]
      : []
  })
  return orWell(found, 'keystores', `${files.length} files, which only their owner can read.`)
}
