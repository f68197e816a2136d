import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectChain, wallet } from '@tallystick/testkit'
import { services } from '@tallystick/wire'
import type { Hex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { fileOf } from '../register/lines.ts'
import type { RunningStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { run } from './program.ts'
import { type Tally, tallyOn } from './tally.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** On a stack that runs already. */
export const describeTally = (running: () => { stack: RunningStack; folder: string }) =>
  describe('tally', () => {
    let folder = ''
    let stack: RunningStack
    let tally: Tally

    beforeAll(() => {
      ;({ stack, folder } = running())
      tally = tallyOn({ DATA_DIR: folder })
    })
    const instanceOf = (apiKey: string) => callHttp(stack.url, apiKey, 'GET', '/access/api/instance')
    const create = (name: string, ...options: string[]) =>
      tally.answers('instances', 'create', name, '--chain', '31337', ...options)

    it('creates, lists, changes and archives instances', async () => {
      const made = await tally.does(
        'instances',
        'create',
        'Made by hand',
        '--chain',
        '31337',
        '--production',
        '--services',
        'lending, stocks',
      )
      expect(made).toEqual({ instanceId: expect.stringMatching(uuid), apiKey: expect.stringMatching(/^tally_/) })
      expect((await instanceOf(made.apiKey)).body.data).toMatchObject({
        instanceId: made.instanceId,
        name: 'Made by hand',
        environment: 'PRODUCTION',
        services: ['lending', 'stocks'],
      })
      expect(await tally.answers('instances', 'services', made.instanceId, 'trading')).toEqual({
        instanceId: made.instanceId,
        services: ['trading'],
      })
      expect((await instanceOf(made.apiKey)).body.data.services).toEqual(['trading'])
      const archived = await tally.answers('instances', 'archive', made.instanceId)
      expect(archived).toEqual({ instanceId: made.instanceId, status: 'ARCHIVED' })
      expect((await instanceOf(made.apiKey)).status).toBe(401)
      const listed = await tally.answers('instances', 'list')
      expect(listed.find((one: { instanceId: string }) => one.instanceId === made.instanceId)).toMatchObject({
        name: 'Made by hand',
        chainId: '31337',
        status: 'ARCHIVED',
      })
    })

    it('gives an instance every service unless told otherwise', async () => {
      const { apiKey } = await create('All services')
      const { body } = await instanceOf(apiKey)
      expect(body.data).toMatchObject({ environment: 'DEVELOPMENT', services: [...services] })
    })

    it('creates, lists, rotates and revokes keys', async () => {
      const { instanceId, apiKey } = await create('Keys')
      const options = ['--name', 'reader', '--scopes', 'access:read,tokens:read', '--rate-limit', '7']
      const key = await tally.answers('keys', 'create', instanceId, ...options)
      expect(key).toMatchObject({ name: 'reader', scopes: ['access:read', 'tokens:read'], rateLimitPerMinute: 7 })
      expect((await instanceOf(key.apiKey)).status).toBe(200)
      const successor = await tally.does('keys', 'rotate', instanceId, key.keyId)
      expect(successor).toMatchObject({ name: 'reader', scopes: key.scopes, rateLimitPerMinute: 7, status: 'ACTIVE' })
      for (const one of [key.apiKey, successor.apiKey]) expect((await instanceOf(one)).status).toBe(200)
      expect(await tally.answers('keys', 'revoke', instanceId, key.keyId)).toMatchObject({ status: 'REVOKED' })
      expect((await instanceOf(key.apiKey)).status).toBe(401)
      expect((await instanceOf(successor.apiKey)).status).toBe(200)
      const listed = await tally.answers('keys', 'list', instanceId)
      expect(listed.map((one: { name: string; status: string }) => [one.name, one.status])).toEqual([
        ['reader', 'ACTIVE'],
        ['reader', 'REVOKED'],
        ['default', 'ACTIVE'],
      ])
      expect(JSON.stringify(listed)).not.toContain(apiKey.split('_')[2])
    })

    it('creates register keys, which open no instance', async () => {
      const { apiKey } = await tally.does('register-keys', 'create', 'regulator')
      expect(apiKey).toMatch(/^tallyreg_[0-9A-Za-z]{8}_[0-9a-f]{64}$/)
      const refused = await instanceOf(apiKey)
      expect([refused.status, refused.body.error.code]).toEqual([400, 'INSTANCE_REQUIRED'])
    })

    it('imports files of the register, tells what it refuses, and fails then', async () => {
      const row = (name: string) => ({ ae_lei_name: name, ae_homeMemberState: 'IT', ae_lastupdate: '06/06/2025' })
      const file = (name: string, bytes: Buffer) => {
        const path = join(folder, name)
        writeFileSync(path, bytes)
        return path
      }
      const names = ['Uno Falso', 'Due Falso', 'Tre Falso']
      const good = file('NCASP.csv', fileOf('NCASP', names.map(row)))
      const [report] = await tally.answers('register', 'import', good)
      expect(report).toMatchObject({ source: good, file: 'NCASP', outcome: 'imported', rows: 3, added: 3 })
      const found = await callHttp(stack.url, stack.demo.registerKey, 'GET', '/api/mica/v1/search?q=falso')
      expect(found.body.data).toHaveLength(3)
      const cut = file('NCASP-cut.csv', fileOf('NCASP', names.map(row)).subarray(0, -30))
      const refusing = await run('cli', {
        env: { DATA_DIR: folder },
        args: ['register', 'import', good, cut, join(folder, 'none.csv')],
      })
      expect(await refusing.ended).toBe(1)
      expect(JSON.parse(refusing.stdout())).toMatchObject([
        { outcome: 'unchanged' },
        { outcome: 'refused', reason: expect.stringContaining('cut short') },
        { outcome: 'refused', reason: 'it cannot be read (ENOENT)' },
      ])
      const shrunk = file('NCASP-shrunk.csv', fileOf('NCASP', [row('Uno Falso')]))
      expect(await tally.answers('register', 'import', shrunk, '--accept-shrink')).toMatchObject([
        { outcome: 'imported', removed: 2 },
      ])
    })

    it('reads the audit log of everything or of one instance', async () => {
      const { instanceId, apiKey } = await create('Audited')
      const { keyId } = (await instanceOf(apiKey)).body.data.key
      const second = await callHttp(stack.url, apiKey, 'POST', '/access/api/keys', {
        body: { name: 'second', scopes: ['access:read'] },
      })
      await tally.answers('instances', 'services', instanceId, 'trading')
      const own = await tally.does('audit', '--instance', instanceId)
      expect(own).toMatchObject([
        { operation: 'setServices', actor: 'operator', osUser: expect.any(String), after: { services: ['trading'] } },
        { operation: 'createKey', actor: 'key', keyId, keyName: 'default', subject: second.body.data.keyId },
        { operation: 'createInstance', actor: 'operator', subject: instanceId, before: null },
      ])
      expect(await tally.answers('audit', '--limit', '3')).toEqual(own)
      expect(JSON.stringify(await tally.answers('audit'))).not.toMatch(/tally_[0-9A-Za-z]{8}_/)
      expect(await tally.explains('audit', '--instance', unknownId)).toBe(`There is no instance ${unknownId}.`)
    })

    it('approves lenders and takes the approval back', async () => {
      const { instanceId, apiKey } = await create('Lender')
      expect((await instanceOf(apiKey)).body.data.lenderApproved).toBe(false)
      expect(await tally.does('lenders', 'approve', instanceId)).toEqual({ instanceId, lenderApproved: true })
      expect((await instanceOf(apiKey)).body.data.lenderApproved).toBe(true)
      expect(await tally.answers('lenders', 'approve', instanceId, '--withdraw')).toEqual({
        instanceId,
        lenderApproved: false,
      })
      expect((await instanceOf(apiKey)).body.data.lenderApproved).toBe(false)
    })

    it('emits an unsigned deployment, records what it created, and verifies it', async () => {
      const owner = wallet(5)
      const args = ['Test Euro', 'tEUR', '6', owner.address]
      const built = await tally.does('contracts', 'deploy', 'DemoCash', ...args)
      expect(built).toMatchObject({ contractCreation: true, transaction: { value: '0', chainId: 31_337 } })
      const chain = connectChain(stack.demo.rpcUrl)
      const sent = (data: Hex, to?: Hex) =>
        chain.walletClient.sendTransaction({ account: owner, data, ...(to ? { to } : {}) })
      const hash = await sent(built.transaction.data)
      const { contractAddress } = await chain.publicClient.waitForTransactionReceipt({ hash })
      const recorded = await tally.answers('contracts', 'record', 'DemoCash', hash)
      expect(recorded).toEqual({ name: 'DemoCash', address: contractAddress?.toLowerCase() })
      // Beside what the demo put on chain.
      const verified = await tally.does('contracts', 'verify')
      expect(verified).toContainEqual({ ...recorded, hasCode: true, isOurs: true })

      const transfer = await sent('0x', wallet(6).address)
      await chain.publicClient.waitForTransactionReceipt({ hash: transfer })
      const other = await sent('0x600a600c600039600a6000f3602a60005260206000f3')
      await chain.publicClient.waitForTransactionReceipt({ hash: other })
      const unknown = `0x${'1'.repeat(64)}`
      expect(await tally.refuses('contracts', 'record', 'DemoCash', unknown)).toBe(
        `Transaction ${unknown} is not mined, or the node does not show it yet: try again.`,
      )
      for (const wrong of [transfer, other])
        expect(await tally.explains('contracts', 'record', 'DemoCash', wrong)).toBe(
          `Transaction ${wrong} did not create DemoCash from the committed code.`,
        )
      expect(await tally.answers('contracts', 'verify')).toEqual(verified)
    })

    it('migrates, which changes nothing on an up-to-date database, and rebuilds', async () => {
      const { version } = await tally.does('migrate')
      expect(version).toBeGreaterThan(0)
      expect(await tally.answers('migrate')).toEqual({ version })
      // What the demo's markets went through: every log of theirs is a fact.
      const { logs, facts } = await tally.does('rebuild')
      expect(logs).toBeGreaterThan(100)
      expect(facts).toBe(logs)
    })

    it('tells in one line what is wrong with a command', async () => {
      const { instanceId } = await create('Refusals')
      expect(await tally.explains('instances', 'archive')).toMatch(/^missing required argument 'instanceId'/)
      expect(await tally.explains('instances', 'create', 'x')).toMatch(/^required option '--chain <id>' not specified/)
      expect(await tally.explains('instances', 'create', 'x', '--chain', 'main')).toBe(
        'A chain id is a positive whole number, but this is "main".',
      )
      expect(await tally.explains('instances', 'create', '', '--chain', '1')).toBe('A name has 1 to 100 characters.')
      expect(await tally.explains('instances', 'create', 'x', '--chain', '1', '--services', 'gambling')).toMatch(
        /^Unknown service: gambling[.] Known: external-tokens, /,
      )
      for (const [wrong, ...command] of [
        [unknownId, 'instances', 'archive', unknownId],
        ['not-an-id', 'instances', 'services', 'not-an-id', 'lending'],
        [unknownId, 'lenders', 'approve', unknownId],
        ['not-an-id', 'keys', 'create', 'not-an-id'],
        [unknownId, 'keys', 'list', unknownId],
        ['not-an-id', 'keys', 'rotate', 'not-an-id', unknownId],
        [unknownId, 'keys', 'revoke', unknownId, unknownId],
      ])
        expect(await tally.explains(...command), command.join(' ')).toBe(`There is no instance ${wrong}.`)
      expect(await tally.explains('keys', 'rotate', instanceId, unknownId)).toBe('Your instance has no such key.')
      expect(await tally.explains('keys', 'revoke', instanceId, 'not-an-id')).toBe('Your instance has no such key.')
      expect(await tally.explains('keys', 'create', instanceId, '--scopes', 'all')).toMatch(/^Unknown scope: all[.]/)
      for (const limit of ['0', 'many'])
        expect(await tally.explains('keys', 'create', instanceId, `--rate-limit=${limit}`)).toBe(
          `A rate limit is a positive whole number, but this is "${limit}".`,
        )
      expect(await tally.explains('contracts', 'deploy', 'Unheard')).toMatch(/^There is no contract called Unheard[.]/)
      expect(await tally.explains('contracts', 'deploy', 'DemoCash', 'only one')).toMatch(/.+/)
      expect(await tally.explains('contracts', 'verify', '--chain', '1')).toBe('Say which chain with --chain: 31337.')
      expect(await tally.explains('contracts', 'record', 'DemoCash', 'nonsense')).toMatch(/.+/)
      expect(await tallyOn({ DATA_DIR: folder, DATABASE_URL: 'postgres://a@b/c' }).explains('migrate')).toMatch(
        /RPC_URL is not set/,
      )
    })

    it('shows its help without failing', async () => {
      const help = await run('cli', { args: ['keys', '--help'] })
      expect(await help.ended).toBe(0)
      expect(help.stdout()).toContain('rotate')
      expect(help.stderr()).toBe('')
      expect(await tally.shows('--version')).toBe(`${VERSION}\n`)
      for (const args of [[], ['contracts']])
        expect(await tally.shows(...args)).toContain(['Usage: tally', ...args].join(' '))
    })

    it('answers a command that does not exist with those that do, on stderr', async () => {
      const cases: [string[], string, string][] = [
        [['no-such-command'], "unknown command 'no-such-command'", 'Usage: tally [options]'],
        [['keys', 'lost'], "unknown command 'lost'", 'Usage: tally keys [options]'],
        [['instances', 'archive'], "missing required argument 'instanceId'", ''],
        [['instances', 'list', '--colour'], "unknown option '--colour'", ''],
      ]
      for (const [args, fault, help] of cases) {
        const found = await tally.objects(...args)
        expect(found.line).toMatch(new RegExp(`^${fault}`))
        expect(found.help).toContain(help)
        expect(found.failure.name).toBe('CommanderError')
      }
      // What the program makes of it.
      for (const [args, fault, help] of cases.slice(1, 3)) {
        const program = await run('cli', { args })
        expect([await program.ended, program.stdout()]).toEqual([2, ''])
        expect(program.stderr()).toMatch(new RegExp(`^tally: ${fault}`))
        expect(program.stderr()).toContain(help)
      }
    })

    it('lists as a table for people and as JSON for programs', async () => {
      const { instanceId } = await create('Shown in a table')
      const program = await run('cli', { env: { DATA_DIR: folder }, args: ['instances', 'list', '--table'] })
      expect(await program.ended, program.stderr()).toBe(0)
      const table = program.stdout()
      expect(table).toMatch(/^INSTANCE +NAME +CHAIN +ENVIRONMENT +STATUS +LENDER +SERVICES\n/)
      expect(table).toMatch(new RegExp(`^${instanceId}  Shown in a table +31337  DEVELOPMENT  ACTIVE +no `, 'm'))
      expect(JSON.parse(await tally.shows('instances', 'list', '--json'))).toEqual(
        await tally.answers('instances', 'list'),
      )
      expect(await tally.shows('keys', 'list', instanceId, '--table')).toMatch(
        /^KEY +NAME +STATUS .+\n\S+ +default +ACTIVE /,
      )
      expect(await tally.shows('audit', '--instance', instanceId, '--table')).toMatch(
        /^AT +OPERATION .+\n\S+Z +createInstance /,
      )
      expect(await tally.shows('contracts', 'list', '--table')).toMatch(/^LendingFactory +0x[0-9a-f]{40}$/m)
      expect(await tally.shows('contracts', 'verify', '--table')).toMatch(/^LendingFactory +0x[0-9a-f]{40} +yes +yes$/m)
      const { chainId, contracts } = await tally.answers('contracts', 'export')
      expect([chainId, contracts.LendingFactory]).toEqual([31_337, stack.demo.contracts.LendingFactory])
    })

    it('finds nothing wrong with a stack that runs', async () => {
      const found: { state: string; about: string }[] = await tally.answers('doctor')
      expect(found.filter(({ state }) => state === 'wrong')).toEqual([])
      expect(found.map(({ about }) => about)).toEqual(expect.arrayContaining(['database', 'chain 31337', 'worker']))
    })
  })
