import { describe, expect, it } from 'vitest'
import { chooseSuite, missingPrograms, type Suite } from './suites.ts'

describe('suites that need programs of the system', () => {
  const suite: Suite = {
    mode: 'ops',
    says: 'whatever',
    needs: [
      { program: 'pgbouncer', debianPackage: 'pgbouncer' },
      { program: 'valkey-server', debianPackage: 'valkey' },
    ],
  }

  it('name each program that is missing, and how to install it', () => {
    expect(missingPrograms(suite, () => true)).toEqual([])
    expect(missingPrograms(suite, (program) => program === 'pgbouncer')).toEqual([
      'test:ops needs valkey-server: apt-get install valkey',
    ])
    expect(missingPrograms(suite, () => false)).toHaveLength(2)
  })

  it('are known by name', () => {
    expect(chooseSuite('browser')).toMatchObject({ mode: 'browser', needs: [{ program: 'chromium' }] })
    expect(chooseSuite('ops')).toMatchObject({
      mode: 'ops',
      needs: [{ program: 'pgbouncer' }, { program: 'redis-server' }, { program: 'promtool' }, { program: 'git' }],
    })
    expect(chooseSuite('slow')).toEqual({ fault: 'The suites are browser, ops; not: slow' })
    expect(chooseSuite(undefined)).toHaveProperty('fault')
  })
})
