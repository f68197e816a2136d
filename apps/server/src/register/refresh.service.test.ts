import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileOf, provider } from '../../test/register/lines.ts'
import { createRegisterWorld, type RegisterWorld } from '../../test/register/register-world.ts'
import { connectSuperuser } from '../../test/superuser.ts'
import { createLog } from '../platform/log.ts'
import { systemRandom } from '../platform/random.ts'
import { startRefreshJob } from './refresh.job.ts'
import { createRegisterRefresh } from './refresh.service.ts'

const HOUR_MS = 60 * 60 * 1000
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => provider({ ae_lei_name: `Entity ${index}` }))

describe('keeping the register fresh', () => {
  let register: RegisterWorld
  let publisher: Server
  let address = ''
  let asked: IncomingMessage['headers'][] = []
  let answer: (response: ServerResponse, request: IncomingMessage) => void

  beforeEach(async () => {
    register = await createRegisterWorld()
    asked = []
    publisher = createServer((request, response) => {
      asked.push(request.headers)
      answer(response, request)
    })
    await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/files/CASPS.csv`
  })
  afterEach(async () => {
    publisher.closeAllConnections()
    await new Promise((resolve) => publisher.close(resolve))
    await register.world.close()
  })

  const never = new AbortController().signal
  const create = (maxBytes = 1_000_000, timeoutMs = 60_000) =>
    createRegisterRefresh(
      { database: register.world.database, clock: register.world.clock, random: systemRandom },
      { addresses: [address], intervalMs: HOUR_MS, timeoutMs, maxBytes },
    )
  const outcome = async (maxBytes?: number, timeoutMs?: number) => {
    register.world.clock.advance(HOUR_MS)
    const [report] = await create(maxBytes, timeoutMs)(never)
    return report?.reason ?? report?.outcome
  }
  const publish = (count: number, headers: Record<string, string> = {}) => {
    answer = (response, request) => {
      const known = headers['last-modified'] && request.headers['if-modified-since'] === headers['last-modified']
      response.writeHead(known ? 304 : 200, headers).end(known ? '' : fileOf('CASPS', rows(count)))
    }
  }

  it('imports what is new, and asks only whether anything is', async () => {
    publish(3, { 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT', etag: '"one"' })
    expect(await outcome()).toBe('imported')
    expect(await outcome()).toBe('unchanged')
    expect(asked[0]).not.toHaveProperty('if-modified-since')
    expect(asked[1]).toMatchObject({ 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT', 'if-none-match': '"one"' })
    publish(4, { 'last-modified': 'Sat, 03 Jan 2026 03:04:05 GMT' })
    expect(await outcome()).toBe('imported')
    const { files } = (await register.get('/health')).body.data
    expect(files[0]).toMatchObject({
      source: address,
      sourceDate: '2026-01-03T03:04:05.000Z',
      entities: 4,
      lastFailure: null,
    })
    expect(files[0].checkedAt >= files[0].importedAt).toBe(true)
  })

  it('asks for the whole file again when an older release read it', async () => {
    publish(3, { 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT' })
    expect(await outcome()).toBe('imported')
    const superuser = connectSuperuser(register.world.databaseUrl)
    await superuser`update register_imports set reading = reading - 1`
    await superuser.end()
    expect([await outcome(), await outcome()]).toEqual(['imported', 'unchanged'])
    expect(asked[1]).not.toHaveProperty('if-modified-since')
    expect(asked[2]).toHaveProperty('if-modified-since')
  })

  it('takes the same bytes for unchanged when the publisher knows no dates', async () => {
    publish(3)
    expect([await outcome(), await outcome()]).toEqual(['imported', 'unchanged'])
    expect((await register.get('/changes')).body.data).toHaveLength(3)
  })

  it('looks at an address once per interval, however many workers there are', async () => {
    publish(3)
    const reports = await Promise.all([create()(never), create()(never), create()(never)])
    expect(reports.flat()).toHaveLength(1)
    expect(asked).toHaveLength(1)
    expect(await create()(never)).toEqual([])
  })

  it('records every way a download fails, keeps the data, and asks for everything the next time', async () => {
    publish(3, { 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT' })
    expect(await outcome()).toBe('imported')
    answer = (response) => response.writeHead(403).end('no')
    expect(await outcome()).toBe('the server answered 403')
    answer = () => undefined
    expect(await outcome(undefined, 500)).toBe('no whole answer within 500 ms')
    answer = (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await outcome()).toMatch(/^it cannot be fetched/)
    answer = (response) => response.end(fileOf('CASPS', rows(50)))
    expect(await outcome(2_000)).toBe('it is larger than 2000 bytes')
    answer = (response) => response.end('<html>')
    expect(await outcome()).toMatch(/header/)
    expect(asked.at(-1)).not.toHaveProperty('if-modified-since')
    const { files, totalIssuers } = (await register.get('/health')).body.data
    expect(totalIssuers).toBe(3)
    expect(files[0].lastFailure).toMatchObject({ source: address, reason: expect.stringMatching(/header/) })
    publisher.closeAllConnections()
    await new Promise((resolve) => publisher.close(resolve))
    expect(await outcome()).toMatch(/ECONNREFUSED/)
    publisher = createServer().listen(0)
  })

  it('is a job that looks at once when it starts', async () => {
    publish(3)
    const job = startRefreshJob({ refresh: create(), log: createLog({ level: 'silent' }) })
    const filled = async () => (await register.get('/health')).body.data.totalIssuers === 3
    while (!(await filled())) await new Promise((resolve) => setTimeout(resolve, 20))
    await job.stop()
    expect(asked).toHaveLength(1)
  })

  it('stops in the middle of a download without calling it a failure', async () => {
    answer = () => undefined
    const stopping = new AbortController()
    const running = create()(stopping.signal)
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stopping.abort()
    await expect(running).rejects.toThrow()
    expect((await register.get('/health')).body.data.lastFailure).toBeNull()
  })
})
