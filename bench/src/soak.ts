import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseSoaks, type SoakPart } from './soak/parts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tsx = join(root, 'node_modules/.bin/tsx')
const COMMANDS: Record<SoakPart, { says: string; commands: [string, ...string[]][] }> = {
  contracts: {
    says: 'every fuzz test 10,000 times, every invariant in 10,000 runs of 32 calls',
    commands: [['npm', 'run', '--silent', 'soak', '-w', 'contracts', '--']],
  },
  model: {
    says: 'model and contracts side by side over 100,000 steps',
    commands: [
      ['npm', 'run', '--silent', 'build', '-w', 'contracts'],
      [tsx, 'bench/src/lending-model-soak.ts'],
    ],
  },
  http: {
    says: 'kill -9 of every part of a deployment while clients write',
    commands: [[tsx, 'bench/src/soak-http.ts']],
  },
  engine: {
    says: 'the matching engine beside the slow obvious book over 1,000,000 commands',
    commands: [[tsx, 'bench/src/engine-soak.ts']],
  },
  orders: {
    says: 'kill -9 of two servers that share one database, while orders flow',
    commands: [[tsx, 'bench/src/trading-crash-soak.ts']],
  },
  lanes: {
    says: 'owners, commits and projections of a ledger in 10,000 simulated worlds that delay, lose, kill and pause',
    commands: [[tsx, 'bench/src/lane-soak.ts']],
  },
  processes: {
    says: 'starts that fail or are those of an ordinary user, whole deployments that are killed, restored and come back, the demo over days, a built tree, the tour on a node that lags, clients of the whole document, and a write added by its template',
    commands: [[join(root, 'node_modules/.bin/vitest'), 'run', '--mode', 'slow']],
  },
  alarms: {
    says: 'an hour of the demo with bots, in which the invariant monitor must say nothing, and a robbery, of which it must',
    commands: [[tsx, 'bench/src/alarm-soak.ts']],
  },
  chain: {
    says: 'a chain as old as a week on each engine: its size, and how long it takes to start again',
    commands: [[tsx, 'bench/src/chain-soak.ts']],
  },
  platforms: {
    says: 'the embedded database and node with the packages of the other architecture, emulated',
    commands: [[tsx, 'bench/src/platforms-soak.ts']],
  },
  cluster: {
    says: 'the reference deployment, broken in every way that it has to survive; needs root and Debian',
    commands: [[tsx, 'bench/src/cluster-soak.ts']],
  },
}

function run(part: SoakPart, options: string[]): boolean {
  const { says, commands } = COMMANDS[part]
  console.log(`\n${part}: ${says}`)
  const startedAt = performance.now()
  const passed = commands.every(([command, ...args], index) => {
    // What a part is given is for its last command; the ones before only prepare.
    const all = index === commands.length - 1 ? [...args, ...options] : args
    return spawnSync(command, all, { cwd: root, stdio: 'inherit' }).status === 0
  })
  console.log(`${part} ${passed ? 'ok' : 'FAILED'} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  return passed
}

const chosen = chooseSoaks(process.argv.slice(2))
if ('fault' in chosen) {
  console.error(chosen.fault)
  process.exitCode = 2
} else {
  const failed = chosen.parts.filter((part) => !run(part, chosen.options))
  process.exitCode = failed.length === 0 ? 0 : 1
}
