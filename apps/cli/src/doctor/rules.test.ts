import { parseConfig } from '@tallystick/server/platform'
import { describe, expect, it } from 'vitest'
import { adviseOnChain, adviseOnWorker, type NodeFacts } from './chain.rules.ts'
import { adviseOnDatabase } from './database.rules.ts'
import { adviseOnDisk, adviseOnNodeVersion, adviseOnPort, adviseOnSecrets } from './machine.rules.ts'
import { adviseOnSettings } from './settings.rules.ts'

const now = new Date('2026-03-01T12:00:00Z')
const seconds = now.getTime() / 1000
const states = (found: readonly { state: string; about: string }[]) =>
  found.map(({ state, about }) => `${state} ${about}`)

describe('a machine', () => {
  it.each([
    ['18.20.0', 'wrong'],
    ['20.18.9', 'wrong'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ])('with Node %s is %s', (version, state) => {
    expect(adviseOnNodeVersion(version).state).toBe(state)
  })

  it('runs out of space in two steps', () => {
    const at = (mebibytes: number) => adviseOnDisk('var', mebibytes * 1024 ** 2).state
    expect([at(100), at(1000), at(10_000)]).toEqual(['wrong', 'warning', 'ok'])
  })

  it('is told when another program holds its port', () => {
    const at = (held: 'free' | 'ours' | 'foreign') => adviseOnPort({ setting: 'PORT', port: 8080, held }).state
    expect([at('free'), at('ours'), at('foreign')]).toEqual(['ok', 'ok', 'wrong'])
  })

  it('keeps its keystores from others', () => {
    const [open, missing] = adviseOnSecrets([
      { path: '/keys/a.json', mode: 0o100_644 },
      { path: '/keys/b.json', mode: null },
      { path: '/keys/c.json', mode: 0o100_600 },
    ])
    expect(open).toMatchObject({ state: 'wrong', todo: 'chmod 600 /keys/a.json' })
    expect(missing).toMatchObject({ state: 'wrong', says: '/keys/b.json cannot be read.' })
    expect(states(adviseOnSecrets([{ path: '/keys', mode: 0o40_700 }]))).toEqual(['ok keystores'])
  })
})

describe('settings', () => {
  it('do not lead to the primary where standbys are meant', () => {
    const at = (host: string) => `postgres://tally@${host}/tally`
    const env = { DATABASE_URL: at('pooler'), DATABASE_DIRECT_URL: at('primary'), RPC_URL: 'http://a', HOST: '0.0.0.0' }
    const found = (host: string) => states(adviseOnSettings(parseConfig({ ...env, READ_DATABASE_URL: at(host) })))
    expect([found('standby'), found('primary'), found('pooler')]).toEqual([
      ['ok settings'],
      ['warning settings'],
      ['warning settings'],
    ])
  })
})

describe('a database', () => {
  const good = {
    serverVersion: 170_002,
    now,
    maxConnections: 100,
    schemaVersion: 38,
    schemaNeeds: 0,
    isSuperuser: false,
    missingRoles: [],
    bypassingRoles: [],
    openTables: [],
    cursors: [],
  }
  const around = { ownVersion: 38, now, pool: 20, isEmbedded: false }
  const found = (changed: object, more: object = {}) =>
    states(adviseOnDatabase({ ...good, ...changed }, { ...around, ...more }))

  it('is well', () => {
    expect(found({})).toEqual(['ok database'])
  })

  it.each([
    ['too old', { serverVersion: 150_004 }, 'wrong database'],
    ['too small for one process', { maxConnections: 25 }, 'warning database'],
    ['behind', { schemaVersion: 37 }, 'wrong schema'],
    ['empty', { schemaVersion: 0 }, 'wrong schema'],
    ['ahead', { schemaVersion: 39 }, 'warning schema'],
    ['too far ahead', { schemaVersion: 41, schemaNeeds: 39 }, 'wrong schema'],
    ['without a role', { missingRoles: ['tally_api'] }, 'wrong roles'],
    ['with a role that sees everything', { bypassingRoles: ['tally_api'] }, 'wrong roles'],
    ['with an open table', { openTables: ['instances'] }, 'wrong roles'],
    ['used by a superuser', { isSuperuser: true }, 'warning roles'],
    ['with another clock', { now: new Date(now.getTime() - 9_000) }, 'wrong clock'],
  ])('is %s', (_, changed, expected) => {
    expect(found(changed)).toEqual([expected])
  })

  it('may be ours alone', () => {
    expect(found({ isSuperuser: true }, { isEmbedded: true })).toEqual(['ok database'])
  })
})

describe('a chain', () => {
  const node: NodeFacts = {
    host: 'a',
    chainId: 1,
    fault: null,
    head: { number: 100n, time: seconds - 5 },
    hasFinalityTags: true,
  }
  const around = { promised: 1, now, confirmations: 12, isEmbedded: false }
  const found = (changed: Partial<NodeFacts>, more: object = {}) =>
    states(adviseOnChain([node, { ...node, host: 'b', ...changed }], { ...around, ...more }))

  it.each<[string, Partial<NodeFacts>, string[]]>([
    ['is well', {}, ['ok chain 1']],
    ['has a node that does not answer', { chainId: null, head: null, fault: 'x' }, ['wrong chain 1']],
    ['has a node of another chain', { chainId: 5 }, ['wrong chain 1', 'wrong chain 1']],
    ['has a node without a block', { head: null }, ['wrong chain 1']],
    ['has a node that stands still', { head: { number: 1n, time: seconds - 700 } }, ['warning chain 1']],
    ['is ahead of the clock', { head: { number: 1n, time: seconds + 60 } }, ['wrong clock']],
    ['has no finality', { hasFinalityTags: false }, ['warning chain 1']],
  ])('%s', (_, changed, expected) => {
    expect(found(changed)).toEqual(expected)
  })

  it('has one node only', () => {
    expect(states(adviseOnChain([node], around))).toEqual(['warning chain 1'])
    expect(states(adviseOnChain([node], { ...around, isEmbedded: true }))).toEqual(['ok chain 1'])
  })

  it('is followed, or not', () => {
    const worker = (blockNumber: bigint, agoMs: number) =>
      adviseOnWorker(1, 100n, { blockNumber, movedAt: new Date(now.getTime() - agoMs) }, now)[0]?.state
    expect(worker(98n, 1_000)).toBe('ok')
    expect(worker(100n, 600_000)).toBe('ok')
    expect(worker(98n, 61_000)).toBe('wrong')
    expect(worker(40n, 1_000)).toBe('wrong')
    expect(adviseOnWorker(1, 100n, undefined, now)[0]?.state).toBe('warning')
  })
})
