import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { createAttestations } from './attestations.service.ts'
import { getOracleHistoryRoute } from './get-oracle-history.route.ts'
import { getOracleStatusRoute } from './get-oracle-status.route.ts'
import { getPriceHistoryRoute } from './get-price-history.route.ts'
import { getVerifySignerRoute } from './get-verify-signer.route.ts'
import { createOracleHistory } from './oracle-history.service.ts'
import { createOracleStatus } from './oracle-status.service.ts'
import { recordPriceAttestationRoute } from './record-price-attestation.route.ts'
import { signPriceRoute } from './sign-price.route.ts'
import { createSignPrice } from './sign-price.service.ts'
import { syncOracle } from './sync-oracle.write.ts'
import { verifyPriceRoute } from './verify-price.route.ts'

export { priceReads, pushRead } from './oracle.reads.ts'
export { requireAcceptedPrice, signedPriceOf } from './signed-price.ts'

export const oracleRoutes = (parts: LendingParts): Route[] => {
  const status = createOracleStatus(parts)
  const history = createOracleHistory(parts)
  return [
    getOracleStatusRoute(status),
    syncOracle(parts),
    signPriceRoute(createSignPrice(parts)),
    verifyPriceRoute(status),
    recordPriceAttestationRoute(createAttestations(parts)),
    getVerifySignerRoute(status),
    getOracleHistoryRoute(history),
    getPriceHistoryRoute(history),
  ]
}
