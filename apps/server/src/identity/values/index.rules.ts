export { claimDigest, claimIdOf, dataHashOf, expiryAfter, hashOfInput, isZeroHash, keyOf } from './claim-data.rules.ts'
export { alpha3Of } from './countries.rules.ts'
export {
  type InvestorInput,
  type InvestorRequest,
  investorNumber,
  isFault,
  readInvestor,
} from './identity-input.rules.ts'
export { canonicalSlot, everySlot, needsProof, type Slot, slotAt, slotOf, topicOf } from './slots.rules.ts'
