import { demoIdentityRegistryAbi } from '@tallystick/abi'
import { transact, type Wallet, wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { abis } from '../../src/lending/contracts.ts'
import type { TestAnswer } from '../world.ts'
import { createFeesLife } from './fees-life.ts'
import { createFiguresLife } from './figures-life.ts'
import { must, type Party, units } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'
import type { ProxiedWorld } from './proxied-world.ts'
import { V1 } from './setup-helpers.ts'

export const HASH = `0x${'1'.repeat(64)}`
/** Not a checksum of anything. */
export const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }
const PAR = units(100, 6)

export interface Seizure {
  readonly loanId: bigint
  readonly id: bigint
  readonly realizationId: bigint
  readonly txHash: Hex
}

/** Loans that go under, and what is done with what was seized. */
export function createRouterLife(world: ProxiedWorld) {
  const fees = createFeesLife(world)
  const figures = createFiguresLife(world, fees)
  const { deployer, node, superuser } = world

  const read = fees.read

  async function seize(market: LiveMarket, loanId: bigint): Promise<Seizure> {
    const args = [loanId, noPrice]
    const { logs, transactionHash } = await fees.amply(market.marketAddress, abis.market, 'liquidate', args)
    const [taken] = parseEventLogs({ abi: abis.market, eventName: 'LoanLiquidated', logs })
    const [received] = parseEventLogs({ abi: abis.router, eventName: 'CollateralReceived', logs })
    if (!taken) throw new Error('nothing was seized')
    const { realizationId } = taken.args
    return { loanId, id: received?.args.liquidationId ?? 0n, realizationId, txHash: transactionHash }
  }

  const self = {
    ...fees,
    seize,

    venue: figures.venue,

    /** Opened at 100, unhealthy at 80, and seized: half of the debt is claimed, the loan stays open. */
    async seized(
      market: LiveMarket,
      {
        borrower = wallet(3),
        collateral = 1_000,
        amount = 70_000,
        mode = 'FREEZE',
      }: { borrower?: Wallet; collateral?: number; amount?: number; mode?: 'FREEZE' | 'CUSTODY' } = {},
    ): Promise<Seizure> {
      await fees.priceTo(market, PAR)
      const loanId = await fees.openLoan(market, borrower, { collateral, amount, mode })
      await fees.priceTo(market, units(80, 6))
      return seize(market, loanId)
    },

    /** Auctions on a market whose venue is wired, authorized and admitted. */
    async auctions(market: LiveMarket): Promise<Address> {
      const venue = await figures.venue(market)
      await fees.call(market.router, abis.router, 'authorizeLendingMarket', [venue, true])
      await fees.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [venue, venue, 276])
      await self.switchAuctions(market, true)
      return venue
    },

    async switchAuctions(market: LiveMarket, useDutchAuction: boolean): Promise<void> {
      const config = await read<Record<string, unknown>>(market.marketAddress, abis.market, 'config')
      await fees.call(market.marketAddress, abis.market, 'setConfig', [{ ...config, useDutchAuction }])
    },

    liquidation: (market: LiveMarket, id: bigint) =>
      read<{ collateralAmount: bigint; collateralRemaining: bigint; debtOwed: bigint; proceedsCollected: bigint }>(
        market.router,
        abis.router,
        'liquidation',
        [id],
      ),

    realization: (market: LiveMarket, id: bigint) =>
      read<{ claim: bigint; floorValue: bigint; held: bigint; principalOwed: bigint }>(
        market.marketAddress,
        abis.market,
        'realization',
        [id],
      ),

    /** Everything out for sale. */
    async takeOut(market: LiveMarket, id: bigint): Promise<void> {
      const { collateralRemaining } = await self.liquidation(market, id)
      await fees.call(market.router, abis.router, 'withdrawCollateralForSale', [id, collateralRemaining])
    },

    /** A write about a liquidation. */
    on: (path: string, id: bigint | string, body: Record<string, unknown> = {}, party: Party = deployer) =>
      party.post(
        path === 'sell' ? `${V1}/liquidations/liquidation/${id}/sell` : `${V1}/liquidations/${path}/${id}`,
        body,
      ),

    /** Signs what a build says, in order and with the gas that it says, where it says any; the hash of the last. */
    async signAll(built: TestAnswer, account: Wallet = deployer.wallet): Promise<Hex> {
      const { steps, transaction, gasLimit } = must(built).body.data
      const calls: { to: Address; data: Hex }[] = steps
        ? steps.map((step: { transaction: { to: Address; data: Hex } }) => step.transaction)
        : [transaction]
      let last: Hex = '0x'
      for (const { to, data } of calls) {
        const gas = gasLimit === undefined ? 1_000_000n : BigInt(gasLimit)
        last = (await transact(node, account, { to, data, gas })).transactionHash
      }
      return last
    },

    /** While the instance has another wallet than its own, or none. */
    async withWallet<T>(address: Address | null, work: () => Promise<T>, party: Party = deployer): Promise<T> {
      const rows = await superuser`select * from wallets where instance_id = ${party.instanceId}`
      await superuser`delete from wallets where instance_id = ${party.instanceId}`
      const [first] = rows
      if (address && first)
        await superuser`insert into wallets ${superuser({ ...first, address: address.toLowerCase() })}`
      return work().finally(async () => {
        await superuser`delete from wallets where instance_id = ${party.instanceId}`
        await superuser`insert into wallets ${superuser(rows)}`
      })
    },
  }
  return self
}

export type RouterLife = ReturnType<typeof createRouterLife>

export function refusal(answer: TestAnswer, status: number, code: string) {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  return answer.body.error
}
