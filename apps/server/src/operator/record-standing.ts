import { implementationKinds, implementationNames, readServed, type ServedKind, stockKinds } from '@tallystick/deployer'
import { type Address, encodeFunctionData, parseAbi, slice } from 'viem'
import { AppError } from '../platform/app-error.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { chainView } from './chain-view.ts'
import { callView, implementationBehind } from './contract-code.reads.ts'
import { behindProxies, contractNamed } from './contract-names.ts'
import type { DeployedContract } from './deployments.store.ts'
import { knownCode } from './known-code.ts'

const factoryAbi = parseAbi(['function satelliteDeployer() view returns (address)'])

/** What can be taken down by its address alone: the rest of a deployment hangs on it. */
const servedBy: Readonly<Record<string, readonly ServedKind[]>> = {
  LendingFactory: implementationKinds,
  StockFactory: stockKinds,
  IdentityRegistry: [],
  StockTradingVault: [],
  CommodityTradingVault: [],
  SignedOrderSettlement: [],
}

async function satelliteDeployerOf(chain: Chain, factory: Address): Promise<DeployedContract[]> {
  const answer = await callView(
    chain,
    factory,
    encodeFunctionData({ abi: factoryAbi, functionName: 'satelliteDeployer' }),
  )
  return answer.length === 66 ? [{ name: 'SatelliteDeployer', address: slice(answer, 12) }] : []
}

/**
 * A contract that stands on chain and everything that it runs on, by what it says itself, each proven to be a build that ever was ours:
 * so a deployment of an earlier release can be taken down without the creation code of that release.
 */
export async function findStanding(chain: Chain, name: string, address: Address): Promise<DeployedContract[]> {
  const kinds = servedBy[name]
  if (!kinds)
    throw new AppError('UNKNOWN_CONTRACT', {
      detail: `There is no contract called ${name} to be recorded by its address. Known: ${Object.keys(servedBy).join(', ')}.`,
    })
  const found = new Map<string, Address>()

  async function take(recordName: string, at: Address, factory?: Address) {
    const known = await knownCode(chain, contractNamed(recordName), at, factory)
    if (!known)
      throw new AppError('NOT_THIS_CONTRACT', {
        detail: `The code at ${at} is no build of ${recordName} that is known.`,
      })
    for (const [library, there] of known.libraries) found.set(library, there)
    found.set(recordName, at)
  }

  await take(name, address)
  const implementation = behindProxies[name]
  if (implementation) await take(implementation, await implementationBehind(chain, address))
  if (name === 'LendingFactory')
    for (const { name: other, address: at } of await satelliteDeployerOf(chain, address)) await take(other, at)
  for (const kind of kinds) {
    const served = await readServed(chainView(chain), address, kind)
    if (served) await take(implementationNames[kind], served, address)
  }
  return [...found].map(([one, at]) => ({ name: one, address: at }))
}
