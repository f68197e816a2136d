import { demoCashAbi, demoIdentityRegistryAbi } from '@tallystick/abi'
import {
  gatedTokenAbi,
  gatedTokenBytecode,
  saltedPermitCashAbi,
  saltedPermitCashBytecode,
} from '@tallystick/abi/testing'
import { deploy, send, transact, type Wallet } from '@tallystick/testkit'
import { type Abi, type Address, type Hex, parseSignature } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import type { LoanOnChain } from '../../src/lending/loans/loan.rules.ts'
import { createFeesLife } from './fees-life.ts'
import { type LendingWorld, units } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'

const V1 = '/lending-external-securities/api'

interface SignStep {
  readonly transaction: { readonly to: Address; readonly data: Hex }
}

/** Loans that are paid back, and money that is odd. */
export function createRepaymentLife(world: LendingWorld) {
  const { node, deployer, security } = world
  const life = createFeesLife(world)
  const owner = deployer.wallet

  async function giveCash(token: Address, to: Address, raw: bigint): Promise<void> {
    await life.call(token, demoCashAbi, 'mint', [to, raw])
  }

  const self = {
    ...life,
    path: (market: LiveMarket, rest: string) => `${V1}/positions/${market.marketId}/${rest}`,

    giveCash: (to: Wallet | Address, whole: number, token: Address = world.cash) =>
      giveCash(token, typeof to === 'string' ? to : to.address, units(whole, 6)),

    loan: (market: LiveMarket, loanId: bigint, blockNumber?: bigint) =>
      node.publicClient.readContract({
        address: market.marketAddress,
        abi: abis.market,
        functionName: 'loan',
        args: [loanId],
        ...(blockNumber === undefined ? {} : { blockNumber }),
      }) as Promise<LoanOnChain>,

    balanceOf: (account: Address, token: Address = world.cash) =>
      node.publicClient.readContract({ address: token, abi: demoCashAbi, functionName: 'balanceOf', args: [account] }),

    allowance: (account: Address, market: LiveMarket) =>
      node.publicClient.readContract({
        address: world.cash,
        abi: demoCashAbi,
        functionName: 'allowance',
        args: [account, market.marketAddress],
      }),

    /** Every step in order; the hashes. */
    async sendSteps(account: Wallet, steps: readonly SignStep[]): Promise<Hex[]> {
      const hashes: Hex[] = []
      for (const { transaction } of steps) hashes.push(await world.sendRaw(account, transaction))
      return hashes
    },

    /** One step with as much gas as was said to be enough. */
    async sendWith(account: Wallet, { transaction: { to, data } }: SignStep, gas: bigint): Promise<Hex> {
      return (await transact(node, account, { to, data, gas })).transactionHash
    },

    /** What a wallet answers to a quote. */
    async sign(account: Wallet, typedData: { types: Record<string, unknown> }): Promise<{ v: number; r: Hex; s: Hex }> {
      const { EIP712Domain: _, ...types } = typedData.types
      const signature = await account.signTypedData({ ...typedData, types } as never)
      const { r, s, yParity } = parseSignature(signature)
      return { r, s, v: 27 + yParity }
    },

    /** A market in money without permits, which also refuses single wallets. */
    async gatedMarket(): Promise<{ market: LiveMarket; token: Address }> {
      const made = await deploy(node, { abi: gatedTokenAbi as Abi, bytecode: gatedTokenBytecode, args: [6] })
      return { token: made, market: await self.marketIn(made) }
    },

    /** A market in money whose permits are signed under a domain that nobody guesses. */
    async saltedMarket(): Promise<LiveMarket> {
      return self.marketIn(await deploy(node, { abi: saltedPermitCashAbi as Abi, bytecode: saltedPermitCashBytecode }))
    },

    /** Adopted, admitted and funded. */
    async marketIn(token: Address): Promise<LiveMarket> {
      const market = await life.earning({ borrowAssetAddress: token.toLowerCase() }, 0)
      await self.giveCash(owner, 200_000, token)
      await life.call(token, demoCashAbi, 'approve', [market.marketAddress, units(200_000, 6)])
      await life.call(market.marketAddress, abis.market, 'addLiquidity', [units(200_000, 6)])
      return market
    },

    /** A liquidation that yields more than the whole debt: the loan stays open and owes nothing. */
    async paidOffByLiquidation(market: LiveMarket, borrower: Wallet): Promise<bigint> {
      await life.travelFresh(market, 1)
      const loanId = await life.openLoan(market, borrower, { collateral: 100, amount: 7_000 })
      await self.paysOff(market, loanId)
      return loanId
    },

    /** Realizes a loan of 7,000 against 100 pieces, so well that a surplus remains. */
    async paysOff(market: LiveMarket, loanId: bigint, token: Address = world.cash): Promise<void> {
      await life.priceTo(market, units(80, 6))
      const { liquidationId } = await life.liquidate(market, loanId)
      const { collateralRemaining } = await node.publicClient.readContract({
        address: market.router,
        abi: abis.router,
        functionName: 'liquidation',
        args: [liquidationId],
      })
      await life.call(market.router, abis.router, 'withdrawCollateralForSale', [liquidationId, collateralRemaining])
      await self.giveCash(owner, 9_000, token)
      await life.call(token, demoCashAbi, 'approve', [market.router, units(9_000, 6)])
      const settle = { address: market.router, abi: abis.router, functionName: 'settleLiquidation' }
      await send(node, { ...settle, args: [liquidationId, units(9_000, 6)], gas: 5_000_000n })
      await life.priceTo(market, units(100, 6))
    },

    /** The register of the collateral forgets a holder, or knows him again. */
    forgetHolder: (holder: Address) =>
      life.call(security.registry, demoIdentityRegistryAbi, 'deleteIdentity', [holder]),
    knowHolder: (holder: Address) =>
      life.call(security.registry, demoIdentityRegistryAbi, 'registerIdentity', [holder, holder, 276]),
  }
  return self
}

export type RepaymentLife = ReturnType<typeof createRepaymentLife>
