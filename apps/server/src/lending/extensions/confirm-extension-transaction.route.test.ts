import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, send, wallet } from '@tallystick/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExtensionsLife, type ExtensionsLife } from '../../../test/lending/extensions-life.ts'
import { must } from '../../../test/lending/lending-world.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, wrappedSnapshot } from '../../../test/lending/setting-faults.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

describe('confirming an extension transaction', () => {
  let world: ProxiedWorld
  let life: ExtensionsLife
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = await createExtensionsLife(world)
  })
  afterAll(() => world.close())

  const sent = async (functionName: string, args: readonly unknown[]) =>
    (await life.on(functionName, args)).transactionHash
  const inner = (functionName: string, args: readonly unknown[]) => ({
    to: life.market.marketAddress,
    data: encodeFunctionData({ abi: abis.market, functionName, args } as never) as Hex,
  })
  const recordingsOf = (txHash: string) =>
    world.superuser`select operation from recordings where tx_hash = ${txHash} order by log_index`

  it('reads the proposal id from the receipt and records the event once', async () => {
    const newDueAt = await life.inDays(60)
    const txHash = await sent('proposeExtension', [2, 0n, BigInt(newDueAt)])
    const { body } = must(await life.report(txHash))
    expect(body.data).toEqual({
      txHash,
      functionName: 'proposeExtension',
      signedBy: world.deployer.wallet.address.toLowerCase(),
      activity: [{ event: 'ExtensionProposed', proposalId: '1', kind: 'FLOOR', newDueAt }],
      appliedLoans: [],
      noOp: false,
    })
    expect(body.metadata.blockNumber).toBeDefined()
    expect(must(await life.report(txHash)).body.data).toEqual(body.data)
    expect(await recordingsOf(txHash)).toEqual([{ operation: 'market.ExtensionProposed' }])
    await world.follow()
    expect(await recordingsOf(txHash)).toHaveLength(1)
  })

  it('tells a page that moved a loan from one that moved none, and ends with the last', async () => {
    const [first, second] = [await life.lend(), await life.lend()]
    const newDueAt = await life.inDays(50)
    const proposed = await sent('proposeExtension', [1, 0n, BigInt(newDueAt)])
    const { proposalId } = must(await life.report(proposed)).body.data.activity[0]
    const id = BigInt(proposalId)
    const confirmed = must(await life.report(await sent('confirmExtension', [id]))).body.data
    expect(confirmed).toMatchObject({ functionName: 'confirmExtension', appliedLoans: [], noOp: false })

    const page = must(await life.report(await sent('applyExtension', [id, [first]]))).body.data
    expect(page).toMatchObject({
      appliedLoans: [String(first)],
      activity: [{ event: 'ExtensionApplied', proposalId, loanId: String(first), newDueAt }],
      noOp: false,
    })
    const again = must(await life.report(await sent('applyExtension', [id, [first]]))).body.data
    expect(again).toMatchObject({ activity: [], appliedLoans: [], noOp: true, outcome: 'NO_LOAN_EXTENDED' })
    expect(again.notice).toContain('skipped')

    await life.repay(life.market, life.borrower, second, 2000)
    const last = must(await life.report(await sent('applyExtension', [id, [second]]))).body.data
    expect(last).toMatchObject({ noOp: true, activity: [{ event: 'ExtensionCompleted', proposalId }] })
  })

  it('takes the switch and a cancellation too', async () => {
    const off = must(await life.report(await sent('setAllowExtension', [false]))).body.data
    expect(off.activity).toEqual([{ event: 'AllowExtensionUpdated', allowed: false }])
    await sent('setAllowExtension', [true])
    const gone = must(await life.report(await sent('cancelExtension', [1n]))).body.data
    expect(gone).toMatchObject({
      functionName: 'cancelExtension',
      activity: [{ event: 'ExtensionCancelled', proposalId: '1' }],
    })
  })

  it('proves what a Safe signed by the log, and names the Safe', async () => {
    const safe = await deploySafe(world.node, [wallet(3), wallet(4)])
    const admin = `0x${'0'.repeat(64)}`
    await sent('grantRole', [admin, safe.address])
    const loanId = await life.lend()
    const newDueAt = BigInt(await life.inDays(80))
    await sent('proposeExtension', [0, loanId, newDueAt])
    const { proposals } = await life.list('?limit=1')
    const { proposalId } = proposals[0]
    const done = await safe.execThroughSafe(inner('confirmExtension', [BigInt(proposalId)]))
    expect(must(await life.report(done.receipt.transactionHash)).body.data).toMatchObject({
      functionName: 'confirmExtension',
      verifiedBy: 'receipt-log',
      signedBy: safe.address.toLowerCase(),
      activity: [
        { event: 'ExtensionConfirmed', proposalId },
        { event: 'ExtensionApplied', proposalId, loanId: String(loanId), newDueAt: Number(newDueAt) },
      ],
      appliedLoans: [String(loanId)],
    })
    const failed = await safe.execThroughSafe(inner('confirmExtension', [BigInt(proposalId)]))
    expect(failed.innerSucceeded).toBe(false)
    expectRefusal(await life.report(failed.receipt.transactionHash), 400, 'TX_REVERTED')
  })

  it('records everything that one multicall did', async () => {
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    await sent('grantRole', [`0x${'0'.repeat(64)}`, caller])
    const { proposals } = await life.list('?limit=1')
    const next = BigInt(proposals[0].proposalId) + 1n
    await sent('proposeExtension', [2, 0n, BigInt(await life.inDays(90))])
    const calls = [inner('setAllowExtension', [true]), inner('confirmExtension', [next])]
    const list = calls.map(({ to, data }) => ({ target: to, value: 0n, callData: data }))
    const { transactionHash } = await send(world.node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [list, false],
    })
    const { data } = must(await life.report(transactionHash)).body
    expect(data).toMatchObject({ functionName: 'confirmExtension', verifiedBy: 'receipt-log' })
    expect(data.activity.map(({ event }: { event: string }) => event)).toEqual([
      'AllowExtensionUpdated',
      'ExtensionConfirmed',
      'ExtensionFloorRaised',
    ])
    expect(await recordingsOf(transactionHash)).toEqual([
      { operation: 'market.AllowExtensionUpdated' },
      { operation: 'market.ExtensionConfirmed' },
    ])
  })

  it('refuses every hash that proves nothing', async () => {
    const target = life.market.marketAddress
    await expectTransactionFaults(world, {
      confirm: life.report,
      target,
      other: { abi: abis.market, functionName: 'pokeSnapshot' },
    })
    const touched = await wrappedSnapshot(world, target)
    expectRefusal(await life.report(touched), 400, 'TX_NOT_VERIFIED')
    expectRefusal(await world.withoutNode(() => life.report(touched)), 503, 'CHAIN_UNAVAILABLE')
    for (const body of [{}, { txHash: '0x1' }, { txHash: touched, kind: 'LOAN' }])
      expectRefusal(await world.deployer.post(life.path('/confirm-tx'), body), 400, 'VALIDATION_ERROR')
  })
})
