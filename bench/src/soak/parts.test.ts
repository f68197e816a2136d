import { describe, expect, it } from 'vitest'
import { chooseSoaks } from './parts.ts'

describe('choosing soaks', () => {
  it('takes all of them when none is named', () => {
    expect(chooseSoaks([])).toEqual({
      parts: [
        'contracts',
        'model',
        'http',
        'engine',
        'orders',
        'lanes',
        'processes',
        'alarms',
        'chain',
        'platforms',
        'cluster',
      ],
      options: [],
    })
  })

  it('takes the named ones, and gives a single one its options', () => {
    expect(chooseSoaks(['http', 'model'])).toEqual({ parts: ['http', 'model'], options: [] })
    expect(chooseSoaks(['http', '--trials', '50'])).toEqual({ parts: ['http'], options: ['--trials', '50'] })
  })

  it('refuses a part that does not exist', () => {
    expect(chooseSoaks(['htpp'])).toEqual({
      fault:
        'The parts are contracts, model, http, engine, orders, lanes, processes, alarms, chain, platforms, cluster; not: htpp',
    })
  })

  it('refuses options that could be for several parts', () => {
    expect(chooseSoaks(['--seed', '7'])).toEqual({
      fault: 'Options are for one part: npm run test:soak -- http --seed 7',
    })
    expect(chooseSoaks(['http', 'model', '--seed', '7'])).toHaveProperty('fault')
  })
})
