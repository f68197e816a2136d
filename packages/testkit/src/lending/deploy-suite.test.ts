import { demoCashAbi, demoCashBytecode, lendingFactoryAbi } from '@tallystick/abi'
import {
  type Carrier,
  carryOut,
  DEPLOYMENT_PROXY,
  implementationKinds,
  missingSteps,
  planLendingSuite,
  readServed,
} from '@tallystick/deployer'
import { parseUnits, zeroAddress, zeroHash } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeKilledBehind } from '../../test/killed-deployment.ts'
import { startEmptyChain } from '../chain/prepared-chain.ts'
import type { TestChain } from '../chain/test-chain.ts'
import { deploy, send } from '../chain/transactions.ts'
import { wallet } from '../chain/wallet.ts'
import { deployLendingSuite, testCarrier } from './deploy-suite.ts'
import { deployOtherImplementation } from './other-implementation.ts'

const MAX_TRANSACTION_GAS = 16_777_216n
const owner = wallet(3)
const plan = planLendingSuite({ owner: owner.address, platformWallet: wallet(4).address })

// Behind other steps it is killed by the slow suite.
describeKilledBehind([17])

describe('carrying out the plan of the lending contracts', () => {
  let chain: TestChain
  let carrier: Carrier

  beforeEach(async () => {
    chain = await startEmptyChain()
    carrier = testCarrier(chain, owner)
  })
  afterEach(() => chain.stop())

  const height = () => chain.publicClient.getBlockNumber()

  it('brings everything on chain once, and changes nothing the second time', async () => {
    expect(await missingSteps(plan, carrier)).toEqual(plan.steps)
    await carryOut(plan, carrier)
    for (const { address } of Object.values(plan.contracts)) expect(await carrier.hasCode(address)).toBe(true)
    for (const kind of implementationKinds)
      expect(await readServed(carrier, plan.suite.factory, kind)).toBe(plan.suite[kind])
    const mined = await height()
    expect(mined).toBe(BigInt(plan.steps.length))
    for (let number = 1n; number <= mined; number++) {
      const { gasUsed } = await chain.publicClient.getBlock({ blockNumber: number })
      expect(gasUsed).toBeLessThan(MAX_TRANSACTION_GAS)
    }
    expect(await missingSteps(plan, carrier)).toEqual([])
    await carryOut(plan, carrier)
    expect(await height()).toBe(mined)
  })

  it('lets two runs at once both arrive', async () => {
    const second = { ...chain, walletClient: { ...chain.walletClient, account: wallet(7) } }
    await Promise.all([carryOut(plan, carrier), carryOut(plan, testCarrier(second, owner))])
    expect(await missingSteps(plan, carrier)).toEqual([])
  })

  it('gives a factory that belongs to its owner and opens markets', async () => {
    const { factory } = await deployLendingSuite(chain, { owner, platformWallet: wallet(4).address })
    expect(factory).toBe(plan.suite.factory)
    const read = { address: factory, abi: lendingFactoryAbi } as const
    expect(await chain.publicClient.readContract({ ...read, functionName: 'owner' })).toBe(owner.address)
    const [collateralToken, borrowAsset] = await Promise.all(
      [wallet(0), wallet(1)].map((account) =>
        deploy(chain, { abi: demoCashAbi, bytecode: demoCashBytecode, args: ['A', 'B', 6, owner.address], account }),
      ),
    )
    await send(chain, {
      ...read,
      functionName: 'deployMarket',
      args: [
        {
          collateralToken,
          borrowAsset,
          mode: 1,
          priceSource: 0,
          initialPrice: parseUnits('1', 18),
          fallbackDecimals: 0,
          borrowerRegistry: zeroAddress,
          providerRegistry: zeroAddress,
          candidates: [wallet(5).address],
          isOpenToAnyCurator: false,
          curve: { baseBps: 0, multiplierBps: 0, jumpBps: 0, kinkBps: 0 },
          offer: { mode: 0, floorBps: 0, capBps: 0, fixedBps: 0 },
          maxLoanDuration: 0,
          gracePeriod: 0,
          terminalDueAt: 0,
          assetDataHash: zeroHash,
        },
      ],
    })
    expect(await chain.publicClient.readContract({ ...read, functionName: 'marketCount' })).toBe(1n)
  })

  it('does not take a step for done that the owner did not sign', async () => {
    await expect(carryOut(plan, testCarrier(chain, wallet(8)))).rejects.toThrow('had no effect: Let the factory')
    expect(await missingSteps(plan, carrier)).toEqual(plan.steps.slice(-implementationKinds.length))
  })

  it('replaces an implementation of no higher version, and refuses to go behind a newer one', async () => {
    await carryOut(plan, carrier)
    const { factory } = plan.suite
    const serve = async (version: number) =>
      send(chain, {
        address: factory,
        abi: lendingFactoryAbi,
        functionName: 'setImplementation',
        args: [`0x${Buffer.from('router').toString('hex').padEnd(64, '0')}`, await other(version)],
        account: owner,
      })
    const other = (version: number) => deployOtherImplementation(chain, { factory, version })
    await serve(1)
    expect((await missingSteps(plan, carrier)).map(({ name }) => name)).toEqual(['serve router'])
    await carryOut(plan, carrier)
    await serve(200)
    await expect(missingSteps(plan, carrier)).rejects.toThrow('serves version 200 of its router already')
  })

  it('refuses a chain without the deployment proxy', async () => {
    await chain.testClient.setCode({ address: DEPLOYMENT_PROXY, bytecode: '0x' })
    await expect(carryOut(plan, carrier)).rejects.toThrow('no deterministic deployment proxy')
    expect(await height()).toBe(0n)
  })
})
