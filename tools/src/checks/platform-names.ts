const SYSTEMS = new Map([
  ['linux', 'linux'],
  ['darwin', 'darwin'],
  ['macos', 'darwin'],
  ['win32', 'win32'],
  ['windows', 'win32'],
])
const PROCESSORS = new Map([
  ['x64', 'x64'],
  ['amd64', 'x64'],
  ['arm64', 'arm64'],
  ['aarch64', 'arm64'],
  ['universal', 'arm64'],
])
const LIBRARIES = new Map([
  ['gnu', 'glibc'],
  ['glibc', 'glibc'],
  ['musl', 'musl'],
  ['msvc', 'msvc'],
])
const TABLES = [SYSTEMS, PROCESSORS, LIBRARIES]

/**
 * The platform that the name of a package ends with, and the name without it: `@esbuild/linux-x64`, `lightningcss-linux-arm64-gnu`,
 * `@foundry-rs/anvil-linux-amd64`. Names are asked, because not every package states `os` and `cpu`. undefined: names none, or one
 * that is of no concern here.
 */
export function platformInName(
  name: string,
): { base: string; os: string; arch: string; libc: string | undefined } | undefined {
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/') + 1) : ''
  const words = name.slice(scope.length).split('-')
  const [os, arch, libc] = TABLES.map((table) => table.get(words.find((word) => table.has(word)) ?? ''))
  if (os === undefined || arch === undefined) return undefined
  const rest = words.filter((word) => !TABLES.some((table) => table.has(word)))
  return { base: `${scope}${rest.join('-')}`, os, arch, libc }
}
