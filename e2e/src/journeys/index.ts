import { borrower } from './borrower.ts'
import { complianceOfficer } from './compliance-officer.ts'
import { issuerPlatform } from './issuer-platform.ts'
import { lenderOfRecord } from './lender-of-record.ts'
import { liquidator } from './liquidator.ts'
import { liquidityProvider } from './liquidity-provider.ts'
import { marketMaker } from './market-maker.ts'

export type Journey = () => Promise<void>

/** By role, in the order in which a market comes to life. */
export const journeys: Readonly<Record<string, Journey>> = {
  'issuer-platform': issuerPlatform,
  'lender-of-record': lenderOfRecord,
  borrower,
  'liquidity-provider': liquidityProvider,
  liquidator,
  'market-maker': marketMaker,
  'compliance-officer': complianceOfficer,
}
