import { type Wallet, wallet } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import { type LendingWorld, must, units, V2 } from './lending-world.ts'
import { createMarketLife } from './market-life.ts'
import { createShadow } from './model-shadow.ts'
import { createActing } from './story-act.ts'
import { type Collateral, demoCollateral } from './story-collateral.ts'

export const V1 = '/lending-external-securities/api'
const curve = { baseBps: 200n, multiplierBps: 1_000n, jumpBps: 10_000n, kinkBps: 8_000n }
const DAY = 86_400n

/** Who acts besides the lender: wallets of no instance that has a record of the market. */
export const cast = {
  borrower: wallet(3),
  otherBorrower: wallet(4),
  liquidator: wallet(5),
  /** Sells what was seized, for the lender. */
  broker: wallet(6),
  bidder: wallet(7),
  otherBidder: wallet(8),
} as const

export interface MarketRequest {
  readonly mode?: 'FREEZE' | 'CUSTODY'
  readonly collateral?: Collateral
  readonly cash?: Address
  /** Who may hold the collateral; default: the whole cast. */
  readonly holders?: readonly Wallet[]
  readonly maxLoanDurationDays?: number
  /** Everything goes through this prefix; default: each operation through the one that documents it. */
  readonly prefix?: string
}

/** A market that was deployed, adopted and set up through the interface, with the reference model beside it. */
export async function bringUp(world: LendingWorld, request: MarketRequest) {
  const { node, lender } = world
  const { mode = 'FREEZE', cash = world.cash, holders = Object.values(cast), maxLoanDurationDays = 0 } = request
  const collateral = request.collateral ?? demoCollateral(world, world.security)
  const { prefix = V2 } = request
  const deployed = await world.deployMarket(
    {
      collateralTokenAddress: collateral.token,
      borrowAssetAddress: cash,
      mode,
      ...(maxLoanDurationDays > 0 ? { maxLoanDurationDays } : {}),
    },
    prefix,
  )
  await collateral.know(holders.map(({ address }) => address))
  const record = await adopt(world, deployed.marketAddress, prefix)
  const market = await createMarketLife(world).partsOf(record, deployed.marketAddress)
  await collateral.admit(market)
  const { calldata } = must(await lender.get(`${request.prefix ?? V1}/markets/${record}/setup-steps`)).body.data
  for (const call of Object.values(calldata) as { to: Address; data: Hex }[]) await world.sendRaw(lender.wallet, call)

  const [openFee, repayFee] = await node.publicClient.readContract({
    address: market.marketAddress,
    abi: abis.market,
    functionName: 'flatFees',
  })
  const birth = {
    assetDecimals: 6n,
    collateralDecimals: 18n,
    openFee,
    repayFee,
    curve,
    maxLoanDuration: BigInt(maxLoanDurationDays) * DAY,
    initialPrice: units(100, 6),
    deployedAt: BigInt(await createActing(world).timeOf(deployed.txHash)),
  }
  const shadow = createShadow(birth, Object.keys(cast))
  return { market, record, deployerRecord: deployed.marketId, shadow, collateral, cash }
}

/** By the lender of record, who keeps every role but those of liquidator and broker. */
async function adopt(world: LendingWorld, address: Address, prefix: string): Promise<string> {
  const { lender } = world
  const queued = `${prefix}/markets/queued/${address}`
  const details = must(await lender.get(`${prefix}/markets/${address}/asset-data/bundle`)).body.data
  const own = ['admin', 'issuer', 'collateralAgent', 'liquidationOperator', 'oracleOwner', 'priceSigner']
  const body = {
    ...Object.fromEntries(own.map((role) => [role, lender.wallet.address])),
    saleRecipient: cast.broker.address,
    liquidator: cast.liquidator.address,
    realizationMode: 'ISSUER_REDEMPTION',
    assetDataHash: details.contentHash,
  }
  const txHash = await world.sign(lender.wallet, await lender.post(`${queued}/accept`, body))
  return must(await lender.post(`${queued}/confirm-accept`, { txHash })).body.data.market.id
}
