import { rawTransaction } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noticesOf } from '../notary-world.ts'
import { createLendingWorld, type LendingWorld, must, units } from './lending-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement } from './story-checks.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

/** The chain takes a block back in which a loan was opened; later the same transaction is mined again. */
describe('the story of a loan that a reorganization undid', () => {
  let world: LendingWorld
  let stage: Stage
  let txHash: Hex
  let raw: Hex
  let positionId: string
  let empty: Stage['shadow']['state']

  beforeAll(async () => {
    world = await createLendingWorld()
    stage = await raiseMarket(world)
  })
  afterAll(() => world.close())

  const { borrower } = cast
  const rpc = (method: string, params: unknown[]): Promise<unknown> =>
    world.node.testClient.request({ method, params } as never)
  const userLoans = async () => (await stage.read(stage.position(`user-loans/${borrower.address}`))).data.loans
  const positions = async () => (await stage.read(stage.position('positions'))).data.positions
  const statement = () => world.lender.get(stage.position(`positions/${positionId}/statement`))
  const ledger = async () =>
    (await stage.read(stage.ofMarket('transactions'))).data.transactions.filter(
      (one: { positionId: string | null }) => one.positionId !== null,
    )

  it('is opened, and everybody is told', async () => {
    await world.follow()
    empty = stage.shadow.state
    const opened = await stage.open('borrower', 1_000, 50_000)
    txHash = opened.txHash
    positionId = opened.data.positionId
    raw = await rawTransaction(world.node, txHash)
    await world.follow()
    await expectAgreement(stage)
    expect(await userLoans()).toMatchObject([{ loanId: '1', principal: '50000' }])
    expect(await positions()).toMatchObject([{ id: positionId, status: 'ACTIVE' }])
    expect((await statement()).status).toBe(200)
    expect(await ledger()).not.toEqual([])
  })

  it('is gone with its block: no loan, no position, no line, no statement', async () => {
    await rpc('anvil_reorg', [1, []])
    await world.follow()
    stage.shadow.restore(empty)
    const loan = await world.lender.get(stage.position('loan/1'))
    expect([loan.status, loan.body.error.code]).toEqual([404, 'LOAN_NOT_FOUND'])
    expect([await userLoans(), await positions(), await ledger()]).toEqual([[], [], []])
    for (const answer of [await statement(), await world.lender.get(stage.position(`positions/${positionId}`))])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'POSITION_NOT_FOUND'])
    const collateral = (await stage.read(stage.position(`user-collateral/${borrower.address}`))).data.collateral
    expect(collateral).toBe('0')
    await expectAgreement(stage)
  })

  it('leaves a notice, and a hash that proves nothing any more', async () => {
    expect(new Set(await noticesOf(world.superuser, txHash))).toEqual(new Set(['FACT_ORPHANED']))
    const again = await world.lender.post(stage.position('open-loan'), { txHash })
    expect([again.status, again.body.error.code]).toEqual([404, 'TX_NOT_FOUND'])
  })

  it('is there again when the transaction is mined again, with the figures of its new block', async () => {
    await rpc('eth_sendRawTransactionSync', [raw])
    const { at, data } = await confirmed()
    stage.shadow.take('openLoan', 'borrower', { collateral: units(1_000), amount: units(50_000, 6) }, at)
    expect(data).toMatchObject({ loanId: '1', positionId, borrowAmount: '50000' })
    await world.follow()
    await expectAgreement(stage)
    expect(await positions()).toMatchObject([{ id: positionId, status: 'ACTIVE' }])
    expect((await statement()).status).toBe(200)
  })

  async function confirmed() {
    const { data } = must(await world.lender.post(stage.position('open-loan'), { txHash })).body
    return { data, at: await stage.timeOf(txHash) }
  }
})
