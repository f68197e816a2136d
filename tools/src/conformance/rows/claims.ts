import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const revoke = testsIn('apps/server/src/identity/claims/revoke-claim.route.test.ts', 'revoking claims')
const proofs = testsIn('apps/server/src/identity/proofs/attest-proofs.route.test.ts', 'claims by hand and by proof')
const slots = testsIn('apps/server/src/identity/values/slots.rules.test.ts', 'the slots of an identity')

const claim = revoke('/revoke-claim builds, and confirms what the chain shows')
const proof = revoke('/proofs/revoke builds, and confirms what the chain shows')
const claimForm = revoke('/revoke-claim refuses what names no wallet and no slot, on both legs')
const proofForm = revoke('/proofs/revoke refuses what names no wallet and no slot, on both legs')
const everySlot = revoke('reach every slot from 0 to 7, by name and by number')
const ledger = proofs('a claim by proof is taken out of the ledger by its revocation, once, and kept in the audit')
const gone = revoke('answers INSTANCE_NOT_FOUND for a key whose instance is archived, on the route of proofs alone')

const form = {
  INVALID_ADDRESS: [400, 'walletAddress is missing or none'],
  INVALID_CLAIM_TYPE: [400, 'claimType is no slot from 0 to 7'],
} as const
const mismatch = { TX_TARGET_MISMATCH: [400, 'the transaction is about another wallet'] } as const

export const claimRows: readonly Row[] = [
  row('4.17/body-walletAddress', 'walletAddress is required.', claimForm),
  row('4.17/body-claimType', 'claimType is required: a name, or an integer from 0 to 7.', claim, claimForm),
  row('4.17/any-slot', 'Every slot can be revoked.', everySlot),
  row('4.17/body-txHash', 'txHash left out: calldata; sent: the confirmation.', claim),
  ...fieldRows({ section: '4.17', operation: 'revokeClaim', leg: 'build', at: 'data' }, claim, {
    action: ['string', 'SIGN_TRANSACTION.'],
    transaction: ['object', 'The unsigned call of the registry.'],
    functionName: ['string', 'revokeClaim.'],
    walletAddress: ['string', 'Checksummed.'],
    claimType: ['string', 'The name of the slot.'],
  }),
  ...fieldRows({ section: '4.17/confirm', operation: 'revokeClaim', leg: 'confirm', at: 'data' }, claim, {
    walletAddress: ['string', 'Checksummed.'],
    claimType: ['string', 'The name of the slot.'],
    txHash: ['string', 'As sent.'],
    gasUsed: ['string', 'From the receipt.'],
  }),
  ...codeRows('7/4.17', 'revokeClaim', 'build', {
    ...form,
    REVOKE_CLAIM_FAILED: [400, 'the revocation could not be prepared'],
  }),
  ...codeRows('7/4.17/confirm', 'revokeClaim', 'confirm', {
    ...form,
    ...mismatch,
    REVOKE_CLAIM_FAILED: [400, 'the revocation could not be confirmed'],
  }),

  row('4.18/body', 'The same body as for a claim.', proof, proofForm),
  row('4.18/removes-the-row', 'The row that records which proof backed the slot is removed.', ledger),
  row('4.18/registry-only', 'It acts on the registry only, and on no record of a proof tool.', ledger),
  ...fieldRows({ section: '4.18', operation: 'revokeProof', leg: 'build', at: 'data' }, proof, {
    action: ['string', 'SIGN_TRANSACTION.'],
    walletAddress: ['string', 'Checksummed.'],
    claimType: ['string', 'The name of the slot.'],
    'confirmWith.field': ['string', 'txHash, and nothing beside it.'],
  }),
  ...fieldRows({ section: '4.18/confirm', operation: 'revokeProof', leg: 'confirm', at: 'data' }, proof, {
    walletAddress: ['string', 'Checksummed.'],
    claimType: ['string', 'The name of the slot.'],
    txHash: ['string', 'As sent.'],
    gasUsed: ['string', 'From the receipt.'],
  }),
  ...codeRows('7/4.18', 'revokeProof', 'build', {
    ...form,
    REVOKE_PROOF_FAILED: [500, 'the revocation could not be prepared'],
  }),
  ...codeRows('7/4.18/confirm', 'revokeProof', 'confirm', {
    ...form,
    ...mismatch,
    TX_CLAIM_MISMATCH: [400, 'the transaction revokes another claim'],
    REVOKE_PROOF_FAILED: [500, 'the revocation could not be confirmed'],
  }),
  ...codeRows('7/4.18', 'revokeProof', 'door', { INSTANCE_NOT_FOUND: [404, 'the instance behind the key is gone'] }),
  row('7/4.18/instance-gone', 'An archived instance is told only here.', gone),
  row(
    '8/claim-slots',
    'Claim slots are 0 to 7.',
    claimForm,
    everySlot,
    slots('are eight, and no string of digits names one'),
  ),
]
