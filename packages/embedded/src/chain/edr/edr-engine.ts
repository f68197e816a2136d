import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installedEdr, isInstalled } from '../../platform-binaries.ts'
import { residentBytes } from '../../process-inspection.ts'
import type { ChainEngine, NodeArguments } from '../engine.ts'
import { placeFile } from '../place-file.ts'
import { accountsOf } from './accounts.ts'
import { dropTornLine, isUsable, listSegments, segmentFile, setAside } from './segments.ts'

/**
 * Of the engine's allocator: otherwise every thread keeps what its costliest call took, some hundred megabytes each. A chain in memory lives
 * for minutes and answers its own tests; there a sixth of its time would go into giving memory back.
 */
const givesMemoryBack = { MIMALLOC_PURGE_DELAY: '0' }
const OUTGROWN_BYTES = 1024 * 1024 * 1024

let built = fileURLToPath(new URL('./main.js', import.meta.url))

/**
 * For tests, which start so many nodes that they build one first: a node of another tree.
 * @public
 */
export function startNodesFrom(program: string): void {
  built = program
}

/** A built tree has the node as JavaScript; among the sources tsx runs it, which takes twice as long to start. */
function nodeProgram(): string[] {
  if (existsSync(built)) return [built]
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', loader, fileURLToPath(new URL('./main.ts', import.meta.url))]
}

function nodeArguments(node: NodeArguments): string[] {
  const given: [flag: string, value: string | number | undefined][] = [
    ['--host', '127.0.0.1'],
    ['--port', node.port],
    ['--chain-id', node.chainId],
    ['--timestamp', node.startsAt],
    ['--state', node.folder],
    ['--block-time', node.blockTimeSeconds],
    ['--gas-limit', node.gasLimit],
  ]
  return given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]))
}

export const edr: ChainEngine = {
  name: 'edr',
  isInstalled: () => isInstalled(installedEdr),
  command: (node) => ({
    binary: process.execPath,
    args: [...nodeProgram(), ...nodeArguments(node)],
    env: {
      // Not among the arguments, which every user of the machine can read.
      CHAIN_ACCOUNTS: JSON.stringify(accountsOf(node.mnemonic, node.accounts)),
      ...(node.folder === undefined ? {} : givesMemoryBack),
    },
  }),
  isNode: (command, folder) =>
    /\/chain\/edr\/main[.][jt]s --host /.test(command) &&
    (folder === undefined || `${command} `.includes(` --state ${folder} `)),
  hasChain: (folder) => listSegments(folder).length > 0,
  restore(folder) {
    const segments = listSegments(folder)
    const newest = segments.at(-1)
    if (newest === undefined) return { restoration: 'fresh' }
    // A segment is written whole or not at all: one that is not was damaged by something else.
    const damaged = segments.filter((segment) => !isUsable(folder, segment))
    for (const segment of damaged) setAside(folder, segment)
    const last = listSegments(folder).at(-1)
    if (last === undefined) return { restoration: 'lost' }
    dropTornLine(folder, last)
    return { restoration: damaged.includes(newest) ? 'previous' : 'kept' }
  },
  // Its files are bounded by themselves. Its memory grows with what was read through it.
  hasOutgrown: (_folder, pid) => residentBytes(pid) > OUTGROWN_BYTES,
  place: (folder, dump) => placeFile(segmentFile(folder, 1), dump),
}
