import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { repositoryRoot } from './repository.ts'

export type CommandResult = { exitCode: number; output: string }

/** Where npm links the command line tools of this repository. */
export const installedTool = (name: string): string => join(repositoryRoot, 'node_modules/.bin', name)

/**
 * The environment of a program of node's that reads all sources, with what its user wants of node: most of what it makes is garbage soon, and where
 * there is room for it, less has to be collected.
 */
export const roomyNode = (): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: [process.env.NODE_OPTIONS, '--max-semi-space-size=64'].filter(Boolean).join(' '),
})

/** Runs a command to its end; stdout and stderr come back as one text, in the order of arrival. */
export function runCommand(
  command: string,
  args: string[],
  cwd = repositoryRoot,
  env: Record<string, string> = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const whole = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env }
    const child = spawn(command, args, { cwd, env: whole, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve({ exitCode: 1, output: `${command}: ${error.message}` }))
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString('utf8').trim() }))
  })
}
