import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Emulation, isElfOf } from './architectures.ts'

export type ForeignCheckout = {
  root: string
  /** Runs a script of the checkout with the other architecture's Node; whether it ended well. */
  node: (...args: string[]) => boolean
  remove: () => void
}

/** The oldest Node that we support: what runs there runs on newer ones. */
const NODE_VERSION = '20.19.0'
const NOT_COPIED = new Set(['node_modules', '.git', 'var', 'out', 'cache'])
function npm(folder: string, args: string[]): void {
  if (
    spawnSync('npm', [...args, '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).status !==
    0
  )
    throw new Error(`npm ${args.join(' ')} failed in ${folder}`)
}

function startsLike(file: string, emulation: Emulation): boolean {
  const head = Buffer.alloc(20)
  const opened = openSync(file, 'r')
  const length = readSync(opened, head, 0, head.length, 0)
  closeSync(opened)
  return isElfOf(emulation, head.subarray(0, length))
}

/** Programs, not libraries: those are loaded by programs that are emulated already. */
function programsBelow(folder: string, emulation: Emulation): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(node|so)(\.\d+)*$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => (statSync(file).mode & 0o111) !== 0 && startsLike(file, emulation))
}

/**
 * The kernel would refuse a program of the other architecture, so a script in its place hands it to the emulator. The program itself
 * moves to the folder beside, under its own name: it finds its libraries as before, and is still known by its command line.
 */
function putBehindEmulator(program: string, emulator: string, libraries: string): void {
  const folder = `${dirname(program)}.emulated`
  mkdirSync(folder, { recursive: true })
  renameSync(program, join(folder, basename(program)))
  writeFileSync(program, `#!/bin/sh\nexec ${emulator} -L ${libraries} -0 "$0" "\${0%/*}.emulated/\${0##*/}" "$@"\n`)
  chmodSync(program, 0o755)
}

/**
 * A copy of this checkout with the packages of another architecture, and a Node for it. Nothing has to be registered with the
 * kernel: every program is a script that starts the emulator, so that programs can start each other as usual.
 */
export function createForeignCheckout(from: string, emulation: Emulation, emulator: string): ForeignCheckout {
  const root = mkdtempSync(join(tmpdir(), `tallystick-${emulation.arch}-`))
  // The database may run as another user.
  chmodSync(root, 0o755)
  const remove = () => rmSync(root, { recursive: true, force: true })
  try {
    cpSync(from, root, { recursive: true, filter: (path) => path === from || !NOT_COPIED.has(basename(path)) })
    const platform = ['--os=linux', `--cpu=${emulation.arch}`, '--libc=glibc']
    npm(root, ['ci', ...platform])
    const nodePackage = `node-linux-${emulation.arch}`
    const nodeFolder = join(root, 'var/node')
    mkdirSync(nodeFolder, { recursive: true })
    // npm takes a package of another platform as an optional one only.
    const manifest = { private: true, optionalDependencies: { [nodePackage]: NODE_VERSION } }
    writeFileSync(join(nodeFolder, 'package.json'), JSON.stringify(manifest))
    npm(nodeFolder, ['install', ...platform])

    const programs = [nodeFolder, join(root, 'node_modules')].flatMap((folder) => programsBelow(folder, emulation))
    for (const program of programs) putBehindEmulator(program, emulator, emulation.libraries)

    const bin = join(nodeFolder, 'node_modules', nodePackage, 'bin')
    // Node starts its own kind by the path that the emulator was given.
    const preload = join(nodeFolder, 'own-path.cjs')
    writeFileSync(preload, `process.execPath = ${JSON.stringify(join(bin, 'node'))}\n`)
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NODE_OPTIONS: `--require ${preload}` }
    const node = (...args: string[]) =>
      spawnSync(join(bin, 'node'), args, { cwd: root, env, stdio: 'inherit' }).status === 0
    return { root, node, remove }
  } catch (error) {
    remove()
    throw error
  }
}
