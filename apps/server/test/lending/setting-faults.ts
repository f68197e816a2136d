import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, send } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { expect } from 'vitest'
import { abis } from '../../src/lending/contracts.ts'
import type { TestAnswer } from '../world.ts'
import { V2 } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'
import type { ProxiedWorld } from './proxied-world.ts'
import { expectTransactionFaults } from './transaction-faults.ts'

export const expectRefusal = (answer: TestAnswer, status: number, code: string): TestAnswer => {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  return answer
}

/** A transaction in which the market says something else than what is to be confirmed: its snapshot, through a multicall. */
export async function wrappedSnapshot(world: ProxiedWorld, market: Address): Promise<Hex> {
  const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
  const callData = encodeFunctionData({ abi: abis.market, functionName: 'pokeSnapshot' })
  const args = [[{ target: market, value: 0n, callData }], false]
  return (await send(world.node, { address: caller, abi: callerAbi, functionName: 'callAll', args })).transactionHash
}

interface Setting {
  readonly market: LiveMarket
  /** Behind the market's own path. */
  readonly path: string
  /** Builds on any market that has a lender of record. */
  readonly body: Record<string, unknown>
  /** The contract that is called: the market, unless told otherwise. */
  readonly onRateModel?: true
}

/** Everything that a setting refuses alike, on both legs. */
export async function expectSettingFaults(world: ProxiedWorld, { market, path, body, onRateModel }: Setting) {
  const { deployer } = world
  const post = (given: unknown, marketId = market.marketId) => deployer.post(`${V2}/markets/${marketId}/${path}`, given)

  expectRefusal(await post({}), 400, 'VALIDATION_ERROR')
  expectRefusal(await post({ ...body, unheardOf: 1 }), 400, 'VALIDATION_ERROR')
  expectRefusal(await post({ txHash: '0x12' }), 400, 'VALIDATION_ERROR')
  const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
  expectRefusal(await post(body, pending.marketId), 409, 'MARKET_PENDING_CURATOR')
  const lost = await world.withoutNode(() => post(body))
  expect(expectRefusal(lost, 503, 'MARKET_STATE_UNAVAILABLE').headers['retry-after']).toBe('1')
  expectRefusal(await world.withBroken(market.marketAddress, () => post(body)), 503, 'MARKET_STATE_UNAVAILABLE')

  const confirm = (txHash: Hex) => post({ txHash })
  const harmless = { abi: abis.rateModel, functionName: 'transferOwnership', args: [deployer.wallet.address] }
  await expectTransactionFaults(world, {
    confirm,
    target: onRateModel ? market.rateModel : market.marketAddress,
    other: onRateModel ? harmless : { abi: abis.market, functionName: 'pokeSnapshot' },
  })
  // The model says nothing else through a wrapper than at its adoption.
  const other = onRateModel ? await adoption(world, market) : await wrappedSnapshot(world, market.marketAddress)
  expectRefusal(await confirm(other), 400, 'TX_NOT_VERIFIED')
  expectRefusal(await world.withoutNode(() => confirm(other)), 503, 'CHAIN_UNAVAILABLE')
}

async function adoption({ node, suite }: ProxiedWorld, market: LiveMarket): Promise<Hex> {
  const [event] = await node.publicClient.getContractEvents({
    address: suite.factory,
    abi: abis.factory,
    eventName: 'CuratorAccepted',
    args: { market: market.marketAddress },
    fromBlock: 0n,
  })
  if (!event) throw new Error('the market was not adopted')
  return event.transactionHash
}
