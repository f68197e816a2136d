import { dutchAuctionVenueAbi, dutchAuctionVenueBytecode } from '@tallystick/abi'
import { deploy, type Wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import { type LendingWorld, must, V2 } from './lending-world.ts'
import type { LiveMarket, MarketLife } from './market-life.ts'

/** Acts of a market that only the figures look at from outside. */
export function createFiguresLife(world: LendingWorld, life: MarketLife) {
  const { cash, security, deployer, node } = world
  const on = (market: LiveMarket, functionName: string, args: readonly unknown[] = [], account?: Wallet) =>
    life.call(market.marketAddress, abis.market, functionName, args, account)

  return {
    on,

    /** A venue that the market uses; the record follows it, and the deployer's instance reads it. */
    async venue(market: LiveMarket): Promise<Address> {
      const args = [market.marketAddress, security.token, cash, 10n ** 18n]
      const venue = await deploy(node, { abi: dutchAuctionVenueAbi, bytecode: dutchAuctionVenueBytecode, args })
      const address = venue.toLowerCase() as Address
      await on(market, 'setAuctionModule', [address])
      const height = (await node.publicClient.getBlockNumber()) - 1n
      await world.superuser`insert into watched_contracts values (${node.chainId}, ${address}, 'venue', ${height.toString()})`
      await world.superuser`insert into contract_access values (${deployer.instanceId}, ${node.chainId}, ${address}, now())`
      return address
    },

    async get(market: Pick<LiveMarket, 'marketId'>, name: string, party = deployer) {
      return must(await party.get(`${V2}/markets/${market.marketId}/${name}`)).body
    },
  }
}
