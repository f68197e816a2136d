import { demoCashAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOnchainWorld, type OnchainWorld } from '../../test/trading/onchain-world.ts'
import { createLog } from '../platform/log.ts'
import { systemRandom } from '../platform/random.ts'
import { createMonitor } from './monitor.service.ts'

let world: OnchainWorld
beforeAll(async () => {
  world = await createOnchainWorld()
})
afterAll(() => world.close())

it('vaults are found by the books on them and looked at token by token', async () => {
  const { database, clock, suite, tokens, node } = world
  const [chain] = world.chains.all
  if (!chain) throw new Error('no chain')
  const monitor = createMonitor({ database, clock, random: systemRandom, log: createLog({ level: 'silent' }) })
  expect(await monitor.pass(chain)).toMatchObject({ held: 4, broken: [], unread: [] })

  const vault = suite.commodityVault
  await node.testClient.impersonateAccount({ address: vault })
  await node.testClient.setBalance({ address: vault, value: 10n ** 18n })
  const { request } = await node.publicClient.simulateContract({
    address: tokens.cash,
    abi: demoCashAbi,
    functionName: 'transfer',
    args: [wallet(5).address, 1n],
    account: vault,
  })
  await node.walletClient.writeContract(request)
  await node.testClient.mine({ blocks: 1 })
  expect(await monitor.pass(chain)).toMatchObject({ held: 3, broken: [], suspected: 1 })
  await node.testClient.mine({ blocks: 1 })
  const { held, broken } = await monitor.pass(chain)
  expect(held).toBe(3)
  expect(broken).toMatchObject([{ contract: vault.toLowerCase(), invariant: `balances-covered ${tokens.cash}` }])
})
