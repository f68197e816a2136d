import type { Command } from 'commander'
import { type Column, tableOf } from './table.ts'

/** Prints what a command answers: JSON, so that scripts can use it. */
export function print(value: unknown): void {
  const plain = (_name: string, field: unknown) => (typeof field === 'bigint' ? field.toString() : field)
  process.stdout.write(`${JSON.stringify(value, plain, 2)}\n`)
}

export interface ListingOptions {
  readonly json?: boolean
  readonly table?: boolean
}

/** A command that lists something: a table for people, JSON for programs. */
export const listing = (command: Command): Command =>
  command
    .option('--json', 'JSON; the default where the output is no terminal')
    .option('--table', 'a table; the default on a terminal')

export const wantsTable = ({ json, table }: ListingOptions): boolean =>
  !json && (table === true || process.stdout.isTTY === true)

/** Prints rows as whoever called can use them best. */
export function printRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: ListingOptions,
  none: string,
): void {
  if (!wantsTable(options)) print(rows)
  else process.stdout.write(rows.length === 0 ? `${none}\n` : tableOf(rows, columns))
}
