import { lendingFactoryAbi } from '@tallystick/abi'
import * as fixtures from '@tallystick/abi/testing'
import { deploy, deployLendingSuite, send, wallet } from '@tallystick/testkit'
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  pad,
  stringToHex,
  toHex,
  zeroHash,
} from 'viem'
import type { LendingWorld } from './lending-world.ts'

type Kind = 'market' | 'rateModel' | 'router' | 'insuranceFund'

const partial = {
  FirstGenerationMarket: ['market', fixtures.firstGenerationMarketAbi, fixtures.firstGenerationMarketBytecode],
  NominatingMarket: ['market', fixtures.nominatingMarketAbi, fixtures.nominatingMarketBytecode],
  MarketWithoutSnapshot: ['market', fixtures.marketWithoutSnapshotAbi, fixtures.marketWithoutSnapshotBytecode],
  MarketWithoutStamping: ['market', fixtures.marketWithoutStampingAbi, fixtures.marketWithoutStampingBytecode],
  ModelWithoutCeiling: ['rateModel', fixtures.modelWithoutCeilingAbi, fixtures.modelWithoutCeilingBytecode],
  FundWithoutTopUp: ['insuranceFund', fixtures.fundWithoutTopUpAbi, fixtures.fundWithoutTopUpBytecode],
  RouterWithoutRotation: ['router', fixtures.routerWithoutRotationAbi, fixtures.routerWithoutRotationBytecode],
} as const

const nextVersions = {
  rateModel: [fixtures.nextModelAbi, fixtures.nextModelBytecode],
  insuranceFund: [fixtures.nextFundAbi, fixtures.nextFundBytecode],
  router: [fixtures.nextRouterAbi, fixtures.nextRouterBytecode],
} as const

/** Where the factory keeps its storage, by ERC-7201. */
const FACTORY_STORAGE =
  BigInt(keccak256(toHex(BigInt(keccak256(toHex('tallystick.storage.LendingFactory'))) - 1n, { size: 32 }))) & ~0xffn

/** Other generations of the suite's implementations, and the factory owner who serves them. */
export function createImplementations({ node, suite }: LendingWorld) {
  const serve = (kind: Kind, implementation: Address) =>
    send(node, {
      address: suite.factory,
      abi: lendingFactoryAbi,
      functionName: 'setImplementation',
      args: [stringToHex(kind, { size: 32 }), implementation],
    })

  const create = async (name: keyof typeof partial, last: bigint): Promise<Address> => {
    const [kind, abi, bytecode] = partial[name]
    const args = [suite.factory, suite[kind], last]
    return (await deploy(node, { abi: abi as Abi, bytecode: bytecode as Hex, args })).toLowerCase() as Address
  }

  return {
    serve,
    /** What the suite was deployed with. */
    serveCurrent: (kind: Kind) => serve(kind, suite[kind]),
    /** Deploys a fixture; the last argument is its version, or the share that a first-generation market offers. */
    create,
    /** The next implementation of a proxy, with everything it has today. */
    async nextOf(kind: Kind): Promise<Address> {
      if (kind === 'market') return create('NominatingMarket', 4n)
      const [abi, bytecode] = nextVersions[kind]
      return (await deploy(node, { abi: abi as Abi, bytecode, args: [suite.factory] })).toLowerCase() as Address
    },
    /** The code of today at another address. */
    async twinOf(kind: Kind): Promise<Address> {
      const address = pad(toHex(0x7111 + kind.length), { size: 20 })
      const bytecode = await node.publicClient.getCode({ address: suite[kind] })
      await node.testClient.setCode({ address, bytecode: bytecode ?? '0x' })
      return address
    },
    /** No function of today's factory can do this; some earlier one may have left it so. */
    async serveNothing(kind: Kind): Promise<void> {
      const key = stringToHex(kind, { size: 32 })
      for (let offset = 0n; offset < 32n; offset++) {
        const place = encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [key, FACTORY_STORAGE + offset])
        const word = await node.publicClient.getStorageAt({ address: suite.factory, slot: keccak256(place) })
        if (word && BigInt(word) !== 0n)
          return node.testClient.setStorageAt({ address: suite.factory, index: keccak256(place), value: zeroHash })
      }
      throw new Error(`the factory serves nothing for ${kind} already`)
    },
    /** A complete suite of somebody else on the same chain. */
    otherFactory: async (): Promise<Address> => (await deployLendingSuite(node, { owner: wallet(6) })).factory,
  }
}
