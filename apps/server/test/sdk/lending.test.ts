import { demoCashAbi } from '@tallystick/abi'
import { signAndConfirm, type Tally } from '@tallystick/sdk'
import { send } from '@tallystick/testkit'
import { createWalletClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, units } from '../lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../lending/market-life.ts'
import { clientOf } from './clients.ts'

describe('lending through the SDK', () => {
  let world: LendingWorld
  let market: LiveMarket
  let tally: Tally
  const walletOf = ({ wallet: account }: { wallet: LendingWorld['deployer']['wallet'] }) =>
    createWalletClient({
      account,
      chain: world.node.walletClient.chain,
      transport: http(world.node.url),
      pollingInterval: 20,
    })

  beforeAll(async () => {
    world = await createLendingWorld()
    market = await createMarketLife(world).adopted()
    tally = clientOf(world, world.deployer.apiKey, { surfaces: { lending: 'lending-external-securities-v2' } })
    const { address } = world.deployer.wallet
    await send(world.node, {
      address: world.cash,
      abi: demoCashAbi,
      functionName: 'mint',
      args: [address, units(5_000, 6)],
    })
  })
  afterAll(() => world.close())

  const params = () => ({ marketId: market.marketId })

  it('signs an approval and the payment in order, and reports the one that counts', async () => {
    const body = { amount: '1000', provider: world.deployer.wallet.address }
    const { built, hashes, confirmed } = await signAndConfirm(
      tally.lending.addLiquidity,
      { params: params(), body },
      walletOf(world.deployer),
    )
    expect(hashes).toHaveLength(built.steps.length)
    expect(confirmed).toMatchObject({ txHash: hashes[built.confirmStepIndex], amount: '1000' })
  })

  it('reports to the route that the answer names, with the body that it names', async () => {
    const body = { amount: '10', fromAddress: world.deployer.wallet.address }
    const { built, confirmed, hashes } = await signAndConfirm(
      tally.lending.topUpInsurance,
      { params: params(), body, surface: 'lending-external-securities' },
      walletOf(world.deployer),
    )
    expect(built.confirmWith.endpoint).toMatch(
      /^\/lending-external-securities\/api\/markets\/.+\/insurance\/record-topup$/,
    )
    expect(confirmed).toMatchObject({ recorded: true, txHash: hashes[1], amount: '10' })
  })

  it('proves each of several calls for itself', async () => {
    const { built, confirmations } = await signAndConfirm(
      tally.lending.configureMarket,
      { params: params() },
      walletOf(world.deployer),
    )
    expect(Object.keys(built.configurationCalldata).length).toBeGreaterThan(1)
    expect(confirmations).toHaveLength(Object.keys(built.configurationCalldata).length)
    const again = await signAndConfirm(tally.lending.configureMarket, { params: params() }, walletOf(world.deployer))
    expect([again.hashes, again.confirmed]).toEqual([[], null])
  })

  it('leaves to somebody else what only somebody else can sign', async () => {
    const body = { amount: '1', provider: world.deployer.wallet.address }
    const fault = await signAndConfirm(
      tally.lending.addLiquidity,
      { params: params(), body },
      walletOf(world.lender),
    ).catch((error: unknown) => error)
    expect(fault).toMatchObject({ name: 'TallySigningError', fault: 'WRONG_SIGNER', hashes: [] })
  })
})
