import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { repositoryRoot } from './support/repository.ts'
import { runCommand } from './support/run-command.ts'

// Everything that has to hold, in two lanes: tests leave the processors idle now and then, and checks and compiler take what is left.
type Command = [command: string, ...args: string[]]

const check = (...names: string[]): Command => ['npm', 'run', '--silent', 'check', '--', ...names]

const TESTS: Command = ['npm', 'run', '--silent', 'test:server']
const BESIDE: Command[] = [
  check('licences', 'packages', 'platforms', 'texts', 'biome', 'docs', 'sdk', 'borders', 'types', 'unused'),
  check('storage-layout', 'solidity', 'abi', 'contract-docs', 'gas'),
  ['npm', 'run', '--silent', 'test:contracts'],
]
/** About half as urgent: first in line, they would keep the tests from the processors for minutes, which these leave idle later. */
const GIVES_WAY = 3

const startedAt = performance.now()
const durations: string[] = []

const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(0).padStart(5)

async function timed(command: Command, run: (command: Command) => Promise<boolean>): Promise<boolean> {
  const from = performance.now()
  const passed = await run(command)
  durations.push(`${secondsSince(from)} s  ${command.join(' ').replace('npm run --silent ', '')}`)
  return passed
}

/** Shown as it runs. */
async function watched([command, ...args]: Command): Promise<boolean> {
  const child = spawn(command, args, { cwd: repositoryRoot, stdio: 'inherit' })
  const [exitCode] = await once(child, 'close')
  return exitCode === 0
}

/** Shown when it is over, so that the lanes do not talk over each other. */
async function aside([command, ...args]: Command): Promise<boolean> {
  const { exitCode, output } = await runCommand(command, args)
  console.log(`\n${[command, ...args].join(' ')}\n${output}\n`)
  return exitCode === 0
}

/** Each in turn until one fails. */
async function inTurn(commands: readonly Command[]): Promise<boolean> {
  for (const command of commands) if (!(await timed(command, aside))) return false
  return true
}

const testing = timed(TESTS, watched)
// Whatever is started from here on inherits it.
setPriority(GIVES_WAY)
const passed = await Promise.all([testing, inTurn(BESIDE)])
console.log(`\n${durations.join('\n')}\n${secondsSince(startedAt)} s  in all, two lanes side by side`)
process.exitCode = passed.every(Boolean) ? 0 : 1
