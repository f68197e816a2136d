import type { Route } from '../../platform/http/route.ts'
import type { IdentityParts } from '../parts.ts'
import { checkTransferRoute } from './check-transfer.route.ts'
import { createCheckTransfer } from './check-transfer.service.ts'
import type { FindRegister } from './find-register.ts'
import { listRegistriesRoute } from './list-registries.route.ts'
import { createListRegistries } from './list-registries.service.ts'

export { thenAndNow, verificationOf } from './after-receipt.ts'
export { latestReader, pastReader } from './block-reader.ts'
export { aboutWallet, confirmedFields } from './confirmed-fields.ts'
export {
  createFindRegister,
  type FindRegister,
  type FoundRegister,
  type IdentityCall,
  type NamedRegister,
} from './find-register.ts'
export { ownProvider, readCountries } from './own-register.ts'
export { batchVerifyCall, verifyCall } from './own-registry.call.ts'
export { toSign } from './planned-call.ts'
export type { ClaimRequest, ClaimState, IdentityState, PlannedClaim, Register, RevocationEvidence } from './register.ts'
export { registerWrite, type WalletOnRegister, walletWrite } from './register-write.ts'
export { findSigner } from './signer.ts'

export const registerRoutes = ({ chains }: IdentityParts, registers: FindRegister): Route[] => [
  checkTransferRoute(createCheckTransfer(registers)),
  listRegistriesRoute(createListRegistries(chains, registers)),
]
