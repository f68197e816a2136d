import { demoCashAbi } from '@tallystick/abi'
import { send, type Wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { expect } from 'vitest'
import { type LendingWorld, must, units, V2 } from './lending-world.ts'
import { createMarketLife } from './market-life.ts'
import { createActing } from './story-act.ts'
import { bringUp, cast, type MarketRequest, V1 } from './story-birth.ts'
import { modelConfig, newestSeizure, seizedBetween } from './story-books.ts'

interface StageRequest extends MarketRequest {
  /** Settings of the market that are not those of its birth. */
  readonly config?: Record<string, unknown>
}

/** A market with money in it, and those who act on it: the lender's instance builds, everybody signs with his own wallet. */
export async function raiseMarket(world: LendingWorld, request: StageRequest = {}) {
  const { node, lender } = world
  const { act, timeOf } = createActing(world)
  const { travel } = createMarketLife(world)
  const { market, record, deployerRecord, shadow, collateral, cash } = await bringUp(world, request)

  const self = {
    world,
    market,
    /** The lender's own record of the market. */
    record,
    /** The deployer's. */
    deployerRecord,
    shadow,
    act,
    timeOf,
    position: (rest: string) => `${request.prefix ?? V1}/positions/${record}/${rest}`,
    liquidation: (rest: string) => `${request.prefix ?? V1}/liquidations/${rest}`,
    ofMarket: (rest: string) => `${request.prefix ?? V2}/markets/${record}/${rest}`,
    read: async (path: string) => must(await lender.get(path)).body,

    /** Demo tokens come from nowhere. */
    giveCash: (to: Wallet, whole: number) =>
      send(node, { address: cash, abi: demoCashAbi, functionName: 'mint', args: [to.address, units(whole, 6)] }),
    giveCollateral: (to: Wallet, whole: number) => collateral.mint(to.address, units(whole)),
    collateralToken: collateral.token,
    balanceOf: (account: Address, token: Address = cash) =>
      node.publicClient.readContract({ address: token, abi: demoCashAbi, functionName: 'balanceOf', args: [account] }),
    travel,

    /** All settings, with these changed. */
    async configure(changed: Record<string, unknown>): Promise<void> {
      const path = self.ofMarket('config')
      const { data: config } = await self.read(path)
      const { at, data } = await act(lender, path, { config: { ...config, ...changed } })
      shadow.take('setConfig', 'admin', { config: modelConfig(data.config) }, at)
    },

    /** The lender's price, an hour after the last one. */
    async price(whole: number): Promise<void> {
      await travel(3_700)
      const { at } = await act(lender, self.ofMarket('sync-oracle'), { price: String(whole) })
      shadow.take('updatePrice', 'signer', { price: units(whole, 6) }, at)
    },

    async provide(whole: number) {
      await self.giveCash(lender.wallet, whole)
      const acted = await act(lender, self.position('add-liquidity'), {
        amount: String(whole),
        provider: lender.wallet.address,
      })
      shadow.take('addLiquidity', 'lenderA', { amount: units(whole, 6) }, acted.at)
      return acted
    },

    /** Opened by a wallet of the cast that gets the collateral first. */
    async open(who: keyof typeof cast, pledged: number, amount: number) {
      const by = cast[who]
      await self.giveCollateral(by, pledged)
      const wished = { collateralAmount: String(pledged), borrowAmount: String(amount) }
      const path = self.position('open-loan')
      const acted = await act(lender, path, { ...wished, borrowerAddress: by.address }, { by })
      shadow.take('openLoan', who, { collateral: units(pledged), amount: units(amount, 6) }, acted.at)
      return acted
    },

    /** Seized by the liquidator, with what the lender's instance built for it. */
    async liquidate(loanId: number) {
      const by = cast.liquidator
      const path = self.liquidation(`${record}/liquidate/${loanId}`)
      const args = { loanId: BigInt(loanId) }
      const acted = await act(lender, path, { signerAddress: by.address }, { by })
      const imagined = shadow.imagine('liquidate', 'liquidator', args, acted.foretoldAt)
      const foretold = newestSeizure(imagined)
      const pledged = shadow.state.loans.get(args.loanId)?.collateral ?? 0n
      expect(acted.built.forecast).toMatchObject({
        claim: shadow.asset(foretold.claim),
        collateralTaken: shadow.collateral(seizedBetween(shadow.state, imagined)),
        collateralReturned: shadow.collateral(foretold.isTerm ? pledged - seizedBetween(shadow.state, imagined) : 0n),
        floorValue: shadow.asset(foretold.floorValue),
        writtenOffAtSeizure: shadow.asset(foretold.beyond),
      })
      shadow.take('liquidate', 'liquidator', args, acted.at)
      const taken = newestSeizure(shadow.state)
      expect(acted.data).toMatchObject({
        marketLiquidationId: String(shadow.state.realizations.size),
        debtRepaid: shadow.asset(taken.claim),
        writtenOffAtSeizure: shadow.asset(taken.beyond),
        termRealization: taken.isTerm,
      })
      return acted
    },
  }
  if (request.config) await self.configure(request.config)
  await self.provide(200_000)
  return self
}

export type Stage = Awaited<ReturnType<typeof raiseMarket>>
