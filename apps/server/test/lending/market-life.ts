import { demoCashAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { send, type Wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import { type LendingWorld, units } from './lending-world.ts'

/** A market that lives: adopted by a wallet that holds every role. */
export interface LiveMarket {
  readonly marketId: string
  readonly marketAddress: Address
  readonly adapter: Address
  readonly router: Address
  readonly oracle: Address
  readonly rateModel: Address
  readonly fund: Address
}

const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

/** What a wallet signs that takes every role upon itself. */
export function allRolesTo(account: Address, request: Record<string, unknown> = {}) {
  return {
    admin: account,
    issuer: account,
    collateralAgent: account,
    saleRecipient: account,
    liquidationOperator: account,
    oracleOwner: account,
    priceSigner: account,
    realizationMode: 2,
    liquidityCommitment: 0n,
    maxFixedRateBps: 0,
    borrowerRegistry: zeroAddress,
    providerRegistry: zeroAddress,
    liquidator: zeroAddress,
    vault: zeroAddress,
    assetDataHash: zeroHash,
    ...request,
  }
}

/** Straight on chain, without the interface: for tests of what comes after. */
export function createMarketLife(world: LendingWorld) {
  const { node, suite, cash, security, deployer } = world

  async function partsOf(marketId: string, marketAddress: Address): Promise<LiveMarket> {
    const parts = await node.publicClient.readContract({
      address: marketAddress,
      abi: abis.market,
      functionName: 'parts',
    })
    const lower = (address: Address) => address.toLowerCase() as Address
    return {
      marketId,
      marketAddress,
      adapter: lower(parts.adapter),
      router: lower(parts.router),
      oracle: lower(parts.oracle),
      rateModel: lower(parts.model),
      fund: lower(parts.fund),
    }
  }

  const on = (
    address: Address,
    abi: readonly unknown[],
    functionName: string,
    args: readonly unknown[],
    account?: Wallet,
  ) => send(node, { address, abi, functionName, args, ...(account ? { account } : {}) })

  return {
    partsOf,

    /** Deployed by the deployer through the interface and adopted by `curator` (default: the deployer itself) on chain. */
    async adopted(
      request: Record<string, unknown> = {},
      { curator = deployer.wallet, terms = {} }: { curator?: Wallet; terms?: Record<string, unknown> } = {},
    ): Promise<LiveMarket> {
      const { marketId, marketAddress } = await world.deployMarket({ candidates: [curator.address], ...request })
      const args = [marketAddress, allRolesTo(curator.address, terms), zeroHash]
      await on(suite.factory, abis.factory, 'acceptCuratorRole', args, curator)
      return partsOf(marketId, marketAddress)
    },

    /** The token's side: the adapter may freeze, and everybody who touches the collateral is a verified holder. */
    async admit(market: LiveMarket, holders: readonly Address[] = [], given = security): Promise<void> {
      await on(given.token, demoSecurityAbi, 'addAgent', [market.adapter])
      for (const holder of [market.adapter, market.router, ...holders]) {
        const known = await node.publicClient.readContract({
          address: given.registry,
          abi: demoIdentityRegistryAbi,
          functionName: 'contains',
          args: [holder],
        })
        if (!known) await on(given.registry, demoIdentityRegistryAbi, 'registerIdentity', [holder, holder, 276])
      }
    },

    /** Cash for the pool, from the operator wallet. */
    async fund(market: LiveMarket, whole: number, provider: Wallet = deployer.wallet, decimals = 6): Promise<void> {
      const amount = units(whole, decimals)
      await on(cash, demoCashAbi, 'mint', [provider.address, amount])
      await on(cash, demoCashAbi, 'approve', [market.marketAddress, amount], provider)
      await on(market.marketAddress, abis.market, 'addLiquidity', [amount], provider)
    },

    /** Opens a loan for a verified borrower, whom it gives the collateral first. */
    async openLoan(
      market: LiveMarket,
      borrower: Wallet,
      { collateral, amount, mode = 'FREEZE' }: { collateral: number; amount: number; mode?: 'FREEZE' | 'CUSTODY' },
    ): Promise<bigint> {
      await on(security.token, demoSecurityAbi, 'mint', [borrower.address, units(collateral)])
      if (mode === 'CUSTODY')
        await on(security.token, demoSecurityAbi, 'approve', [market.adapter, units(collateral)], borrower)
      const args = [units(collateral), units(amount, 6), noPrice]
      const { logs } = await on(market.marketAddress, abis.market, 'openLoan', args, borrower)
      const [opened] = parseEventLogs({ abi: abis.market, eventName: 'LoanOpened', logs })
      if (!opened) throw new Error('no loan was opened')
      return opened.args.loanId
    },

    /** Pays a loan back; pass a large amount to close it. */
    async repay(market: LiveMarket, payer: Wallet, loanId: bigint, whole: number): Promise<void> {
      const amount = units(whole, 6)
      await on(cash, demoCashAbi, 'mint', [payer.address, amount])
      await on(cash, demoCashAbi, 'approve', [market.marketAddress, amount], payer)
      await on(market.marketAddress, abis.market, 'repay', [loanId, amount], payer)
    },

    /** Any call of the market's own contracts. */
    call: on,

    /** Moves the chain's clock, and mines. */
    async travel(seconds: number): Promise<void> {
      await node.testClient.increaseTime({ seconds })
      await node.testClient.mine({ blocks: 1 })
    },
  }
}

export type MarketLife = ReturnType<typeof createMarketLife>
