import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type GasPeers,
  type GasRow,
  gasDifferences,
  gasRows,
  inThousands,
  missedBars,
  TRANSACTION_GAS,
} from './gas/figures.ts'
import { commitMeasuredGas, measureGas, readCommittedGas } from './gas/snapshots.ts'

const { values: options } = parseArgs({
  options: {
    /** Only says what differs from the committed figures, and which bars are missed. */
    check: { type: 'boolean', default: false },
    /** Renews the committed figures. */
    write: { type: 'boolean', default: false },
  },
})
const peersFile = new URL('../peers.json', import.meta.url)
const { gas: peers } = JSON.parse(readFileSync(peersFile, 'utf8')) as { gas: GasPeers & { how: string } }

function table(rows: readonly GasRow[]): string {
  const line = (cells: string[], rest: string) =>
    `${cells.map((cell, i) => (i ? cell.padStart(13) : cell.padEnd(30))).join('')}  ${rest}`
  const shown = (gas: number | undefined) => (gas === undefined ? '' : inThousands(gas))
  const without = (gas: number | undefined) => shown(gas === undefined ? undefined : gas - TRANSACTION_GAS)
  const head = line(
    ['operation', 'first', 'repeat', 'first - 21k', 'repeat - 21k', 'bar', ...peers.peers],
    'what of theirs is counted',
  )
  const body = rows.map(({ name, theirs, gas, peers: figures, bar, missed }) =>
    line(
      [
        name,
        shown(gas.first),
        shown(gas.repeat),
        without(gas.first),
        without(gas.repeat),
        shown(bar),
        ...peers.peers.map((_, i) => shown(figures[i])),
      ],
      `${theirs}${missed.length > 0 ? '  MISSED' : ''}`,
    ),
  )
  return [head, ...body].join('\n')
}

const measured = measureGas()
const rows = gasRows(measured, peers)
const differences = gasDifferences(readCommittedGas(), measured)
const missed = missedBars(rows)
if (!options.check) console.log(`${peers.how}\n\n${table(rows)}\n`)
for (const line of differences) console.log(`gas differs: ${line}`)
for (const line of missed) console.log(`bar missed: ${line}`)
if (options.write) commitMeasuredGas()
else if (differences.length > 0) console.log('npm run bench:gas -- --write renews contracts/snapshots.')
process.exitCode = missed.length > 0 || (options.check && differences.length > 0) ? 1 : 0
