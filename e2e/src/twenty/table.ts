import { paint } from '../tour/paint.ts'
import { short, shortPath } from '../tour/print.ts'
import type { Outcome } from './try-endpoint.ts'

const colours = { read: 'cyan', build: 'cyan', confirm: 'green', refused: 'yellow', failed: 'red' } as const

const ms = (milliseconds: number): string => `${milliseconds.toFixed(0)} ms`.padStart(8)

export const header = `  ${'leg'.padEnd(8)} ${'status'} ${'time'.padStart(8)}  what came back`

/** The number, the endpoint, and a line for each of its legs. */
export function linesOf({ endpoint: { number, name }, rows }: Outcome): string[] {
  const [first] = rows
  const where = first ? `${first.method} ${shortPath(first.path)}` : ''
  return [
    `${paint('bold', `${number.padEnd(5)} ${name}`)}  ${paint('dim', where)}`,
    ...rows.map(
      ({ leg, status, milliseconds, answer }) =>
        `  ${paint(colours[leg], leg.padEnd(8))} ${String(status).padEnd(6)} ${ms(milliseconds)}  ${short(answer)}`,
    ),
  ]
}
