import { type TcpProxy, tcpProxy } from '@tallystick/testkit'
import { type Address, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetDataPath, createAssetDataSteps, refused } from '../../../test/lending/asset-data-steps.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'

describe('asset data when something is missing', () => {
  let proxy: TcpProxy
  let world: LendingWorld
  let market: Address

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await tcpProxy(node.url)
        return [proxy.url]
      },
    })
    // Without a record, the factory that the operator recorded is asked.
    market = await createAssetDataSteps(world).deployUnrecorded()
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })

  const reads = ['', '/bundle'] as const
  const builds = [
    ['/attest', undefined],
    ['/acknowledge', { contentHash: zeroHash }],
  ] as const
  const confirms = ['/attest/confirm', '/acknowledge/confirm'] as const
  const preview = () => {
    const query = `collateralTokenAddress=${world.security.token}&borrowAssetAddress=${world.cash}`
    return world.deployer.get(`${V2}/markets/asset-data/preview?${query}`)
  }

  async function everyAnswer() {
    const { deployer } = world
    const asked = [
      ...reads.map((rest) => deployer.get(assetDataPath(market, rest))),
      ...builds.map(([rest, body]) => deployer.post(assetDataPath(market, rest), body)),
    ]
    const confirmed = confirms.map((rest) => deployer.post(assetDataPath(market, rest), { txHash: zeroHash }))
    return { asked: await Promise.all([...asked, preview()]), confirmed: await Promise.all(confirmed) }
  }

  it('says that the chain could not be read, and when to try again', async () => {
    must(await preview())
    await proxy.cut()
    const { asked, confirmed } = await everyAnswer()
    for (const answer of asked) refused(answer, 503, 'FACTORY_READ_FAILED')
    for (const answer of confirmed) refused(answer, 503, 'CHAIN_UNAVAILABLE')
    for (const answer of [...asked, ...confirmed]) expect(answer.headers['retry-after']).toBe('1')
    await proxy.restore()
  })

  it('says that what the operator recorded does not answer as a factory', async () => {
    const recorded = (address: string) =>
      world.superuser`update deployed_contracts set address = ${address} where name = 'LendingFactory'`
    await recorded(world.cash)
    const { asked, confirmed } = await everyAnswer()
    await recorded(world.suite.factory)
    // The preview only tells that such a factory keeps no attestations.
    const previewed = asked.pop()
    expect(previewed?.body.data.factorySupport).toBe(false)
    for (const answer of [...asked, ...confirmed]) refused(answer, 503, 'FACTORY_READ_FAILED')
  })

  it('says that the operator recorded no factory', async () => {
    await world.superuser`delete from deployed_contracts`
    const { asked, confirmed } = await everyAnswer()
    for (const answer of [...asked, ...confirmed]) refused(answer, 503, 'LENDING_NOT_CONFIGURED')
  })
})
