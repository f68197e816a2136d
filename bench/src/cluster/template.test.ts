import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configurations } from './places.ts'
import { fillTemplate, parseEnv } from './template.ts'

describe('configuration files of the cluster', () => {
  it('are filled, and a name without a value or a value without a place is told', () => {
    expect(fillTemplate('a = {{one}}, {{two}}, {{one}}', { one: 1, two: 'b' })).toBe('a = 1, b, 1')
    expect(() => fillTemplate('{{one}}', {})).toThrow('nothing fills {{one}}')
    expect(() => fillTemplate('one', { one: 1 })).toThrow('no place for one')
  })

  it('hold no password: whoever copies them has to choose', () => {
    const files = readdirSync(configurations).filter((name) => name !== 'README.md')
    expect(files.sort()).toEqual([
      'etcd.yml',
      'haproxy.cfg',
      'patroni.yml',
      'pgbouncer.ini',
      'service.env',
      'valkey.conf',
    ])
    for (const file of files)
      for (const line of readFileSync(join(configurations, file), 'utf8').split('\n'))
        for (const [, value] of line.matchAll(/(?:password|SECRET)\s*[:=]\s*'?([^\s,}']+)/g))
          expect(value).toMatch(/^\{\{\w+$/)
  })

  it('let a machine of the database ask itself for its timeline, or an old primary would never follow the new one', () => {
    const rules = readFileSync(join(configurations, 'patroni.yml'), 'utf8')
    expect(rules).toMatch(/^ +- host replication replicator 127\.0\.0\.1\/32 scram-sha-256$/m)
  })

  it('of the service are read line by line', () => {
    expect(parseEnv('# why\nA=1\n\nB=x=y\n')).toEqual({ A: '1', B: 'x=y' })
  })
})
