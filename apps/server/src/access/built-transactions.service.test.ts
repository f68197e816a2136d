import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Browser, signInWithKey, signInWithWallet, USERS, withheld } from '../../test/browser.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../test/lending/lending-world.ts'
import { createMarketLife } from '../../test/lending/market-life.ts'
import type { TestAnswer, TestInstance } from '../../test/world.ts'

const TRANSACTIONS = '/access/api/transactions'
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

describe('transactions that were built in a session', () => {
  let world: LendingWorld
  let browser: Browser
  let path: string

  beforeAll(async () => {
    world = await createLendingWorld()
    path = `${V2}/markets/${(await createMarketLife(world).adopted()).marketId}/pause`
    browser = await signInWithKey(world, world.deployer)
  })
  afterAll(() => world.close())

  const build = async () => {
    const built = must(await browser.call('POST', path, { body: {} }))
    return { built, id: String(built.headers['x-transaction-id']) }
  }
  const list = async (query = '') => must(await browser.call('GET', `${TRANSACTIONS}${query}`)).body.data
  const get = async (id: string) => must(await browser.call('GET', `${TRANSACTIONS}/${id}`)).body.data
  const report = (id: string, txHash: string) =>
    browser.call('POST', `${TRANSACTIONS}/${id}/sent`, { body: { txHash } })

  it('are found again with what is to be signed; those of keys are not kept', async () => {
    const { built, id } = await build()
    const withKey = must(await world.deployer.post(path, {}))
    expect(withKey.headers).not.toHaveProperty('x-transaction-id')
    expect(withKey.body.data.transaction.data).toBe(built.body.data.transaction.data)
    const listed = {
      transactionId: id,
      operation: 'pauseMarket',
      summary: expect.any(String),
      status: 'BUILT',
      maker: { name: 'default', userId: null },
      path,
      chainId: 31_337,
      txHash: null,
      builtAt: expect.any(String),
      sentAt: null,
      blockNumber: null,
      approval: null,
    }
    expect((await list()).transactions).toEqual([listed])
    const { to, data, value, chainId } = built.body.data.transaction
    expect(await get(id)).toEqual({ ...listed, body: {}, calls: [{ to, data, value, chainId }] })
  })

  it('are followed from their hash to their end, or back', async () => {
    const { built, id } = await build()
    const txHash = await world.sign(world.deployer.wallet, built)
    const sent = must(await report(id, txHash.toUpperCase().replace('0X', '0x'))).body.data
    expect(sent).toMatchObject({ transactionId: id, status: 'SENT', txHash, sentAt: expect.any(String) })
    must(await browser.call('POST', path, { body: { txHash } }))
    const mined = await get(id)
    expect(mined).toMatchObject({ status: 'MINED', blockNumber: expect.stringMatching(/^\d+$/) })
    for (const [finality, status] of [
      ['SAFE', 'MINED'],
      ['FINALIZED', 'FINAL'],
      ['ORPHANED', 'UNDONE'],
    ] as const) {
      await world.superuser`update chain_logs set finality = ${finality} where tx_hash = ${txHash}`
      expect((await get(id)).status).toBe(status)
      const found = (await list(`?status=${status}`)).transactions
      expect(found.map((one: { transactionId: string }) => one.transactionId)).toEqual([id])
    }
    expect((await list('?status=BUILT')).transactions).toHaveLength(1)
  })

  it('come in pages, newest first', async () => {
    const first = await list('?limit=1')
    expect(first).toMatchObject({ hasMore: true, limit: 1, nextCursor: expect.any(String) })
    const second = await list(`?limit=1&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ hasMore: false, nextCursor: null })
    const ids = [...first.transactions, ...second.transactions].map((one) => one.transactionId)
    expect(ids).toEqual((await list()).transactions.map((one: { transactionId: string }) => one.transactionId))
    expect(refusal(await browser.call('GET', `${TRANSACTIONS}?cursor=nonsense`))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await browser.call('GET', `${TRANSACTIONS}?status=LOST`))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('are found by words, ids and hashes, with all else that the instance has', async () => {
    const search = async (q: string, by: { call: Browser['call'] } = browser) =>
      must(await by.call('GET', `/access/api/search?q=${encodeURIComponent(q)}`)).body.data.results
    const kindsOf = (results: { kind: string }[]) => [...new Set(results.map(({ kind }) => kind))].toSorted()
    const { transactions } = await list()
    const sent = transactions.find((one: { txHash: string | null }) => one.txHash !== null)
    expect(await search(sent.txHash)).toEqual([
      { kind: 'transaction', id: sent.transactionId, title: sent.summary, detail: sent.txHash, marketId: null },
    ])
    expect(await search(transactions[0].transactionId.slice(0, 30))).toMatchObject([{ kind: 'transaction' }])
    expect(kindsOf(await search('pause'))).toEqual(['transaction'])
    const marketId = path.split('/').at(-2) ?? ''
    expect(await search(marketId)).toMatchObject([{ kind: 'market', id: marketId }])
    expect(kindsOf(await search(world.security.token))).toEqual(['market', 'token'])
    expect(await search('  ')).toEqual([])
    expect(await search('%_')).toEqual([])
    expect(await search(marketId, await world.createInstance())).toEqual([])
    const { apiKey: key } = must(
      await world.deployer.call('POST', '/access/api/keys', { body: { name: 'n', scopes: ['access:read'] } }),
    ).body.data
    const less = { call: (method: string, url: string) => world.call(method, url, { key }) }
    expect(kindsOf(await search(world.security.token, less))).toEqual([])
    expect(kindsOf(await search('pause', less))).toEqual(['transaction'])
    for (const query of ['', '?q=', `?q=${'x'.repeat(101)}`])
      expect(refusal(await browser.call('GET', `/access/api/search${query}`))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('belong to one instance', async () => {
    const id = (await list()).transactions[0].transactionId
    const other = await world.createInstance()
    expect((await other.call('GET', TRANSACTIONS)).body.data.transactions).toEqual([])
    const txHash = `0x${'7'.repeat(64)}`
    for (const name of [id, 'nonsense']) {
      expect(refusal(await other.call('GET', `${TRANSACTIONS}/${name}`))).toEqual([404, 'TRANSACTION_NOT_FOUND'])
      const reported = await other.call('POST', `${TRANSACTIONS}/${name}/sent`, { body: { txHash } })
      expect(refusal(reported)).toEqual([404, 'TRANSACTION_NOT_FOUND'])
    }
    const long = 'x'.repeat(101)
    expect(refusal(await browser.call('GET', `${TRANSACTIONS}/${long}`))).toEqual([400, 'INVALID_PARAM'])
    expect(refusal(await report(long, txHash))).toEqual([400, 'INVALID_PARAM'])
    expect(refusal(await report(id, '0x12'))).toEqual([400, 'VALIDATION_ERROR'])
  })

  describe('where a second person is required', () => {
    const POLICY = '/access/api/approval-policy'
    const DAY_MS = 24 * 60 * 60_000
    const someone = async (role: string, name: string, instance: TestInstance = world.deployer) => {
      const account = privateKeyToAccount(generatePrivateKey())
      const userId = await addUser(instance, account, role, name)
      return { userId, account, browser: await signInWithWallet(world, account, { instanceId: instance.instanceId }) }
    }
    type Someone = Awaited<ReturnType<typeof someone>>
    /** The market was paused above. */
    let toggle: string
    let maker: Someone
    let approver: Someone
    let admin: Someone

    const setPolicy = (who: { call: Browser['call'] }, secondPerson: boolean) =>
      who.call('PUT', POLICY, { body: { secondPerson } })
    const policy = async () => must(await browser.call('GET', POLICY)).body.data
    const decide = ({ browser: own }: { browser: Browser }, id: string, how: 'approve' | 'reject') =>
      own.call('POST', `${TRANSACTIONS}/${id}/${how}`, how === 'reject' ? { body: { reason: 'Not today.' } } : {})
    const asked = (who: { browser: Browser } = maker, query = '') =>
      who.browser.call('POST', `${toggle}${query}`, { body: {} })
    const waiting = async (who?: { browser: Browser }) => withheld(await asked(who)).transactionId
    const read = async (who: { browser: Browser }, id: string) =>
      must(await who.browser.call('GET', `${TRANSACTIONS}/${id}`)).body.data
    const changeRole = async ({ userId }: Someone, role: string) =>
      must(await world.deployer.call('PATCH', `${USERS}/${userId}`, { body: { role } }))

    beforeAll(async () => {
      toggle = path.replace(/pause$/, 'unpause')
      expect(await policy()).toEqual({ secondPerson: false, endAskedBy: null, endAskedAt: null })
      expect(refusal(await setPolicy(world.deployer, true))).toEqual([409, 'APPROVERS_MISSING'])
      maker = await someone('operator', 'Mara')
      approver = await someone('approver', 'Anna')
      expect(refusal(await setPolicy(world.deployer, true))).toEqual([409, 'APPROVERS_MISSING'])
      admin = await someone('admin', 'Adam')
      must(await setPolicy(world.deployer, true))
    })

    it('a build in a session answers no calldata; with a key it does', async () => {
      const answer = await asked()
      const pending = { status: 'PENDING', decidedBy: null, decidedAt: null, reason: null }
      expect(withheld(answer)).toEqual({
        action: 'AWAIT_APPROVAL',
        transactionId: answer.headers['x-transaction-id'],
        summary: expect.any(String),
        description: null,
        simulation: expect.objectContaining({ success: true }),
        approval: { ...pending, expiresAt: expect.any(String) },
      })
      expect(withheld(await asked(maker, '?format=safe')).action).toBe('AWAIT_APPROVAL')
      const [kept] = (await list('?status=PENDING&limit=1')).transactions
      expect(Date.parse(kept.approval.expiresAt) - Date.parse(kept.builtAt)).toBe(DAY_MS)
      const withKey = must(await world.deployer.post(toggle, {}))
      expect(withKey.status).toBe(200)
      const { data: callData } = withKey.body.data.transaction
      const id = answer.body.data.transactionId
      for (const who of [maker, { browser }]) expect((await read(who, id)).calls).toBeNull()
      expect(must(await world.deployer.call('GET', `${TRANSACTIONS}/${id}`)).body.data.calls).toBeNull()
      // Whoever decides has to see what it is.
      for (const who of [approver, admin]) expect((await read(who, id)).calls).toMatchObject([{ data: callData }])
      const [listed] = (await list('?status=PENDING')).transactions.slice(-1)
      expect(listed).toMatchObject({ transactionId: id, status: 'PENDING', maker: { userId: maker.userId } })
      expect(JSON.stringify(answer.body)).not.toContain(callData)
    })

    it('what creates a contract waits as well', async () => {
      const body = { name: 'Nordlicht Vault', symbol: 'NLV', assetAddress: world.cash }
      const answer = await maker.browser.call('POST', `${V2}/vaults/deploy`, { body })
      const { calls } = await read(approver, withheld(answer).transactionId)
      expect(calls).toEqual([expect.objectContaining({ to: null, data: expect.stringMatching(/^0x60/) })])
    })

    it('a repeat with the same Idempotency-Key is the same transaction, still withheld', async () => {
      const again = () =>
        maker.browser.call('POST', toggle, { body: {}, headers: { 'idempotency-key': 'second-person-1' } })
      const [first, second] = [await again(), await again()]
      expect(withheld(second).approval.status).toBe('PENDING')
      expect(second.body).toEqual(first.body)
    })

    it('is given out once somebody else approved it', async () => {
      const id = await waiting()
      expect(refusal(await decide(maker, id, 'approve'))).toEqual([403, 'APPROVER_REQUIRED'])
      expect(refusal(await report(id, `0x${'7'.repeat(64)}`))).toEqual([409, 'APPROVAL_REQUIRED'])
      const approved = must(await decide(approver, id, 'approve')).body.data
      expect(approved).toMatchObject({
        status: 'BUILT',
        approval: { status: 'APPROVED', decidedBy: { userId: approver.userId, name: 'Anna' }, reason: null },
      })
      for (const who of [maker, approver]) expect((await read(who, id)).calls).toHaveLength(1)
      const viewer = await someone('viewer', 'Vera')
      for (const who of [viewer, { browser }]) expect((await read(who, id)).calls).toBeNull()
      const [call] = (await read(maker, id)).calls
      const txHash = await world.sign(world.deployer.wallet, {
        status: 200,
        body: { data: { transaction: call } },
      } as never)
      const sent = must(await maker.browser.call('POST', `${TRANSACTIONS}/${id}/sent`, { body: { txHash } })).body.data
      toggle = path
      expect(sent).toMatchObject({ status: 'SENT', approval: { status: 'APPROVED' } })
    })

    it('nobody decides upon its own, nor with a key, nor in a session of a key', async () => {
      const id = await waiting(admin)
      for (const how of ['approve', 'reject'] as const) {
        expect(refusal(await decide(admin, id, how))).toEqual([403, 'OWN_TRANSACTION'])
        expect(refusal(await decide({ browser }, id, how))).toEqual([403, 'APPROVER_REQUIRED'])
        const body = how === 'reject' ? { body: { reason: 'No.' } } : {}
        const withKey = await world.deployer.call('POST', `${TRANSACTIONS}/${id}/${how}`, body)
        expect(refusal(withKey)).toEqual([403, 'APPROVER_REQUIRED'])
      }
      must(await decide(approver, id, 'approve'))
      const ofKey = await waiting({ browser })
      must(await decide(admin, ofKey, 'approve'))
      expect((await read({ browser }, ofKey)).calls).toHaveLength(1)
    })

    it('is decided once, however many decide at the same time', async () => {
      const id = await waiting()
      const answers = await Promise.all([
        decide(approver, id, 'approve'),
        decide(admin, id, 'reject'),
        decide(admin, id, 'approve'),
        decide(approver, id, 'reject'),
      ])
      const [done, ...refused] = answers.toSorted((a, b) => a.status - b.status)
      expect(done?.status).toBe(200)
      const { approval } = done?.body.data ?? {}
      for (const answer of refused) {
        expect(refusal(answer)).toEqual([409, 'ALREADY_DECIDED'])
        expect(answer.body.error.approval).toEqual(approval)
      }
      expect((await read(approver, id)).approval).toEqual(approval)
      for (const how of ['approve', 'reject'] as const)
        expect(refusal(await decide(approver, id, how))).toEqual([409, 'ALREADY_DECIDED'])
    })

    it('a rejected one is never given out, and says why', async () => {
      const id = await waiting()
      const rejected = must(await decide(approver, id, 'reject')).body.data
      expect(rejected).toMatchObject({ status: 'REJECTED', approval: { status: 'REJECTED', reason: 'Not today.' } })
      for (const who of [maker, approver]) expect((await read(who, id)).calls).toBeNull()
      expect(refusal(await report(id, `0x${'7'.repeat(64)}`))).toEqual([409, 'APPROVAL_REQUIRED'])
      const found = (await list('?status=REJECTED')).transactions.map(
        (one: { transactionId: string }) => one.transactionId,
      )
      expect(found).toContain(id)
      const empty = await approver.browser.call('POST', `${TRANSACTIONS}/${id}/reject`, { body: { reason: '' } })
      expect(refusal(empty)).toEqual([400, 'VALIDATION_ERROR'])
    })

    it('a role that changed meanwhile counts, of who decides and of who built it', async () => {
      const id = await waiting()
      await changeRole(approver, 'operator')
      for (const how of ['approve', 'reject'] as const)
        expect(refusal(await decide(approver, id, how))).toEqual([403, 'APPROVER_REQUIRED'])
      expect((await read(approver, id)).calls).toBeNull()
      await changeRole(approver, 'approver')
      await changeRole(maker, 'viewer')
      expect(refusal(await decide(approver, id, 'approve'))).toEqual([409, 'MAKER_NOT_ALLOWED'])
      await changeRole(maker, 'operator')
      must(await decide(approver, id, 'approve'))
      await changeRole(maker, 'viewer')
      expect((await read(maker, id)).calls).toBeNull()
      await changeRole(maker, 'operator')
      const gone = await someone('operator', 'Gert')
      const orphan = await waiting(gone)
      must(await world.deployer.call('DELETE', `${USERS}/${gone.userId}`))
      expect(refusal(await decide(approver, orphan, 'approve'))).toEqual([409, 'MAKER_NOT_ALLOWED'])
      must(await decide(approver, orphan, 'reject'))
    })

    it.each([1, 2, 3, 4])('an approver who is removed while deciding either decides or does not (%i)', async () => {
      const leaving = await someone('approver', 'Lena')
      const id = await waiting()
      const [answer] = await Promise.all([
        decide(leaving, id, 'approve'),
        world.deployer.call('DELETE', `${USERS}/${leaving.userId}`),
      ])
      const { approval } = await read(approver, id)
      if (answer.status === 200) expect(approval).toMatchObject({ status: 'APPROVED', decidedBy: { name: 'Lena' } })
      else {
        expect([401, 403]).toContain(answer.status)
        expect(approval.status).toBe('PENDING')
      }
      expect((await decide(leaving, id, 'approve')).status).toBe(401)
    })

    it('waits for a day, and an approval holds for a day', async () => {
      const [late, approved] = [await waiting(), await waiting()]
      must(await decide(approver, approved, 'approve'))
      const until = [late, approved].join()
      await world.superuser`
        update built_transactions set approval_until = ${world.clock.now()} where transaction_id = any(${until.split(',')}::uuid[])`
      for (const how of ['approve', 'reject'] as const)
        expect(refusal(await decide(approver, late, how))).toEqual([409, 'APPROVAL_EXPIRED'])
      expect(await read(maker, approved)).toMatchObject({
        status: 'EXPIRED',
        calls: null,
        approval: { status: 'EXPIRED' },
      })
      expect(refusal(await report(approved, `0x${'7'.repeat(64)}`))).toEqual([409, 'APPROVAL_REQUIRED'])
      const expired = (await list('?status=EXPIRED')).transactions.map(
        (one: { transactionId: string }) => one.transactionId,
      )
      expect(expired.sort()).toEqual([late, approved].sort())
    })

    it('belongs to one instance', async () => {
      const id = await waiting()
      const other = await world.createInstance()
      const stranger = await someone('admin', 'Else', other)
      for (const name of [id, 'nonsense'])
        for (const how of ['approve', 'reject'] as const)
          expect(refusal(await decide(stranger, name, how))).toEqual([404, 'TRANSACTION_NOT_FOUND'])
      const long = 'x'.repeat(101)
      for (const how of ['approve', 'reject'] as const)
        expect(refusal(await decide(approver, long, how))).toEqual([400, 'INVALID_PARAM'])
      expect(must(await other.call('GET', POLICY)).body.data.secondPerson).toBe(false)
      expect((await read(approver, id)).status).toBe('PENDING')
    })

    it('what was built before needs nobody', async () => {
      const [old] = (await list('?status=BUILT')).transactions.filter(
        (one: { approval: unknown }) => one.approval === null,
      )
      for (const how of ['approve', 'reject'] as const)
        expect(refusal(await decide(approver, old.transactionId, how))).toEqual([409, 'APPROVAL_NOT_NEEDED'])
      expect((await read(maker, old.transactionId)).calls).toHaveLength(1)
    })

    it('two admins end it, and nobody else', async () => {
      for (const who of [world.deployer, browser])
        expect(refusal(await setPolicy(who, false))).toEqual([403, 'USER_REQUIRED'])
      expect(refusal(await setPolicy(approver.browser, false))).toEqual([403, 'SCOPE_MISSING'])
      expect(refusal(await browser.call('PUT', POLICY, { body: {} }))).toEqual([400, 'VALIDATION_ERROR'])
      const first = must(await setPolicy(admin.browser, false)).body.data
      expect(first).toMatchObject({ secondPerson: true, endAskedBy: { userId: admin.userId, name: 'Adam' } })
      // Asked twice by the same admin it is asked once; asked to stay on, it is forgotten.
      expect(must(await setPolicy(admin.browser, false)).body.data).toEqual(first)
      must(await setPolicy(world.deployer, true))
      expect((await policy()).endAskedBy).toBeNull()
      const second = await someone('admin', 'Bea')
      must(await setPolicy(second.browser, false))
      await world.superuser`update approval_policies set end_asked_at = ${new Date(world.clock.now().getTime() - DAY_MS)}`
      expect((await policy()).endAskedBy).toBeNull()
      // The request of the other one is too old to count: this is the first one again.
      expect(must(await setPolicy(admin.browser, false)).body.data.secondPerson).toBe(true)
      expect(must(await setPolicy(second.browser, false)).body.data).toEqual({
        ...{ secondPerson: false, endAskedBy: null, endAskedAt: null },
      })
      expect((await asked()).status).toBe(200)
      const acts = must(await world.deployer.call('GET', '/access/api/audit?operation=setApprovalPolicy')).body.data
        .acts
      expect(acts[0]).toMatchObject({ userName: 'Bea', after: { secondPerson: false } })
      must(await setPolicy(world.deployer, true))
      must(await setPolicy(second.browser, false))
      must(await world.deployer.call('DELETE', `${USERS}/${second.userId}`))
      expect((await policy()).endAskedBy).toBeNull()
      expect(must(await setPolicy(admin.browser, false)).body.data.secondPerson).toBe(true)
    })
  })
})
