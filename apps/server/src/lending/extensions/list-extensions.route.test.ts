import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExtensionsLife, DAY, type ExtensionsLife } from '../../../test/lending/extensions-life.ts'
import { must } from '../../../test/lending/lending-world.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'

describe('listing extension proposals', () => {
  let world: ProxiedWorld
  let life: ExtensionsLife
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = await createExtensionsLife(world)
  })
  afterAll(() => world.close())

  const ids = (list: { proposals: { proposalId: string }[] }) => list.proposals.map(({ proposalId }) => proposalId)

  it('is empty where nothing was proposed, and costs one round trip', async () => {
    expect(await life.list()).toEqual({ proposals: [], chainReadFailed: false, limit: 50, nextCursor: null })
    expect(await world.roundTrips(() => life.list())).toBe(1)
  })

  it('previews a batch loan by loan: which would move, which are skipped and why', async () => {
    const [moves, later, closed] = [await life.lend(), await life.lend(), await life.lend()]
    const newDueAt = await life.inDays(40)
    await life.on('proposeExtension', [0, later, BigInt(newDueAt + DAY)])
    await life.on('confirmExtension', [1n])
    await life.repay(life.market, life.borrower, closed, 2000)
    await life.on('setTermConfig', [0n, BigInt(3 * DAY), 0n, 0n])
    const untermed = await life.lend()
    await life.on('setTermConfig', [BigInt(30 * DAY), BigInt(3 * DAY), 0n, 0n])
    const id = await life.proposed({ kind: 'BATCH', newDueAt })
    const after = await life.lend()

    const check = async () => {
      const { proposals } = await life.list()
      expect(proposals[0]).toMatchObject({ proposalId: id, kind: 'BATCH', maxLoanId: String(untermed), newDueAt })
      const { touched, skipped, complete } = proposals[0].preview
      expect(touched).toEqual([{ loanId: String(moves), currentDueAt: expect.any(Number), newDueAt }])
      expect(skipped).toEqual([
        { loanId: String(later), reason: 'ALREADY_LATER' },
        { loanId: String(closed), reason: 'CLOSED' },
        { loanId: String(untermed), reason: 'NO_MATURITY' },
      ])
      expect(complete).toBe(true)
    }
    // Before the follower saw any of it, and after.
    await check()
    await world.follow()
    await check()
    expect(await world.roundTrips(() => life.list())).toBe(1)

    const floor = await life.proposed({ kind: 'FLOOR', newDueAt })
    const { proposals } = await life.list()
    expect(proposals[0].proposalId).toBe(floor)
    expect(proposals[0].preview.touched.map(({ loanId }: { loanId: string }) => loanId)).toEqual([
      String(moves),
      String(after),
    ])
    expect(proposals[0].preview.skipped.map(({ loanId }: { loanId: string }) => loanId)).toEqual([
      String(later),
      String(untermed),
    ])
  })

  it('tells how each proposal stands, newest first', async () => {
    await world.follow()
    const [floor, batch, loan] = (await life.list()).proposals
    expect(loan).toMatchObject({
      proposalId: '1',
      kind: 'LOAN',
      confirmed: true,
      consumed: true,
      cancelled: false,
      recorded: true,
      recordedByThisInstance: false,
      proposedBy: world.deployer.wallet.address.toLowerCase(),
      onChain: true,
      preview: null,
      appliedCount: null,
    })
    expect(batch).toMatchObject({ confirmed: false, consumed: false, expired: false, recordedByThisInstance: true })
    await life.done(floor.proposalId, 'cancel')
    await life.done(batch.proposalId, 'confirm')
    const loanIds = batch.preview.touched.map(({ loanId }: { loanId: string }) => loanId)
    await life.done(batch.proposalId, 'apply', { loanIds })
    const [cancelled, applied] = (await life.list()).proposals
    expect(cancelled).toMatchObject({ consumed: true, cancelled: true, confirmed: false })
    expect(cancelled.cancelTxHash).toMatch(/^0x/)
    expect(applied).toMatchObject({ confirmed: true, consumed: false, cancelled: false, appliedCount: 1 })
    // A batch goes on where it stands: the first loan is done.
    expect(applied.preview.touched).toEqual([])
    expect(applied.preview.skipped[0].reason).toBe('ALREADY_LATER')
    await life.done(batch.proposalId, 'apply', { loanIds: [2, 3, 4] })
    await world.follow()
    const [, complete] = (await life.list()).proposals
    expect(complete).toMatchObject({ consumed: true, cancelled: false, confirmed: true, preview: null })
  })

  it('shows its own record when the chain cannot be read, and says so', async () => {
    const live = await life.list()
    const { proposals, chainReadFailed, nextCursor } = await world.withoutNode(() => life.list())
    expect([chainReadFailed, nextCursor]).toEqual([true, null])
    expect(proposals).toEqual(
      live.proposals.map((one: object) => ({ ...one, expired: null, onChain: null, preview: null })),
    )
    const broken = await world.withBroken(life.market.marketAddress, () => life.list())
    expect(broken.chainReadFailed).toBe(true)
  })

  it('marks a proposal that expired, and one that only the chain knows', async () => {
    await life.on('proposeExtension', [1, 0n, BigInt(await life.inDays(200))])
    const [unseen] = (await life.list()).proposals
    expect(unseen).toMatchObject({
      recorded: false,
      recordedByThisInstance: null,
      proposedBy: null,
      proposeTxHash: null,
      appliedCount: null,
      onChain: true,
    })
    await life.on('cancelExtension', [BigInt(unseen.proposalId)])
    expect((await life.list()).proposals[0]).toMatchObject({ consumed: true, cancelled: null })
    await life.on('proposeExtension', [1, 0n, BigInt(await life.inDays(200))])
    await life.travel(7 * DAY + 1)
    expect((await life.list()).proposals[0]).toMatchObject({ expired: true, consumed: false, preview: null })
  })

  it('pages, also when far more was proposed than the follower has seen', async () => {
    const newDueAt = BigInt(await life.inDays(300))
    for (let count = 0; count < 12; count++) await life.on('proposeExtension', [1, 0n, newDueAt])
    const all = ids(await life.list())
    expect(all).toEqual(Array.from({ length: all.length }, (_, index) => String(all.length - index)))
    const seen: string[] = []
    let query = '?limit=7'
    for (;;) {
      const page = await life.list(query)
      expect(page.limit).toBe(7)
      seen.push(...ids(page))
      if (page.nextCursor === null) break
      query = `?limit=7&cursor=${page.nextCursor}`
    }
    expect(seen).toEqual(all)
    expect((await life.list('?limit=many')).limit).toBe(50)
    expect((await life.list('?limit=1000')).limit).toBe(100)
    const refused = await world.deployer.get(`${life.path()}?cursor=first`)
    expectRefusal(refused, 400, 'VALIDATION_ERROR')
  })

  it('shows another instance that recorded the market the same proposals', async () => {
    expectRefusal(await world.outsider.get(life.path()), 404, 'MARKET_NOT_FOUND')
    must(await world.deployer.get(life.path()))
  })
})
