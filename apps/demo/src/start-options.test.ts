import { describe, expect, it } from 'vitest'
import { readStartOptions } from './start-options.ts'

describe('the options of npm start', () => {
  it.each([
    { args: [], fresh: false, bots: false },
    { args: ['--fresh'], fresh: true, bots: false },
    { args: ['--bots', '--fresh'], fresh: true, bots: true },
  ])('are read from $args', ({ args, ...options }) => {
    expect(readStartOptions(args)).toEqual(options)
  })

  it.each([[['--help']], [['-h']], [['--fresh', '--help']]])('are shown for %j, and nothing starts', (args) => {
    expect(readStartOptions(args)).toEqual({ says: expect.stringContaining('npm start -- --fresh'), exitCode: 0 })
  })

  it.each([
    { args: ['--frehs'], names: "Unknown option '--frehs'" },
    { args: ['fresh'], names: "Unexpected argument 'fresh'" },
    { args: ['--fresh=yes'], names: '--fresh' },
  ])('$args starts nothing, and is named', ({ args, names }) => {
    expect(readStartOptions(args)).toEqual({ says: expect.stringContaining(names), exitCode: 2 })
  })
})
