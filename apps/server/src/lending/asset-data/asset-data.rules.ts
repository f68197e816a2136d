import type { Address } from 'viem'
import type { AssetDataView } from './asset-data.reads.ts'

export type Origin = 'OWN' | 'NOMINATED' | 'OPEN'

/** Why an instance may ask about a market; null: it may not. */
export function originOf(
  { deployment, candidates }: AssetDataView,
  viewer: { wallets: readonly Address[]; hasRecord: boolean; lenderApproved: boolean },
): Origin | null {
  const isViewers = (address: Address | null | undefined) => address != null && viewer.wallets.includes(address)
  // Whoever deployed or adopted it on chain need not have confirmed it here.
  const parties = [deployment?.deployer, deployment?.curator, deployment?.admin, deployment?.issuer]
  if (viewer.hasRecord || parties.some(isViewers)) return 'OWN'
  if (candidates.some(isViewers)) return 'NOMINATED'
  const isOpen = deployment?.isOpenToAnyCurator && deployment.curator === null
  return isOpen && viewer.lenderApproved ? 'OPEN' : null
}

/** Nothing reacts to a divergence; it only tells that the lender has not seen what stands now. */
export function statusOf({ attested, acknowledged }: NonNullable<AssetDataView['record']>) {
  if (attested === null) return 'NONE' as const
  if (acknowledged === null) return 'ATTESTED' as const
  return attested === acknowledged ? ('ACKNOWLEDGED' as const) : ('DIVERGED' as const)
}

export interface Authority {
  readonly attestor: Address | null
  readonly attestorRole: 'DEPLOYER' | 'ISSUER'
  readonly acknowledgers: Address[]
  readonly seekingCurator: boolean
}

/** The deploying wallet attests until the market is adopted, then the issuer named in the adoption terms. */
export function authorityOf({ deployment, attestor }: AssetDataView): Authority {
  const curator = deployment?.curator ?? null
  const acknowledgers = curator === null ? [] : [curator, deployment?.admin].filter((one) => one != null)
  return {
    attestor,
    attestorRole: curator === null ? 'DEPLOYER' : 'ISSUER',
    acknowledgers: [...new Set(acknowledgers)],
    seekingCurator: curator === null,
  }
}

export function attestationNote({ attestorRole }: Authority, divergesAfter: boolean): string {
  const who =
    attestorRole === 'DEPLOYER'
      ? 'The deploying wallet attests while the market seeks its lender of record. If the market is adopted before this is mined, it reverts with NotAttestor.'
      : 'The issuer named in the adoption terms attests.'
  const effect = divergesAfter
    ? ' The lender of record acknowledged an earlier version: the asset data reads DIVERGED until it acknowledges this one.'
    : ''
  return who + effect
}
