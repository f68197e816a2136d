import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { installedTool } from '../support/run-command.ts'
import type { TestCounts } from './suite-report.ts'

export type ForgeRun = { exitCode: number; counts?: TestCounts }

/** Runs forge and shows what it says. forge looks for its compiler relative to the working directory. */
export async function runForge(args: string[], contractsFolder: string): Promise<ForgeRun> {
  const forge = spawn(installedTool('forge'), args, { cwd: contractsFolder, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  forge.stdout.on('data', (chunk: Buffer) => {
    said += chunk
    process.stdout.write(chunk)
  })
  const [exitCode] = (await once(forge, 'close')) as [number | null]
  const counts = forgeCounts(said)
  return { exitCode: exitCode ?? 1, ...(counts === undefined ? {} : { counts }) }
}

/** From the last line of a run; of a run of one suite, too. */
export function forgeCounts(said: string): TestCounts | undefined {
  const [, passed, failed, skipped] = /: (\d+) tests passed, (\d+) failed, (\d+) skipped/.exec(uncoloured(said)) ?? []
  if (passed === undefined) return undefined
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal start with one.
const uncoloured = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, '')
