import { allowListTokenAbi, allowListTokenBytecode } from '@tallystick/abi/testing'
import { deploy, transact } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { type LendingWorld, must, type Party, V2 } from './lending-world.ts'

/** The prefix that the documentation shows for setup steps. */
export const V1 = '/lending-external-securities/api'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Data = any

export const steps = async (party: Party, marketId: string): Promise<Data> =>
  must(await party.get(`${V1}/markets/${marketId}/setup-steps`)).body.data

export const step = (data: Data, key: string): Data => data.steps.find((one: { key: string }) => one.key === key)

/** Which steps are done, in their order. */
export const doneOf = (data: Data): Record<string, boolean> =>
  Object.fromEntries(data.steps.map(({ key, done }: { key: string; done: boolean }) => [key, done]))

/** A venue for a market, created with what the interface built. */
export async function createVenue(
  world: LendingWorld,
  party: Party,
  marketId: string,
  prefix: string = V2,
): Promise<Address> {
  const built = must(await party.post(`${prefix}/markets/${marketId}/auction-module`, {}))
  return createContract(world, built.body.data.transaction.data)
}

export async function createContract(world: LendingWorld, data: Hex): Promise<Address> {
  const { contractAddress } = await transact(world.node, world.deployer.wallet, { data })
  if (!contractAddress) throw new Error('nothing was created')
  return contractAddress.toLowerCase() as Address
}

/** A token that admits contracts by a list of its owner's. */
export async function createListedToken(world: LendingWorld): Promise<Address> {
  const args = [world.deployer.wallet.address]
  const token = await deploy(world.node, { abi: allowListTokenAbi, bytecode: allowListTokenBytecode, args })
  await world.importToken(world.deployer, token)
  return token.toLowerCase() as Address
}
