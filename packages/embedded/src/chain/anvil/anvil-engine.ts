import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { installedAnvil, isInstalled } from '../../platform-binaries.ts'
import type { ChainEngine } from '../engine.ts'
import { placeFile } from '../place-file.ts'
import { nodeArguments } from './command-line.ts'
import { dumpIntervalSeconds, keepCopies } from './state-copies.ts'
import { LARGE_BYTES, restoreState } from './state-file.ts'

export const anvilStateFile = (folder: string): string => join(folder, 'state.json')

const bytesOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0)

export const anvil: ChainEngine = {
  name: 'anvil',
  isInstalled: () => isInstalled(installedAnvil),
  command: ({ folder, ...node }) => {
    const stateFile = folder === undefined ? undefined : anvilStateFile(folder)
    return {
      binary: installedAnvil(),
      args: nodeArguments({ ...node, ...(stateFile ? { stateFile, stateBytes: bytesOf(stateFile) } : {}) }),
    }
  },
  isNode: (command, folder) =>
    /(^|\/)anvil --host /.test(command) &&
    (folder === undefined || `${command} `.includes(` --state ${anvilStateFile(folder)} `)),
  hasChain: (folder) => existsSync(anvilStateFile(folder)) || existsSync(`${anvilStateFile(folder)}.previous`),
  restore: (folder) => restoreState(anvilStateFile(folder)),
  accompany: (folder) => keepCopies(anvilStateFile(folder), dumpIntervalSeconds(bytesOf(anvilStateFile(folder)))),
  // It dumps its whole chain every few seconds, and takes as long to start as its dump is large.
  hasOutgrown: (folder) => bytesOf(anvilStateFile(folder)) > LARGE_BYTES,
  place: (folder, dump) => placeFile(anvilStateFile(folder), dump),
}
