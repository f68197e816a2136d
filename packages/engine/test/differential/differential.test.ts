import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../src/journal/canonical-text.ts'
import { runDifferential } from './run.ts'

// As many as found the faults that were put into the engine by hand; `npm run test:soak -- engine` draws a million.
const SEEDS = [1, 2]
const COMMANDS = 10_000

describe('the engine beside the naive book', () => {
  it.each(SEEDS)('does the same for 10,000 drawn commands, seed %i', (seed) => {
    const { differences, script, commands } = runDifferential({ dice: seededRandom(seed), commands: COMMANDS })
    const shown = differences.length === 0 ? [] : [...differences, ...script.slice(-5).map(canonicalText)]
    expect(shown).toEqual([])
    expect(commands).toBe(COMMANDS)
  })
})
