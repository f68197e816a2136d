import type { Row } from './row.ts'
import { assetDataRows } from './rows/asset-data.ts'
import { auctionModuleRows } from './rows/auction-module.ts'
import { claimRows } from './rows/claims.ts'
import { conventionRows } from './rows/conventions.ts'
import { extensionRows } from './rows/extensions.ts'
import { importRows } from './rows/imports.ts'
import { infrastructureFeeRows } from './rows/infrastructure-fees.ts'
import { liquidationConfigRows } from './rows/liquidation-config.ts'
import { orderBookRows } from './rows/order-books.ts'
import { positionRows } from './rows/positions.ts'
import { registerSearchRows } from './rows/register-search.ts'
import { relatedRows } from './rows/related.ts'
import { requestForQuoteRows } from './rows/requests-for-quote.ts'
import { setupStepRows } from './rows/setup-steps.ts'
import { subIssuerRows } from './rows/sub-issuer.ts'
import { upgradeRows } from './rows/upgrades.ts'
import { withdrawForSaleRows } from './rows/withdraw-for-sale.ts'

/** Every field, rule, code, state and limit that the interface promises. */
export const conformanceTable: readonly Row[] = [
  ...conventionRows,
  ...importRows,
  ...extensionRows,
  ...subIssuerRows,
  ...assetDataRows,
  ...infrastructureFeeRows,
  ...requestForQuoteRows,
  ...withdrawForSaleRows,
  ...registerSearchRows,
  ...orderBookRows,
  ...auctionModuleRows,
  ...setupStepRows,
  ...positionRows,
  ...liquidationConfigRows,
  ...claimRows,
  ...upgradeRows,
  ...relatedRows,
]
