import { describe, expect, it } from 'vitest'
import { DatabaseUnavailableError } from '../../platform/db/database.ts'
import { createOrderServers, GONE_MS } from './order-servers.ts'

const URLS = ['http://a:1', 'http://b:1', 'http://c:1']
const LANES = Array.from(
  { length: 300 },
  (_, index) => `01a1ee0b-1b8f-7d79-8bfc-${index.toString(16).padStart(12, '0')}`,
)

describe('servers that match for others', () => {
  it('are none unless they are named', () => {
    const servers = createOrderServers([], { elapsed: () => 0 })
    servers.isGone('http://a:1')
    expect([servers.doMatch, servers.nextFor('lane')]).toEqual([false, undefined])
  })

  it('have a part of the lanes each, the same one whoever asks', () => {
    const [one, other] = [0, 1].map(() => createOrderServers(URLS, { elapsed: () => 0 }))
    const shares = URLS.map((url) => LANES.filter((lane) => one?.nextFor(lane) === url).length)
    for (const share of shares) expect(share).toBeGreaterThan(LANES.length / 6)
    expect(LANES.map((lane) => one?.nextFor(lane))).toEqual(LANES.map((lane) => other?.nextFor(lane)))
  })

  it('step in for one that cannot be reached, until it is tried again', () => {
    let now = 0
    const servers = createOrderServers(URLS, { elapsed: () => now })
    const tried: (string | undefined)[] = []
    for (const _ of URLS) {
      const url = servers.nextFor('lane') ?? ''
      tried.push(url)
      servers.isGone(url)
    }
    expect(tried.toSorted()).toEqual(URLS)
    expect(() => servers.nextFor('lane')).toThrow(DatabaseUnavailableError)
    now += GONE_MS
    expect(servers.nextFor('lane')).toBe(tried[0])
  })
})
