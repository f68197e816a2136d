import type { Address } from 'viem'
import type { Admission } from '../setup/index.rules.ts'

/** What was found out about the venue of a market. `venue` undefined: the market did not answer. */
export interface AuctionFindings {
  readonly venue: Address | null | undefined
  readonly useDutchAuction: boolean | null
  readonly routerAuthorized: boolean | null
  readonly fundAuthorized: boolean | null
  /** Null while there is no venue that could be admitted. */
  readonly admission: Admission | null
}

export const nothingFound: AuctionFindings = {
  venue: undefined,
  useDutchAuction: null,
  routerAuthorized: null,
  fundAuthorized: null,
  admission: null,
}

export function auctionStatus(found: AuctionFindings) {
  const { venue, useDutchAuction, routerAuthorized, fundAuthorized, admission } = found
  const base = {
    auctionModule: venue ?? null,
    wired: venue === undefined ? null : venue !== null,
    readFailed: venue === undefined,
    useDutchAuction,
    routerAuthorized,
    fundAuthorized,
  }
  if (!venue || !admission) return base
  const { admitted, requirement, registry } = admission
  return {
    ...base,
    tokenAdmitted: admitted,
    tokenAdmissionRequirement: requirement,
    ...(registry ? { tokenAdmissionRegistry: registry } : {}),
    realizationReady: admitted === true && fundAuthorized === true && routerAuthorized === true,
  }
}
