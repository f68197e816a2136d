import { existsSync } from 'node:fs'
import { installedTool } from '../support/run-command.ts'

export type Runner = 'forge' | 'edr'

/** SOLIDITY_RUNNER where it is set; otherwise forge where npm could install it, which is not on every platform. */
export function chooseRunner(
  wanted = process.env.SOLIDITY_RUNNER ?? '',
  hasForge = existsSync(installedTool('forge')),
): Runner {
  if (wanted === '') return hasForge ? 'forge' : 'edr'
  if (wanted !== 'forge' && wanted !== 'edr') throw new Error(`SOLIDITY_RUNNER is forge or edr, not ${wanted}`)
  if (wanted === 'forge' && !hasForge) throw new Error('SOLIDITY_RUNNER=forge: there is no forge for this platform')
  return wanted
}

/** Nothing that only forge can do is left out without a word. */
export const skippedWithoutForge = (...commands: string[]): string => `skipped without forge: ${commands.join(', ')}`
