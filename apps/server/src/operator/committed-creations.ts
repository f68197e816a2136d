import { lendingMarketAbi } from '@tallystick/abi'
import {
  DEPLOYMENT_PROXY,
  implementationNames,
  planImplementations,
  planLendingSuite,
  planStockImplementations,
  planStockSuite,
  planTradingSuite,
} from '@tallystick/deployer'
import { type Address, encodeDeployData, type Hex, zeroAddress } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import { contractRead } from '../platform/chain/contract-read.ts'
import { type Deployable, deployables } from './deployables.ts'
import type { DeployedContract } from './deployments.store.ts'

export interface Creation {
  readonly creation: Hex
  readonly from: Address
}

/** The creation code with what the contract says that its constructor was given; null: it does not say. */
async function creationOfDeployable(
  chain: Chain,
  { abi, bytecode, given }: Deployable,
  address: Address,
): Promise<Creation | null> {
  const views = given.flatMap((argument) => ('view' in argument ? [argument.view] : []))
  const { results } = await chain.read(views.map((view) => contractRead(address, abi, view, [])))
  const told = new Map(views.map((view, index) => [view, results[index]]))
  const args: unknown[] = []
  for (const argument of given) {
    const answer = 'view' in argument ? told.get(argument.view) : { ok: true as const, value: argument.any }
    if (!answer?.ok) return null
    args.push(answer.value)
  }
  return { creation: encodeDeployData({ abi, bytecode, args }), from: zeroAddress }
}

async function platformWalletOf(chain: Chain, market: Address | undefined): Promise<Address | null> {
  if (!market) return null
  const { results } = await chain.read([contractRead(market, lendingMarketAbi, 'platformWallet', [])])
  const [answer] = results
  return answer.ok && answer.value !== zeroAddress ? answer.value : null
}

/** What this release would create under each recorded name; a name that is missing here is not one of this release. */
export async function committedCreations(
  chain: Chain,
  recorded: readonly DeployedContract[],
): Promise<ReadonlyMap<string, Creation>> {
  const addressOf = (name: string) => recorded.find((contract) => contract.name === name)?.address
  // The owner leaves no trace in any code; where factory or wallet are not on record, their contracts are not either.
  const owner = DEPLOYMENT_PROXY
  const platformWallet = (await platformWalletOf(chain, addressOf(implementationNames.market))) ?? owner
  const factory = addressOf('LendingFactory') ?? owner
  const planned = {
    ...planLendingSuite({ owner, platformWallet }).contracts,
    ...planImplementations({ factory, platformWallet }).contracts,
    ...planStockSuite({ owner }).contracts,
    ...planStockImplementations(addressOf('StockFactory') ?? owner).contracts,
    ...planTradingSuite({ admin: owner, operator: owner, feeRecipient: owner }).contracts,
  }
  const found = new Map<string, Creation>(
    Object.entries(planned).map(([name, { creation }]) => [name, { creation, from: DEPLOYMENT_PROXY }]),
  )
  for (const { name, address } of recorded) {
    const deployable = deployables[name]
    const creation = deployable ? await creationOfDeployable(chain, deployable, address) : null
    if (creation) found.set(name, creation)
  }
  return found
}
