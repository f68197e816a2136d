import {
  notATokenAbi,
  notATokenBytecode,
  unattestingFactoryAbi,
  unattestingFactoryBytecode,
} from '@tallystick/abi/testing'
import { type CountingRpc, countingRpc, deploy } from '@tallystick/testkit'
import { keccak256, toBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAssetDataSteps, refused } from '../../../test/lending/asset-data-steps.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'

describe('previewing asset data', () => {
  let rpc: CountingRpc
  let world: LendingWorld

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        rpc = await countingRpc(node.url)
        return [rpc.url]
      },
    })
  })
  afterAll(async () => {
    await world.close()
    await rpc.stop()
  })

  const preview = (request: Record<string, string> = {}, party = world.deployer) => {
    const query = { collateralTokenAddress: world.security.token, borrowAssetAddress: world.cash, ...request }
    return party.get(`${V2}/markets/asset-data/preview?${new URLSearchParams(query)}`)
  }

  it('shows exactly what a deployment would attest, in one round trip, and stores nothing', async () => {
    rpc.reset()
    const { data } = must(await preview({ mode: 'FREEZE', priceSource: 'NAV' })).body
    expect(rpc.counts.roundTrips).toBe(1)
    expect(keccak256(toBytes(data.canonicalJson))).toBe(data.contentHash)
    expect(data).toMatchObject({
      schemaVersion: '1.0.0',
      token: { address: world.security.token, name: 'Security NORD', symbol: 'NORD' },
      factorySupport: true,
    })
    const [stored] = await world.superuser`select count(*)::int as rows from draft_bundles`
    expect(stored).toEqual({ rows: 0 })
    const built = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody()))
    expect(built.body.data.assetData.contentHash).toBe(data.contentHash)
  })

  it('follows the choices, and takes FREEZE and NAV for granted', async () => {
    const { data } = must(await preview()).body
    expect(data.bundle.market).toMatchObject({ collateralMode: 'FREEZE', priceSource: 'NAV' })
    const other = must(await preview({ mode: 'CUSTODY', priceSource: 'MARKET' })).body.data
    expect(other.bundle.market).toMatchObject({ collateralMode: 'CUSTODY', priceSource: 'MARKET' })
    expect(other.contentHash).not.toBe(data.contentHash)
  })

  it('tells when the factory keeps no attestations', async () => {
    const earlier = { abi: unattestingFactoryAbi, bytecode: unattestingFactoryBytecode }
    await createAssetDataSteps(world).withFactory(earlier, async () => {
      expect(must(await preview()).body.data.factorySupport).toBe(false)
    })
  })

  it('refuses a borrow asset that a market could not have', async () => {
    refused(await preview({ borrowAssetAddress: '0x12' }), 400, 'INVALID_BORROW_ASSET')
    refused(await preview({ borrowAssetAddress: `0x${'9'.repeat(40)}` }), 400, 'BORROW_ASSET_NOT_CONTRACT')
    const notAToken = await deploy(world.node, { abi: notATokenAbi, bytecode: notATokenBytecode })
    refused(await preview({ borrowAssetAddress: notAToken }), 400, 'BORROW_ASSET_NOT_ERC20')
    const coarse = await world.createCash('COARSE', 2)
    refused(await preview({ borrowAssetAddress: coarse }), 400, 'BORROW_ASSET_DECIMALS_UNSUPPORTED')
  })

  it('refuses what the route does not know, and tells the first fault alone', async () => {
    for (const [request, field] of [
      [{ mode: 'PLEDGE' }, 'mode'],
      [{ priceSource: 'ORACLE' }, 'priceSource'],
      [{ collateralTokenAddress: '0x12' }, 'collateralTokenAddress'],
      [{ collateralTokenAddress: `0x${'aB'.repeat(20)}` }, 'collateralTokenAddress'],
    ] as const) {
      const error = refused(await preview(request), 400, 'VALIDATION_ERROR')
      expect(error).not.toHaveProperty('details')
      expect(error.message).toMatch(new RegExp(`^${field} `))
    }
    const missing = await world.deployer.get(`${V2}/markets/asset-data/preview?borrowAssetAddress=${world.cash}`)
    expect(refused(missing, 400, 'VALIDATION_ERROR').message).toBe('collateralTokenAddress is required')
  })

  it('needs a token of the instance whose profile says something that can enter', async () => {
    const unknown = refused(await preview({}, world.outsider), 422, 'TOKEN_PROFILE_REQUIRED')
    expect(unknown.details).toMatchObject({ imported: false, tokenAddress: world.security.token })
    const { superuser, deployer } = world
    const profile = superuser.json({ sector: 'wind\u0085power' })
    await superuser`update token_imports set profile = ${profile} where instance_id = ${deployer.instanceId}`
    expect(refused(await preview(), 400, 'INVALID_ASSET_DATA').message).toMatch(/^profile\.sector/)
  })
})
