import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './index.ts'
import { findingCodes } from './verify/findings.rules.ts'

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
const program = createProgram(() => {
  throw new Error('nothing is configured')
})

/** The words of every command that does something. */
function commandsOf(command: Command): string[][] {
  return command.commands.flatMap((one) =>
    one.commands.length > 0 ? commandsOf(one).map((rest) => [one.name(), ...rest]) : [[one.name()]],
  )
}

describe('the documents of the command line', () => {
  it('name every command, and none that is gone', () => {
    const documented = page('cli.md')
      .split('\n')
      .filter((line) => line.startsWith('| `tally '))
      .flatMap((line) => {
        const [first = '', ...more] = [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(
          ([, text = '']) => text,
        )
        const words = first.split(' ').slice(1)
        const group = words.length > 1 ? words.slice(0, 1) : []
        return [words, ...more.map((word) => [...group, word])]
      })
    expect(documented.map((words) => words.join(' ')).sort()).toEqual(
      commandsOf(program)
        .map((words) => words.join(' '))
        .sort(),
    )
  })

  it('have every finding of verify, and whether it refuses', () => {
    const rows = [...page('signing.md').matchAll(/^\| `([A-Z_]+)` \| (yes|no) \|/gm)].map(([, code, refuses]) => [
      code,
      refuses,
    ])
    expect(rows).toEqual(Object.entries(findingCodes).map(([code, { refuses }]) => [code, refuses ? 'yes' : 'no']))
  })
})

describe('every command', () => {
  it('has a description, and so has every option of it', () => {
    const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
    for (const command of program.commands.flatMap(all)) {
      expect(command.description(), command.name()).toMatch(/\S/)
      for (const option of command.options)
        expect(option.description, `${command.name()} ${option.flags}`).toMatch(/\S/)
    }
  })

  it('prints JSON on demand where it lists something', () => {
    const lists = commandsOf(program).filter((words) =>
      ['list', 'audit', 'verify', 'doctor'].includes(words.at(-1) ?? ''),
    )
    expect(lists.length).toBeGreaterThan(4)
    for (const words of lists) {
      const command = words.reduce<Command | undefined>(
        (at, word) => at?.commands.find((one) => one.name() === word),
        program,
      )
      expect(
        command?.options.map(({ long }) => long),
        words.join(' '),
      ).toContain('--json')
    }
  })
})
