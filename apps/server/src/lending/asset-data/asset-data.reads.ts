import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { contractRead, type ResultsOf } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'

const modes = ['FREEZE', 'CUSTODY'] as const
const sources = ['NAV', 'MARKET'] as const

/** Everything that factory and market say about the asset data and about who may touch it, for one multicall. */
export function assetDataReads(factory: Address, market: Address) {
  return [
    contractRead(factory, abis.factory, 'isMarket', [market]),
    contractRead(factory, abis.factory, 'deployment', [market]),
    contractRead(factory, abis.factory, 'candidates', [market]),
    contractRead(factory, abis.factory, 'assetData', [market]),
    contractRead(factory, abis.factory, 'attestorOf', [market]),
    contractRead(market, abis.market, 'parts', []),
  ] as const
}

type Results = ResultsOf<ReturnType<typeof assetDataReads>>

const orNull = (address: string): Address | null => (address === zeroAddress ? null : lowered(address))
const hashOrNull = (hash: Hex): Hex | null => (hash === zeroHash ? null : hash)

function deploymentOf(result: Results[1]) {
  if (!result.ok) return null
  const { deployer, curator, issuer, admin, collateralToken, mode, priceSource, isOpenToAnyCurator } = result.value
  const collateralMode = modes[mode]
  const source = sources[priceSource]
  if (!collateralMode || !source) return null
  return {
    deployer: orNull(deployer),
    curator: orNull(curator),
    issuer: orNull(issuer),
    admin: orNull(admin),
    collateralToken: lowered(collateralToken),
    collateralMode,
    priceSource: source,
    isOpenToAnyCurator,
  }
}

function recordOf(result: Results[3]) {
  if (!result.ok) return null
  const { attested, acknowledged, attestor, version, attestedAt, acknowledgedAt } = result.value
  return {
    attested: hashOrNull(attested),
    acknowledged: hashOrNull(acknowledged),
    attestor: orNull(attestor),
    version,
    attestedAt: attestedAt || null,
    acknowledgedAt: acknowledgedAt || null,
  }
}

/** What the chain said. A null is something that this generation of the contracts does not answer. */
export function assetDataView(results: Results) {
  const [isMarket, deployment, candidates, assetData, attestor, parts] = results
  return {
    /** Null: what stands at the factory's address does not answer as a factory. */
    isMarket: isMarket.ok ? isMarket.value : null,
    deployment: deploymentOf(deployment),
    candidates: candidates.ok ? candidates.value.map(lowered) : [],
    /** Null: the factory predates attestation. */
    record: recordOf(assetData),
    attestor: attestor.ok ? orNull(attestor.value) : null,
    /** Null: the market does not tell its settlement asset. */
    borrowAsset: parts.ok ? lowered(parts.value.asset) : null,
  }
}

export type AssetDataView = ReturnType<typeof assetDataView>
