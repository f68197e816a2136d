import { describe, expect, it } from 'vitest'
import { createStages } from './stages.ts'

function told(isTerminal: boolean) {
  const written: string[] = []
  let now = 0
  const stages = createStages({
    write: (text) => written.push(text),
    seconds: () => {
      now += 1.25
      return now
    },
    isTerminal,
  })
  return { stages, text: () => written.join('') }
}

describe('the stages of a start', () => {
  it('are one plain line each, as they end, where the output is no terminal', () => {
    const { stages, text } = told(false)
    stages.doing('database')
    stages.doing('chain')
    expect(text()).toBe('')
    stages.done('chain', 'anvil')
    stages.done('database', 'PostgreSQL')
    stages.doing('seeding')
    stages.end()
    expect(text()).toBe('   1.3 s  chain       anvil\n   2.5 s  database    PostgreSQL\n')
  })

  it('say on a terminal what is being done, and take it back', () => {
    const { stages, text } = told(true)
    stages.doing('database')
    stages.doing('chain')
    stages.done('chain', 'anvil')
    stages.end()
    expect(text().split('\r\u001b[K')).toEqual([
      '',
      '   1.3 s  database …',
      '   2.5 s  database, chain …',
      '   3.8 s  chain       anvil\n',
      '   5.0 s  database …',
      '',
    ])
  })
})
