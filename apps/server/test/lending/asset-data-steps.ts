import { lendingFactoryAbi } from '@tallystick/abi'
import { deploy, send } from '@tallystick/testkit'
import { type Abi, type Address, type Hex, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { expect } from 'vitest'
import type { TestAnswer } from '../world.ts'
import { type LendingWorld, must, type Party, V2 } from './lending-world.ts'

export const assetDataPath = (market: string, rest = '') => `${V2}/markets/${market}/asset-data${rest}`

/** The error, if the answer is exactly this refusal. */
export function refused(answer: TestAnswer, status: number, code: string): Record<string, unknown> {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  return answer.body.error
}

/** What a party does about the asset data of a market. */
export function createAssetDataSteps(world: LendingWorld) {
  const { node, suite, superuser } = world

  return {
    state: async (party: Party, market: string) => must(await party.get(assetDataPath(market))).body.data,

    async publish(party: Party, token: Address, profile: Record<string, unknown> | null): Promise<void> {
      must(await party.call('PUT', `/external-tokens/api/${token}/profile`, { body: { profile } }))
    },

    /** Built, signed and confirmed. */
    async attest(party: Party, market: string): Promise<{ contentHash: Hex; txHash: Hex }> {
      const built = must(await party.post(assetDataPath(market, '/attest')))
      const txHash = await world.sign(party.wallet, built)
      must(await party.post(assetDataPath(market, '/attest/confirm'), { txHash }))
      return { contentHash: built.body.data.contentHash, txHash }
    },

    async addWallet(party: Party, address: Address): Promise<void> {
      await superuser`
        insert into wallets (instance_id, address, is_primary, verified_by, verified_at)
        values (${party.instanceId}, ${address.toLowerCase()}, false, 'ERC1271', now())`
    },

    /** Straight on chain, by the deployer: no record, and nothing attested unless a hash is given. */
    async deployUnrecorded(request: Record<string, unknown> = {}): Promise<Address> {
      const params = {
        collateralToken: world.security.token,
        borrowAsset: world.cash,
        mode: 0,
        priceSource: 0,
        initialPrice: 100_000_000n,
        fallbackDecimals: 18,
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
      const call = { address: suite.factory, abi: lendingFactoryAbi, functionName: 'deployMarket', args: [params] }
      const { logs } = await send(node, call)
      const [deployed] = parseEventLogs({ abi: lendingFactoryAbi, eventName: 'MarketDeployed', logs })
      if (!deployed) throw new Error('no market was deployed')
      return deployed.args.market.toLowerCase() as Address
    },

    /** Runs the factory's proxy on another implementation while `work` lasts. */
    async withFactory(contract: { abi: Abi | readonly unknown[]; bytecode: Hex }, work: () => Promise<void>) {
      const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
      const current = await node.publicClient.getStorageAt({ address: suite.factory, slot })
      const upgrade = (implementation: Address) =>
        send(node, {
          address: suite.factory,
          abi: lendingFactoryAbi,
          functionName: 'upgradeToAndCall',
          args: [implementation, '0x'],
        })
      await upgrade(await deploy(node, contract))
      try {
        await work()
      } finally {
        await upgrade(`0x${current?.slice(26)}`)
      }
    },
  }
}

export type AssetDataSteps = ReturnType<typeof createAssetDataSteps>
