export type Architecture = 'x64' | 'arm64'

export type Emulation = {
  arch: Architecture
  /** The program of Debian's qemu-user-static. */
  emulator: string
  /** Where Debian's cross packages put the C library of the other architecture. */
  libraries: string
  /** What has to be installed for it. */
  debianPackages: string[]
  /** How executables of the architecture call it in their header. */
  elfMachine: number
}

const EMULATIONS: Record<Architecture, Emulation> = {
  x64: {
    arch: 'x64',
    emulator: 'qemu-x86_64-static',
    libraries: '/usr/x86_64-linux-gnu',
    debianPackages: ['qemu-user-static', 'libc6-amd64-cross', 'libstdc++6-amd64-cross'],
    elfMachine: 0x3e,
  },
  arm64: {
    arch: 'arm64',
    emulator: 'qemu-aarch64-static',
    libraries: '/usr/aarch64-linux-gnu',
    debianPackages: ['qemu-user-static', 'libc6-arm64-cross', 'libstdc++6-arm64-cross'],
    elfMachine: 0xb7,
  },
}

const isArchitecture = (word: string): word is Architecture => word in EMULATIONS

/** How to run programs of `wanted`, by default the architecture that this machine is not. */
export function chooseEmulation(
  machine: { os: string; arch: string },
  wanted: string = machine.arch === 'arm64' ? 'x64' : 'arm64',
): Emulation | { fault: string } {
  if (machine.os !== 'linux') return { fault: `Programs of linux are emulated on linux only, not on ${machine.os}.` }
  if (!isArchitecture(wanted)) return { fault: `The architectures are x64 and arm64, not ${wanted}.` }
  return EMULATIONS[wanted]
}

/** One line that names what is missing and how to get it; undefined: all is there. */
export function missingForEmulation(
  { emulator, libraries, debianPackages }: Emulation,
  has: { program: (name: string) => boolean; file: (path: string) => boolean },
): string | undefined {
  const missing = [
    ...(has.program(emulator) ? [] : [emulator]),
    ...['lib/libc.so.6', 'lib/libstdc++.so.6'].map((file) => `${libraries}/${file}`).filter((path) => !has.file(path)),
  ]
  if (missing.length === 0) return undefined
  return `Missing: ${missing.join(', ')}. On Debian: apt-get install ${debianPackages.join(' ')}`
}

const ELF_MAGIC = 0x7f454c46
const MACHINE_AT = 18

/** Whether a file begins like a program or library of that architecture; both of ours are little-endian. */
export function isElfOf({ elfMachine }: Emulation, head: Buffer): boolean {
  return (
    head.length >= MACHINE_AT + 2 && head.readUInt32BE(0) === ELF_MAGIC && head.readUInt16LE(MACHINE_AT) === elfMachine
  )
}
