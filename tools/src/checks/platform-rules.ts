import { minVersion, satisfies } from 'semver'
import { type Lock, locate, packageAt } from './lock-file.ts'
import { platformInName } from './platform-names.ts'

export type Platform = { name: string; os: string; arch: string; libc?: string | undefined }

/** Families of packages that are not made for every platform, with those they are made for, and why that is enough. */
export type Exceptions = Readonly<Record<string, { only: readonly string[]; because: string }>>

const accepts = (listed: string[] | undefined, value: string | undefined): boolean => {
  if (listed === undefined || value === undefined || listed.includes('any')) return true
  if (listed.includes(`!${value}`)) return false
  return listed.includes(value) || listed.every((each) => each.startsWith('!'))
}

/** What is wrong with `name` in the lock file for a platform that needs it; nothing: npm installs it there. */
function faults(lock: Lock, from: string, name: string, { os, arch, libc }: Platform, range?: string): string[] {
  const location = locate(lock, from, name)
  const entry = location === undefined ? undefined : lock[location]
  if (entry === undefined) return ['is not in package-lock.json']
  const { version, integrity } = entry
  if (version === undefined || integrity === undefined) return ['has no version and integrity in package-lock.json']
  if (range !== undefined && !satisfies(version, range, { includePrerelease: true }))
    return [`is ${version} in package-lock.json, not ${range}`]
  if (!accepts(entry.os, os) || !accepts(entry.cpu, arch) || !accepts(entry.libc, libc))
    return ['is made for another platform, says package-lock.json']
  return []
}

type Family = { host: string; base: string; members: { name: string; range: string; platform: Platform }[] }

/** Optional dependencies of one package that differ in the platform they name. */
function familiesOf(lock: Lock, host: string): Family[] {
  const families = new Map<string, Family>()
  for (const [name, range] of Object.entries(lock[host]?.optionalDependencies ?? {})) {
    const named = platformInName(name)
    if (named === undefined) continue
    const { base, ...platform } = named
    const family = families.get(base) ?? { host, base, members: [] }
    family.members.push({ name, range, platform: { name, ...platform } })
    families.set(base, family)
  }
  return [...families.values()]
}

const isFor = (member: Platform, { os, arch, libc }: Platform): boolean =>
  member.os === os && member.arch === arch && (member.libc === undefined || member.libc === libc)

/** Every package that comes in variants has the one of every platform. */
export function variantFindings(lock: Lock, platforms: readonly Platform[], exceptions: Exceptions): string[] {
  return Object.keys(lock)
    .flatMap((host) => familiesOf(lock, host))
    .flatMap(({ host, base, members }) =>
      platforms.flatMap((platform) => {
        const variants = members.filter((member) => isFor(member.platform, platform))
        const exception = exceptions[base]
        if (variants.length === 0 && exception !== undefined && !exception.only.includes(platform.name)) return []
        if (variants.length === 0) return [`${platform.name}: ${packageAt(host)} has no ${base} for it`]
        return variants.flatMap(({ name, range }) =>
          faults(lock, host, name, platform, range).map((fault) => `${platform.name}: ${name} ${fault}`),
        )
      }),
    )
}

/** What our own programs load by name, whoever depends on it. */
export function neededFindings(lock: Lock, from: string, platform: Platform, names: readonly string[]): string[] {
  return names.flatMap((name) =>
    faults(lock, from, name, platform).map((fault) => `${platform.name}: ${name} ${fault}`),
  )
}

/** A script that runs at installation was decided on, by name; a decision without its package is a leftover. */
export function scriptFindings(lock: Lock, allowScripts: Readonly<Record<string, boolean>>): string[] {
  // Our own is no package that somebody else may change.
  const scripted = Object.keys(lock).filter((at) => at !== '' && lock[at]?.hasInstallScript === true)
  const names = new Set(scripted.map(packageAt))
  return [
    ...[...names]
      .filter((name) => !(name in allowScripts))
      .map((name) => `${name}: has an install script that allowScripts does not name`),
    ...Object.keys(allowScripts)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: named by allowScripts, but has no install script`),
  ]
}

/** npm leaves out optional packages that ask for a newer Node, without a word: that is how a binary goes missing. */
export function nodeFindings(lock: Lock, ours: string): string[] {
  const oldest = minVersion(ours)?.version ?? ours
  return Object.entries(lock).flatMap(([location, { engines }]) => {
    const wanted = engines?.node
    if (wanted === undefined || satisfies(oldest, wanted)) return []
    return [`${packageAt(location)}: asks for Node ${wanted}, but we run on ${oldest}`]
  })
}
