import type { Config } from '@tallystick/server/platform'
import type { Command } from 'commander'
import { type ListingOptions, listing, print, wantsTable } from '../print.ts'
import type { Advice } from './advice.rules.ts'
import { examine } from './examine.ts'

const marks = { ok: 'ok', warning: 'warn', wrong: 'WRONG' } as const

function reportText(found: readonly Advice[]): string {
  const width = Math.max(...found.map(({ about }) => about.length))
  const lines = found.map(({ state, about, says, todo }) => {
    const line = `${marks[state].padEnd(5)}  ${about.padEnd(width)}  ${says}\n`
    return todo === null ? line : `${line}${' '.repeat(9 + width)}${todo}\n`
  })
  const count = (state: Advice['state']) => found.filter((one) => one.state === state).length
  const end =
    count('wrong') > 0
      ? `${count('wrong')} wrong, ${count('warning')} to look at.`
      : count('warning') > 0
        ? `Nothing is wrong, ${count('warning')} to look at.`
        : 'Nothing is wrong.'
  return `${lines.join('')}\n${end}\n`
}

export function addDoctorCommand(program: Command, readConfig: () => Config): void {
  listing(
    program
      .command('doctor')
      .description('What is wrong with this deployment, and what to do about it; fails when something is'),
  ).action(async (options: ListingOptions) => {
    const found = await examine(readConfig)
    if (wantsTable(options)) process.stdout.write(reportText(found))
    else print(found)
    if (found.some(({ state }) => state === 'wrong')) process.exitCode = 1
  })
}
