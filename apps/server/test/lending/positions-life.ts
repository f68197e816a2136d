import { demoCashAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { type Wallet, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import { type LendingWorld, must, units } from './lending-world.ts'
import type { LiveMarket, MarketLife } from './market-life.ts'

export const V1 = '/lending-external-securities/api'
export const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' }
export const lower = ({ address }: { address: string }) => address.toLowerCase()

/** What happens to loans, and how they are asked for. */
export function createPositionsLife(world: LendingWorld, life: MarketLife) {
  const { security, cash, deployer, node } = world
  const on = (market: LiveMarket, functionName: string, args: readonly unknown[] = [], account?: Wallet) =>
    life.call(market.marketAddress, abis.market, functionName, args, account)
  const path = (market: Pick<LiveMarket, 'marketId'>, rest: string) => `${V1}/positions/${market.marketId}/${rest}`

  return {
    on,
    path,
    get: (market: LiveMarket, rest: string) => deployer.get(path(market, rest)),
    read: async (market: LiveMarket, rest: string) => must(await deployer.get(path(market, rest))).body.data,

    /** A second later: the oracle takes no price of the same one, and steps before may have brought one. */
    async price(market: LiveMarket, whole: bigint) {
      await life.travel(1)
      return life.call(market.oracle, abis.oracle, 'updatePrice', [whole * 1_000_000n])
    },

    /** Sells what the router holds for a record, and settles it with this much cash. */
    async settle(market: LiveMarket, liquidationId: bigint, whole: number): Promise<void> {
      const router = (functionName: string, args: readonly unknown[]) =>
        life.call(market.router, abis.router, functionName, args)
      const { collateralAmount } = await node.publicClient.readContract({
        address: market.router,
        abi: abis.router,
        functionName: 'liquidation',
        args: [liquidationId],
      })
      await router('withdrawCollateralForSale', [liquidationId, collateralAmount])
      await life.call(cash, demoCashAbi, 'mint', [deployer.wallet.address, units(whole, 6)])
      await life.call(cash, demoCashAbi, 'approve', [market.router, units(whole, 6)])
      await router('settleLiquidation', [liquidationId, units(whole, 6)])
    },

    /** The token's agent recovers a lost wallet, and the loan follows it. */
    async recover(market: LiveMarket, loanId: bigint, lost: Wallet, found: Wallet): Promise<void> {
      const token = (functionName: string, args: readonly unknown[]) =>
        life.call(security.token, demoSecurityAbi, functionName, args)
      const ask = (functionName: 'balanceOf' | 'getFrozenTokens', account: Address) =>
        node.publicClient.readContract({ address: security.token, abi: demoSecurityAbi, functionName, args: [account] })
      await life.call(security.registry, demoIdentityRegistryAbi, 'registerIdentity', [
        found.address,
        lost.address,
        276,
      ])
      await token('unfreezePartialTokens', [lost.address, await ask('getFrozenTokens', lost.address)])
      await token('forcedTransfer', [lost.address, found.address, await ask('balanceOf', lost.address)])
      await on(market, 'rebindPledge', [loanId, found.address])
    },

    payer: wallet(6),
  }
}
