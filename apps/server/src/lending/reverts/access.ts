import type { RevertTable } from '../../platform/chain/reverts.ts'

/** Who may not. */
export const accessReverts: RevertTable = {
  NotAuthorized: { code: 'NOT_AUTHORIZED', message: 'The signer does not hold the role that this call needs.' },
  OwnableUnauthorizedAccount: { code: 'NOT_OWNER', message: 'The signer does not own the contract.' },
  OwnableInvalidOwner: { code: 'INVALID_OWNER', message: 'This address cannot own the contract.' },
  NotBorrower: { code: 'NOT_BORROWER', message: 'Only the borrower of the loan may do this.' },
  NotOperator: { code: 'NOT_OPERATOR_WALLET', message: 'Only the operator wallet may do this.' },
  NotProvider: {
    code: 'NOT_PROVIDER',
    message: 'Only the operator wallet and registered vaults may provide directly.',
  },
  NotSaleRecipient: { code: 'NOT_SALE_RECIPIENT', message: 'Only the sale recipient may do this.' },
  NotLiquidator: { code: 'NOT_LIQUIDATOR', message: 'While the market is paused only its liquidators may do this.' },
  NotSigner: { code: 'SIGNER_NOT_AUTHORIZED', message: 'The oracle does not know this price signer.' },
  NotDeployer: {
    code: 'DEPLOYER_NOT_AUTHORIZED',
    message: 'Only the deployer of the market or the owner of the factory may do this.',
  },
  NotAttestor: { code: 'NOT_ATTESTOR', message: 'Another wallet is the attestor of this market.' },
  NotAcknowledger: {
    code: 'NOT_ACKNOWLEDGER',
    message: 'Only the lender of record or its admin acknowledges asset data.',
  },
  NotNominated: { code: 'NOT_NOMINATED', message: 'The signer is not nominated for this market.' },
  NotVerified: { code: 'NOT_VERIFIED', message: 'The register of the market does not verify this wallet.' },
  PayeeNotVerified: { code: 'PAYEE_NOT_VERIFIED', message: 'The register of the market does not verify the payee.' },
  PayeeNotAllowed: { code: 'PAYEE_NOT_ALLOWED', message: 'This payee cannot receive the money of the loan.' },
  CandidateNotVerified: {
    code: 'CANDIDATE_NOT_VERIFIED',
    message: 'The register of the market does not verify this candidate.',
  },
  DepositorNotVerified: {
    code: 'DEPOSITOR_NOT_VERIFIED',
    message: 'The register of the vault does not verify this depositor.',
  },
  NotSameIdentity: { code: 'NOT_SAME_IDENTITY', message: 'The two wallets do not belong to one identity.' },
  BidderIsBorrower: { code: 'BIDDER_IS_BORROWER', message: 'The borrower cannot bid on its own collateral.' },
  SelfPurchase: { code: 'SELF_PURCHASE', message: 'The borrower cannot buy its own collateral.' },
  OwnershipNotRenounceable: {
    code: 'OWNERSHIP_NOT_RENOUNCEABLE',
    message: 'A vault without an owner would lock its fees.',
  },
}
