import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { nameTokens } from './token-questions.reads.ts'

const modes = ['FREEZE', 'CUSTODY'] as const
const sources = ['NAV', 'MARKET'] as const

interface Factories {
  readonly factory: Address
  readonly stockFactory: Address | null
}

/** What the factory recorded when it created a market, and what its tokens are. Null: one of our contracts does not answer. */
export async function readDeployment(chain: Chain, { factory, stockFactory }: Factories, market: Address) {
  const { results } = await chain.read([
    contractRead(factory, abis.factory, 'deployment', [market]),
    contractRead(factory, abis.factory, 'assetData', [market]),
    contractRead(market, abis.market, 'parts', []),
  ])
  const [deployment, assetData, parts] = results
  if (!deployment.ok || !assetData.ok || !parts.ok) return null
  const { collateralToken, borrowAsset } = deployment.value
  const asked = { collateral: collateralToken, borrowAsset, stockFactory }
  const { borrowDecimals, isOwnStock, ...names } = await nameTokens(chain, asked)
  if (borrowDecimals === null || isOwnStock === null) return null
  const lower = (address: string) => address.toLowerCase() as Address
  const mode = modes[deployment.value.mode]
  const priceSource = sources[deployment.value.priceSource]
  if (!mode || !priceSource) return null
  return {
    deployer: lower(deployment.value.deployer),
    collateralToken: lower(collateralToken),
    borrowAsset: lower(borrowAsset),
    oracle: lower(deployment.value.oracle),
    rateModel: lower(deployment.value.model),
    insuranceFund: lower(deployment.value.fund),
    adapter: lower(deployment.value.adapter),
    router: lower(deployment.value.router),
    mode,
    priceSource,
    borrowDecimals,
    ...names,
    isOwnStock,
    attested: assetData.value.attested,
    attestor: lower(assetData.value.attestor),
  }
}

export type DeploymentFacts = NonNullable<Awaited<ReturnType<typeof readDeployment>>>
