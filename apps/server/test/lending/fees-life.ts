import { demoCashAbi, lendingFactoryAbi, lendingVaultAbi, lendingVaultBytecode } from '@tallystick/abi'
import { firstGenerationVaultAbi, firstGenerationVaultBytecode } from '@tallystick/abi/testing'
import { deploy, send, type Wallet, wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import { type LendingWorld, units } from './lending-world.ts'
import { createMarketLife, type LiveMarket } from './market-life.ts'

const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }
const YEAR = 365 * 86_400

/** Markets that earn: interest, flat fees, liquidations, a fund and vaults, straight on chain. */
export function createFeesLife(world: LendingWorld) {
  const { node, cash, deployer } = world
  const life = createMarketLife(world)
  const owner = deployer.wallet
  const on = life.call

  const read = <T>(address: Address, abi: readonly unknown[], functionName: string, args: readonly unknown[] = []) =>
    node.publicClient.readContract({ address, abi, functionName, args } as never) as Promise<T>

  async function giveCash(to: Wallet, spender: Address, amount: bigint): Promise<void> {
    await on(cash, demoCashAbi, 'mint', [to.address, amount])
    await on(cash, demoCashAbi, 'approve', [spender, amount], to)
  }

  /** An estimate can be too low here: the market insists on gas in hand before it asks the fund. */
  const amply = (address: Address, abi: readonly unknown[], functionName: string, args: readonly unknown[]) =>
    send(node, { address, abi, functionName, args, gas: 5_000_000n })

  const self = {
    ...life,
    read,
    giveCash,
    amply,

    /** What markets deployed from now on charge for opening and repaying. */
    flatFees: (open: bigint, repay: bigint) =>
      send(node, {
        address: world.suite.factory,
        abi: lendingFactoryAbi,
        functionName: 'setDefaultFees',
        args: [open, repay],
      }),

    /** Adopted, admitted and funded; borrowers are wallets 3 and 4. */
    async earning(request: Record<string, unknown> = {}, whole = 200_000): Promise<LiveMarket> {
      const market = await life.adopted(request)
      await life.admit(market, [wallet(3).address, wallet(4).address, owner.address])
      if (whole > 0) await life.fund(market, whole)
      return market
    },

    async insuranceRate(market: LiveMarket, protocolFeeBps: number): Promise<void> {
      const config = await read<Record<string, unknown>>(market.marketAddress, abis.market, 'config')
      await on(market.marketAddress, abis.market, 'setConfig', [{ ...config, protocolFeeBps }])
    },

    /** A loan that paid a year's interest, so that every leg has something to pay. */
    async repaidYear(market: LiveMarket, amount = 10_000, mode: 'FREEZE' | 'CUSTODY' = 'FREEZE'): Promise<bigint> {
      await self.travelFresh(market, 1)
      const loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount, mode })
      await self.travelFresh(market, YEAR)
      await life.repay(market, wallet(3), loanId, amount * 2)
      return loanId
    },

    /** Moves the clock and brings the price up to date, so that lending goes on. */
    async travelFresh(market: LiveMarket, seconds: number): Promise<void> {
      await life.travel(seconds)
      const price = await read<bigint>(market.oracle, abis.oracle, 'price')
      await self.price(market, price)
    },

    price: (market: LiveMarket, price: bigint) => on(market.oracle, abis.oracle, 'updatePrice', [price]),

    /** In steps and hours that the oracle allows. */
    async priceTo(market: LiveMarket, goal: bigint): Promise<void> {
      for (;;) {
        const now = await read<bigint>(market.oracle, abis.oracle, 'price')
        const lowest = (now * 55n) / 100n
        const highest = (now * 145n) / 100n
        await life.travel(2 * 3_600)
        const next = goal < lowest ? lowest : goal > highest ? highest : goal
        await self.price(market, next)
        if (next === goal) return
      }
    },

    /** Realizes a loan on the router; the ids of the record there and in the market. */
    async liquidate(market: LiveMarket, loanId: bigint): Promise<{ liquidationId: bigint; realizationId: bigint }> {
      const { logs } = await amply(market.marketAddress, abis.market, 'liquidate', [loanId, noPrice])
      const [received] = parseEventLogs({ abi: abis.router, eventName: 'CollateralReceived', logs })
      if (!received) throw new Error('the router received nothing')
      return received.args
    },

    /** Sells everything a liquidation has left, for this much. */
    async settle(market: LiveMarket, liquidationId: bigint, proceeds: bigint): Promise<void> {
      const { collateralRemaining } = await read<{ collateralRemaining: bigint }>(
        market.router,
        abis.router,
        'liquidation',
        [liquidationId],
      )
      if (collateralRemaining > 0n)
        await on(market.router, abis.router, 'withdrawCollateralForSale', [liquidationId, collateralRemaining])
      await giveCash(owner, market.router, proceeds)
      await amply(market.router, abis.router, 'settleLiquidation', [liquidationId, proceeds])
    },

    async topUp(market: LiveMarket, whole: number): Promise<void> {
      await giveCash(owner, market.fund, units(whole, 6))
      await on(market.fund, abis.fund, 'topUp', [units(whole, 6)])
    },

    /** A vault of the operator with this much of investors' money, and a cap for a market from the start. */
    async vault(
      whole = 0,
      {
        owner: holder = owner,
        asset = cash,
        caps = [],
      }: { owner?: Wallet; asset?: Address; caps?: readonly [market: LiveMarket, whole: number][] } = {},
    ) {
      const named = caps.map(([{ marketAddress }, cap]) => ({ market: marketAddress, cap: units(cap, 6) }))
      const args = ['Vault', 'VLT', asset, holder.address, world.suite.factory, named]
      const created = await deploy(node, { abi: lendingVaultAbi, bytecode: lendingVaultBytecode, args })
      const address = created.toLowerCase() as Address
      if (whole > 0) {
        await giveCash(wallet(5), address, units(whole, 6))
        await on(address, abis.vault, 'deposit', [units(whole, 6), wallet(6).address], wallet(5))
      }
      return address
    },

    /** A vault of the first generation, as deployed before there were announcements. */
    async firstVault(asset = cash): Promise<Address> {
      const contract = { abi: firstGenerationVaultAbi, bytecode: firstGenerationVaultBytecode }
      const created = await deploy(node, { ...contract, args: ['First', 'FST', asset, owner.address] })
      return created.toLowerCase() as Address
    },

    /** Registered and switched on. */
    async connect(market: LiveMarket, vault: Address): Promise<void> {
      await on(market.marketAddress, abis.market, 'registerVault', [vault])
      await on(market.marketAddress, abis.market, 'setVaultLiquidity', [true])
    },

    /** Capped from its creation, registered and switched on. */
    async connectedVault(market: LiveMarket, whole: number, cap: number): Promise<Address> {
      const vault = await self.vault(whole, { caps: [[market, cap]] })
      await self.connect(market, vault)
      return vault
    },
  }
  return self
}

export type FeesLife = ReturnType<typeof createFeesLife>
