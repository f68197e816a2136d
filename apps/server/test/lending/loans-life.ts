import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { type Address, type Hex, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { abis } from '../../src/lending/contracts.ts'
import { priceTypedData } from '../../src/lending/oracle/oracle.rules.ts'
import type { TestAnswer } from '../world.ts'
import { createFeesLife } from './fees-life.ts'
import { must, units } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'
import type { ProxiedWorld } from './proxied-world.ts'
import { expectRefusal, wrappedSnapshot } from './setting-faults.ts'
import { expectTransactionFaults } from './transaction-faults.ts'

const V1 = '/lending-external-securities/api'

type LoanAction = 'open-loan' | 'borrow-more' | 'add-collateral' | 'withdraw-collateral'
type Body = Record<string, unknown>

/** Loans through the interface, and what stands in their way, straight on chain. */
export function createLoansLife(world: ProxiedWorld) {
  const { node, deployer } = world
  const life = createFeesLife(world)
  const post = (action: LoanAction, { marketId }: { marketId: string }, body: Body) =>
    deployer.post(`${V1}/positions/${marketId}/${action}`, body)
  const now = async () => Number((await node.publicClient.getBlock()).timestamp)

  const self = {
    ...life,
    now,
    post,
    path: (action: LoanAction, { marketId }: { marketId: string }) => `${V1}/positions/${marketId}/${action}`,

    async refused(action: LoanAction, market: { marketId: string }, body: Body, status: number, code: string) {
      return expectRefusal(await post(action, market, body), status, code).body.error
    },

    build: async (action: LoanAction, market: { marketId: string }, body: Body) =>
      must(await post(action, market, body)).body.data,

    /** Signs every step that a build answered; the hash of the last. */
    async signSteps(account: Wallet, { steps }: { steps: { transaction: { to: Address; data: Hex } }[] }) {
      let hash: Hex = '0x'
      for (const { transaction } of steps) hash = await world.sendRaw(account, transaction)
      return hash
    },

    register: (holder: Address) =>
      life.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [holder, holder, 276]),

    giveCollateral: (holder: Address, whole: number, token = world.security.token) =>
      life.call(token, demoSecurityAbi, 'mint', [holder, units(whole)]),

    /** Opened through the interface by a wallet that gets the collateral first. */
    async opened(market: LiveMarket, borrower: Wallet, collateral: number, amount: number, more: Body = {}) {
      await self.giveCollateral(borrower.address, collateral)
      const request = { collateralAmount: String(collateral), borrowAmount: String(amount), ...more }
      const built = await self.build('open-loan', market, { borrowerAddress: borrower.address, ...request })
      const txHash = await self.signSteps(borrower, built)
      const data = must(await post('open-loan', market, { txHash })).body.data
      return { built, data, txHash, loanId: data.loanId as string }
    },

    /** The loan as it was in the block of a transaction. */
    async loanAfter(market: LiveMarket, loanId: string, hash: Hex) {
      const { blockNumber } = await node.publicClient.getTransactionReceipt({ hash })
      const at = { address: market.marketAddress, abi: abis.market, args: [BigInt(loanId)], blockNumber } as const
      const loan = await node.publicClient.readContract({ ...at, functionName: 'loan' })
      const health = await node.publicClient.readContract({ ...at, functionName: 'healthFactor' })
      return { ...loan, health }
    },

    async config(market: LiveMarket, request: Record<string, unknown>) {
      const config = await life.read<Record<string, unknown>>(market.marketAddress, abis.market, 'config')
      await life.call(market.marketAddress, abis.market, 'setConfig', [{ ...config, ...request }])
    },

    gates: (market: LiveMarket, borrowers: Address) =>
      life.call(market.marketAddress, abis.market, 'setIdentityGates', [borrowers, zeroAddress]),

    /** A price signed by a wallet, by default of now and by one that may. */
    async signPrice(
      { oracle }: LiveMarket,
      whole: number,
      {
        by = deployer.wallet,
        timestamp,
        validFor = 3_600,
      }: { by?: Wallet; timestamp?: number; validFor?: number } = {},
    ) {
      const signedAt = timestamp ?? (await now())
      const message = { price: units(whole, 6), timestamp: signedAt, validUntil: signedAt + validFor }
      const typed = priceTypedData({ chainId: node.chainId, oracle }, message)
      const signature = await by.signTypedData(typed as never)
      return { ...message, price: message.price.toString(), signature }
    },

    /** Everything that the oracle refuses of a signed price, on one build leg. */
    async expectSignedPriceFaults(action: LoanAction, market: LiveMarket, body: Body, stranger: Wallet) {
      const refused = async (signedPrice: unknown, status: number, code: string) =>
        self.refused(action, market, { ...body, signedPrice }, status, code)
      await life.travel(2 * 3_600)
      const byStranger = await refused(await self.signPrice(market, 100, { by: stranger }), 400, 'INVALID_SIGNED_PRICE')
      expect(byStranger.details).toEqual({ signer: stranger.address.toLowerCase(), reason: 'NotSigner' })
      const late = await refused(
        await self.signPrice(market, 100, { timestamp: (await now()) - 60, validFor: 30 }),
        400,
        'INVALID_SIGNED_PRICE',
      )
      expect(late.details).toEqual({ signer: null, reason: 'SignedPriceExpired' })
      await refused(await self.signPrice(market, 151), 400, 'PRICE_DEVIATION_TOO_LARGE')
      await refused(await self.signPrice(market, 100, { timestamp: 1 }), 409, 'SIGNED_PRICE_OUTDATED')
      await life.price(market, units(140, 6))
      await life.travel(1)
      await refused(await self.signPrice(market, 160), 400, 'PRICE_WINDOW_DEVIATION_TOO_LARGE')
      await life.travel(3_600)
      await life.price(market, units(100, 6))
      await refused({ price: '1', timestamp: 1, validUntil: 2, signature: '0x' }, 400, 'VALIDATION_ERROR')
    },

    /** Everything that a confirmation refuses alike. `body` names the loan. */
    async expectConfirmFaults(action: LoanAction, market: LiveMarket, body: Body = {}) {
      const confirm = (txHash: Hex): Promise<TestAnswer> => post(action, market, { ...body, txHash })
      const other = { abi: abis.market, functionName: 'pokeSnapshot' }
      await expectTransactionFaults(world, { confirm, target: market.marketAddress, other })
      const snapshot = await wrappedSnapshot(world, market.marketAddress)
      expectRefusal(await confirm(snapshot), 400, 'TX_NOT_VERIFIED')
      const lost = await world.withoutNode(() => confirm(snapshot))
      expect(expectRefusal(lost, 503, 'CHAIN_UNAVAILABLE').headers['retry-after']).toBe('1')
      expectRefusal(await confirm('0x12'), 400, 'VALIDATION_ERROR')
    },

    /** A build that finds no node, or a market that does not answer. */
    async expectUnreadable(action: LoanAction, market: LiveMarket, body: Body) {
      const lost = await world.withoutNode(() => post(action, market, body))
      expect(expectRefusal(lost, 503, 'MARKET_STATE_UNAVAILABLE').headers['retry-after']).toBe('1')
      const broken = await world.withBroken(market.marketAddress, () => post(action, market, body))
      expectRefusal(broken, 503, 'MARKET_STATE_UNAVAILABLE')
    },
  }
  return self
}

export type LoansLife = ReturnType<typeof createLoansLife>
