import { demoIdentityRegistryAbi } from '@tallystick/abi'
import { send, type Wallet } from '@tallystick/testkit'
import { type Address, parseEventLogs, parseUnits, zeroAddress, zeroHash } from 'viem'
import { abis } from '../../src/lending/contracts.ts'
import type { TestAnswer } from '../world.ts'
import { type LendingWorld, must, type Party, V2 } from './lending-world.ts'

/** Terms by which a wallet takes every role upon itself. */
export const termsOf = (account: Address, request: Record<string, unknown> = {}): Record<string, unknown> => ({
  admin: account,
  issuer: account,
  collateralAgent: account,
  saleRecipient: account,
  liquidationOperator: account,
  oracleOwner: account,
  priceSigner: account,
  realizationMode: 'ISSUER_REDEMPTION',
  acknowledgeAssetData: false,
  ...request,
})

export function createCuratorSteps(world: LendingWorld) {
  const { node, suite, security, deployer } = world
  let markets = 0

  const accept = (party: Party, market: Address, body: Record<string, unknown> = {}) =>
    party.post(`${V2}/markets/queued/${market}/accept`, body)

  return {
    accept,

    /** A market of the deployer that seeks its lender; each lends an asset of its own, so that there can be many. */
    async seeking(request: Record<string, unknown> = {}) {
      markets += 1
      return world.deployMarket({ borrowAssetAddress: await world.createCash(`CASH${markets}`), ...request })
    },

    /** Lets a wallet hold the security, and lets registers of that kind verify it. */
    verify: (account: Address, registry = security.registry) =>
      send(node, {
        address: registry,
        abi: demoIdentityRegistryAbi,
        functionName: 'registerIdentity',
        args: [account, account, 276],
      }),

    /** Deployed by a wallet without this service. */
    async deployElsewhere(account: Wallet, request: Record<string, unknown> = {}): Promise<Address> {
      const params = {
        collateralToken: security.token,
        borrowAsset: world.cash,
        mode: 0,
        priceSource: 0,
        initialPrice: parseUnits('100', 6),
        fallbackDecimals: 0,
        borrowerRegistry: zeroAddress,
        providerRegistry: zeroAddress,
        candidates: [],
        isOpenToAnyCurator: false,
        curve: { baseBps: 0, multiplierBps: 0, jumpBps: 0, kinkBps: 0 },
        offer: { mode: 0, floorBps: 0, capBps: 0, fixedBps: 0 },
        maxLoanDuration: 0,
        gracePeriod: 0,
        terminalDueAt: 0,
        assetDataHash: zeroHash,
        ...request,
      }
      const call = { address: suite.factory, abi: abis.factory, functionName: 'deployMarket', args: [params], account }
      const { logs } = await send(node, call)
      const [deployed] = parseEventLogs({ abi: abis.factory, eventName: 'MarketDeployed', logs })
      if (!deployed) throw new Error('nothing was deployed')
      return deployed.args.market.toLowerCase() as Address
    },

    /** Adopted through the interface, by a party that was nominated; the confirmation's answer. */
    async adopt(party: Party, market: Address, request: Record<string, unknown> = {}) {
      const built = await accept(party, market, termsOf(party.wallet.address, request))
      const txHash = await world.sign(party.wallet, built)
      const confirmed = must(await party.post(`${V2}/markets/queued/${market}/confirm-accept`, { txHash }))
      return { txHash, ...confirmed.body.data }
    },

    /** Everything that the deployer's own route of a market answers to a body. */
    post: (marketId: string, path: string, body: unknown): Promise<TestAnswer> =>
      deployer.post(`${V2}/markets/${marketId}/${path}`, body),
  }
}
