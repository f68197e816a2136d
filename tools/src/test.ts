import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { repositoryRoot } from './support/repository.ts'
import { runCommand } from './support/run-command.ts'

// Everything that has to hold, in two lanes: the Solidity compiler keeps one core busy for minutes, and nothing else waits for it.
type Command = [command: string, ...args: string[]]

const CONTRACTS: Command[] = [
  ['npm', 'run', '--silent', 'check', '--', 'storage-layout', 'solidity', 'abi', 'contract-docs', 'gas'],
  // By the same runner on every machine; forge takes half as long again, and is for whoever works on the contracts.
  ['env', 'SOLIDITY_RUNNER=edr', 'npm', 'run', '--silent', 'test:contracts'],
]
const EVERYTHING_ELSE: Command[] = [
  [
    'npm',
    'run',
    '--silent',
    'check',
    '--',
    'licences',
    'packages',
    'platforms',
    'texts',
    'biome',
    'docs',
    'sdk',
    'borders',
    'types',
    'unused',
  ],
  ['npm', 'run', '--silent', 'test:server'],
]

const startedAt = performance.now()
const durations: string[] = []

/** Each in turn until one fails. */
async function inTurn(commands: readonly Command[], run: (command: Command) => Promise<boolean>): Promise<boolean> {
  for (const command of commands) {
    const from = performance.now()
    const passed = await run(command)
    durations.push(`${secondsSince(from)} s  ${command.join(' ').replace('npm run --silent ', '')}`)
    if (!passed) return false
  }
  return true
}

const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(0).padStart(5)

/** Shown as it runs, and behind the compiler: that one cannot share its work, and would be the last to end. */
async function watched([command, ...args]: Command): Promise<boolean> {
  const child = spawn(command, args, { cwd: repositoryRoot, stdio: 'inherit' })
  if (child.pid !== undefined) setPriority(child.pid, 10)
  const [exitCode] = await once(child, 'close')
  return exitCode === 0
}

/** Shown when it is over, so that the lanes do not talk over each other. */
async function aside([command, ...args]: Command): Promise<boolean> {
  const { exitCode, output } = await runCommand(command, args)
  console.log(`\ncontracts: ${[command, ...args].join(' ')}\n${output}\n`)
  return exitCode === 0
}

const passed = await Promise.all([inTurn(CONTRACTS, aside), inTurn(EVERYTHING_ELSE, watched)])
console.log(`\n${durations.join('\n')}\n${secondsSince(startedAt)} s  in all, two lanes side by side`)
process.exitCode = passed.every(Boolean) ? 0 : 1
