import { demoSecurityAbi } from '@tallystick/abi'
import { transact, type Wallet, wallet } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import { createFeesLife } from './fees-life.ts'
import { type LendingWorld, must, units, V2 } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'

const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

/** Money of providers and investors: in, out, and lost. */
export function createLiquidityLife(world: LendingWorld) {
  const { node, deployer, security } = world
  const life = createFeesLife(world)

  return {
    ...life,

    /** A vault of the deployer that its instance recorded. */
    async recordedVault(caps: readonly [market: LiveMarket, whole: number][] = []): Promise<Address> {
      const path = `${V2}/vaults/deploy`
      const markets = caps.map(([{ marketId }, cap]) => ({ marketId, cap: String(cap) }))
      const request = { name: 'Nordlicht Vault', symbol: 'NLV', assetAddress: world.cash, markets }
      const built = must(await deployer.post(path, request)).body.data
      const { transactionHash: txHash } = await transact(node, deployer.wallet, { data: built.transaction.data })
      return must(await deployer.post(path, { txHash })).body.data.vault.vaultAddress
    },

    /** Signs the steps of a build in order; the hash of the last. */
    async signAll(account: Wallet, steps: readonly { transaction: { to: Address; data: Hex } }[]): Promise<Hex> {
      let last: Hex = '0x'
      for (const { transaction } of steps) last = await world.sendRaw(account, transaction)
      return last
    },

    /** Lends out everything that the pool has, and loses it: the collateral is gone when the loan is realized. */
    async wipeOut(market: LiveMarket): Promise<void> {
      const borrower = wallet(4)
      const { cash } = await life.read<{ cash: bigint }>(market.marketAddress, abis.market, 'pool')
      const whole = Number(cash) / 1e6
      await life.travelFresh(market, 1)
      const loanId = await life.openLoan(market, borrower, { collateral: Math.ceil(whole / 60), amount: whole })
      await life.priceTo(market, units(53, 6))
      const taken = units(Math.ceil(whole / 60))
      await life.call(security.token, demoSecurityAbi, 'forcedTransfer', [
        borrower.address,
        deployer.wallet.address,
        taken,
      ])
      await life.amply(market.marketAddress, abis.market, 'liquidate', [loanId, noPrice])
      await life.priceTo(market, units(100, 6))
    },
  }
}

export type LiquidityLife = ReturnType<typeof createLiquidityLife>
