import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRoot, kill9, nobody, openFolder, query, startInChild, stopAfterTest } from '../../test/scenario.ts'
import { freePort, processCommand, startPostgres } from '../index.ts'
import { isReachableBy } from './system-user.ts'

const remember = "create table note (text text); insert into note values ('kept')"
const recall = 'select text from note'

describe('startPostgres', { timeout: 60_000 }, () => {
  it('makes a UTF-8 database on the first start and listens on the loopback address only', async () => {
    const dataDir = join(openFolder(), 'data')
    const server = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    const [settings] = await query(
      server.url,
      `select current_setting('server_version') version, current_setting('server_encoding') encoding,
        datcollate, current_setting('listen_addresses') listens, current_setting('unix_socket_directories') sockets,
        current_setting('fsync') fsync, current_setting('max_connections') connections
       from pg_database where datname = current_database()`,
    )
    expect(settings).toMatchObject({ encoding: 'UTF8', datcollate: 'C', listens: '127.0.0.1', sockets: '' })
    expect(settings).toMatchObject({ fsync: 'on', connections: '200' })
    expect(settings?.version).toMatch(/^18\./)
    expect(statSync(`${dataDir}.password`).mode & 0o777).toBe(0o600)
    await expect(query(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/)
  })

  it('keeps the data from one start to the next', async () => {
    const dataDir = join(openFolder(), 'data')
    const first = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    await query(first.url, remember)
    await first.stop()
    expect(processCommand(first.pid)).toBeUndefined()
    const second = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    expect(await query(second.url, recall)).toEqual([{ text: 'kept' }])
  })

  it('passes settings on and turns durability off for throw-away databases', async () => {
    const dataDir = join(openFolder(), 'data')
    const server = stopAfterTest(await startPostgres({ dataDir, durable: false, settings: { work_mem: '7MB' } }))
    expect(await query(server.url, 'show work_mem')).toEqual([{ work_mem: '7MB' }])
    expect(await query(server.url, 'show fsync')).toEqual([{ fsync: 'off' }])
  })

  it('takes over from a server whose parent was killed', async () => {
    const dataDir = join(openFolder(), 'data')
    const { child, reported } = await startInChild('postgres', dataDir, 'wait')
    await query(reported.url, remember)
    await kill9(child)
    expect(processCommand(reported.pid)).toContain(dataDir)
    const server = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    expect(processCommand(reported.pid)).toBeUndefined()
    expect(await query(server.url, recall)).toEqual([{ text: 'kept' }])
  })

  it('leaves a server alone whose parent is still running', async () => {
    const dataDir = join(openFolder(), 'data')
    const running = stopAfterTest(await startPostgres({ dataDir, durable: false }))
    await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow(`belongs to process ${process.pid}`)
    expect(await query(running.url, 'select 1 one')).toEqual([{ one: 1 }])
  })

  it('starts after a kill -9 of the server itself', async () => {
    const dataDir = join(openFolder(), 'data')
    const killed = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    await query(killed.url, remember)
    killed.kill9()
    await killed.exited
    const server = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    expect(await query(server.url, recall)).toEqual([{ text: 'kept' }])
  })

  it('ignores a lock file whose process id now belongs to another program', async () => {
    const dataDir = join(openFolder(), 'data')
    await (await startPostgres({ dataDir, durable: true })).stop()
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n`)
    const server = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    expect(await query(server.url, 'select 1 one')).toEqual([{ one: 1 }])
  })

  it('ignores a lock file whose process is dead', async () => {
    const dataDir = join(openFolder(), 'data')
    await (await startPostgres({ dataDir, durable: true })).stop()
    writeFileSync(join(dataDir, 'postmaster.pid'), `4194303\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n`)
    stopAfterTest(await startPostgres({ dataDir, durable: true }))
  })

  it('does a half-finished initialisation again', async () => {
    const folder = openFolder()
    const dataDir = join(folder, 'data')
    await (await startPostgres({ dataDir, durable: false })).stop()
    // A crash during our own initialisation: the unfinished folder still has its temporary name.
    renameSync(dataDir, `${dataDir}.initialising-crashed`)
    rmSync(join(`${dataDir}.initialising-crashed`, 'global'), { recursive: true })
    await (await startPostgres({ dataDir, durable: false })).stop()
    expect(existsSync(`${dataDir}.initialising-crashed`)).toBe(false)
    // A crash of an initialisation that worked in place.
    rmSync(join(dataDir, 'global'), { recursive: true })
    const server = stopAfterTest(await startPostgres({ dataDir, durable: false }))
    expect(await query(server.url, 'select 1 one')).toEqual([{ one: 1 }])
    expect(readdirSync(folder).some((name) => name.startsWith('data.incomplete-'))).toBe(true)
  })

  it('refuses a folder with files of somebody else', async () => {
    const dataDir = join(openFolder(), 'data')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'thesis.txt'), 'precious')
    await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow('not a PostgreSQL database')
    expect(readFileSync(join(dataDir, 'thesis.txt'), 'utf8')).toBe('precious')
  })

  it('names a port that is in use', async () => {
    const port = await freePort()
    const squatter = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => {
      squatter.close()
    })
    const start = startPostgres({ dataDir: join(openFolder(), 'data'), port, durable: false })
    await expect(start).rejects.toMatchObject({
      name: 'PortInUseError',
      port,
      message: expect.stringContaining(`${port}`),
    })
  })

  it('works below a folder that only its owner can enter', async () => {
    const dataDir = join(openFolder(0o700), 'data')
    const first = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    if (isRoot) onTestFinished(() => rmSync(dirname(first.dataDir), { recursive: true, force: true }))
    await query(first.url, remember)
    await first.stop()
    expect(first.dataDir).toMatch(isRoot ? /^\/var\/tmp\/tallystick-[0-9a-f]{12}\/data$/ : /tallystick-embedded-/)
    if (isRoot) expect(readFileSync(dataDir, 'utf8')).toContain(first.dataDir)
    const second = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    expect(await query(second.url, recall)).toEqual([{ text: 'kept' }])
    await second.stop()
    rmSync(dataDir, { recursive: true })
    const afterReset = stopAfterTest(await startPostgres({ dataDir, durable: true }))
    await expect(query(afterReset.url, recall)).rejects.toThrow('does not exist')
  })

  it('runs as an ordinary user', async () => {
    const dataDir = join(openFolder(), 'data')
    const asNobody = isRoot && isReachableBy(nobody, import.meta.dirname)
    const { reported } = await startInChild('postgres', dataDir, 'stop', asNobody ? nobody : undefined)
    expect(statSync(dataDir).uid === reported.uid).toBe(!isRoot || asNobody)
    // Started by root, the database of an ordinary user stays theirs.
    const server = stopAfterTest(await startPostgres({ dataDir, durable: false }))
    expect(await query(server.url, 'select 1 one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(statSync(dataDir).uid).toBe(statSync(join(dataDir, 'global', 'pg_control')).uid)
    await startInChild('postgres', dataDir, 'stop', asNobody ? nobody : undefined)
  })
})
