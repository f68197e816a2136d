import { planLendingSuite } from '@tallystick/deployer'
import {
  connectTestCluster,
  deployOtherImplementation,
  startTestChain,
  type TestChain,
  transact,
  wallet,
} from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { run } from './program.ts'
import { type Tally, tallyOn } from './tally.ts'

const owner = wallet(2)
const platformWallet = wallet(4).address
const plan = planLendingSuite({ owner: owner.address, platformWallet })
const options = ['--owner', owner.address, '--platform-wallet', platformWallet]

describe('tally contracts', () => {
  let chain: TestChain
  let drop: () => Promise<void>
  let env: Record<string, string>
  let tally: Tally

  beforeAll(async () => {
    chain = await startTestChain()
    const database = await (await connectTestCluster(inject('clusterUrl'))).cloneDatabase(TEMPLATE)
    drop = database.drop
    env = { DATABASE_URL: database.url, RPC_URL: chain.url }
    tally = tallyOn(env)
  })
  afterAll(async () => {
    await drop()
    await chain.stop()
  })

  async function sign(transactions: readonly { to: Address; data: Hex; value: string; signer: string }[]) {
    for (const { to, data, value, signer } of transactions) {
      const account = signer === 'owner' ? owner : wallet(7)
      await transact(chain, account, { to, data, value: BigInt(value), gas: 14_000_000n })
    }
  }

  it('prints what is left to sign of the lending contracts, and records them when nothing is', async () => {
    const first = await tally.does('contracts', 'deploy', 'lending', ...options)
    expect(first.missing).toHaveLength(plan.steps.length)
    expect(first.missing[0]).toEqual({
      to: plan.steps[0]?.to,
      data: plan.steps[0]?.data,
      value: '0',
      chainId: 31_337,
      description: plan.steps[0]?.description,
      signer: 'anyone',
    })
    await sign(first.missing.slice(0, 11))
    const rest = await tally.answers('contracts', 'deploy', 'lending', ...options)
    expect(rest).toEqual({ missing: first.missing.slice(11), recorded: [] })
    await sign(rest.missing)
    const { missing, recorded } = await tally.answers('contracts', 'deploy', 'lending', ...options)
    expect(missing).toEqual([])
    expect(recorded).toContainEqual({ name: 'LendingFactory', address: plan.suite.factory })
    expect(recorded).toHaveLength(Object.keys(plan.contracts).length)
    const verified = await tally.answers('contracts', 'verify')
    expect(verified).toHaveLength(recorded.length)
    for (const one of verified) expect(one).toMatchObject({ hasCode: true, isOurs: true })
    expect(await tally.answers('contracts', 'deploy', 'lending-implementations', ...options.slice(2))).toMatchObject({
      missing: [],
    })
  })

  it('records what stands by its address, and says when it is not ours', async () => {
    const { recorded } = await tally.answers('contracts', 'record', 'LendingFactory', plan.suite.factory)
    expect(recorded).toHaveLength(Object.keys(plan.contracts).length)
    expect(await tally.explains('contracts', 'record', 'LendingFactory', plan.suite.router)).toBe(
      `The code at ${plan.suite.router} is no build of LendingFactory that is known.`,
    )
  })

  it('prints what is left to sign of the trading contracts', async () => {
    const parties = ['--owner', owner.address, '--operator', owner.address, '--fee-recipient', platformWallet]
    const { missing } = await tally.answers('contracts', 'deploy', 'trading', ...parties)
    expect(missing.map(({ description }: { description: string }) => description.split(' ')[1])).toEqual([
      'VaultModule',
      'TradingVaultImplementation',
      'StockTradingVault',
      'CommodityTradingVault',
      'SignedOrderSettlement',
    ])
  })

  it('prints the call that serves a newer implementation', async () => {
    const newer = await deployOtherImplementation(chain, { factory: plan.suite.factory, version: 3 })
    const { missing } = await tally.answers('contracts', 'set-implementation', 'insuranceFund', newer)
    expect(missing).toMatchObject([{ to: plan.suite.factory, signer: 'owner', value: '0' }])
    expect(
      await tally.explains('contracts', 'set-implementation', 'router', plan.suite.router.replace('0x', '')),
    ).toMatch(/^This is no address/)
    expect(await tally.explains('contracts', 'set-implementation', 'insuranceFund', plan.suite.factory)).toBe(
      `${plan.suite.factory} is no implementation of the factory ${plan.suite.factory}.`,
    )
  })

  it('tells what is missing or wrong in one line', async () => {
    expect(await tally.explains('contracts', 'deploy', 'lending', ...options.slice(2))).toBe(
      'Lending needs --owner and --platform-wallet.',
    )
    expect(await tally.refuses('contracts', 'deploy', 'lending-implementations')).toBe(
      'New implementations need --platform-wallet.',
    )
    expect(await tally.explains('contracts', 'deploy', 'lending', '--owner', `0x${'0'.repeat(40)}`)).toMatch(
      /^This is no address that anybody has: "0x0+"[.]$/,
    )
    expect(
      await tally.explains('contracts', 'deploy', 'lending', '--owner', platformWallet, ...options.slice(2)),
    ).toMatch(new RegExp(`^The LendingFactory on record is ${plan.suite.factory}, this would be another one`))
  })

  it('fails to verify when one contract is no longer ours, and shows which', async () => {
    const address = plan.suite.insuranceFund
    const code = (await chain.publicClient.getCode({ address })) ?? '0x'
    await chain.testClient.setCode({ address, bytecode: `${code}00` })
    const program = await run('cli', { env, args: ['contracts', 'verify'] })
    expect(await program.ended).toBe(1)
    const strange = (JSON.parse(program.stdout()) as { name: string; isOurs: boolean }[]).filter((one) => !one.isOurs)
    expect(strange).toEqual([{ name: 'InsuranceFundImplementation', address, hasCode: true, isOurs: false }])
  })
})
