import type { RevertTable } from '../../platform/chain/reverts.ts'

/** From the deployment to an upgrade. */
export const lifecycleReverts: RevertTable = {
  MarketPendingCurator: { code: 'MARKET_PENDING_CURATOR', message: 'The market has no lender of record yet.' },
  MarketNotDeployed: { code: 'MARKET_NOT_DEPLOYED', message: 'The factory did not deploy this market.' },
  NotSeekingCurator: { code: 'NOT_SEEKING_CURATOR', message: 'The market has its lender of record already.' },
  AlreadyNominated: { code: 'ALREADY_NOMINATED', message: 'This candidate is nominated already.' },
  TooManyCandidates: { code: 'TOO_MANY_CANDIDATES', message: 'A market takes at most this many candidates.' },
  InvalidDeployment: { code: 'INVALID_DEPLOYMENT', message: 'A parameter of the deployment is not acceptable.' },
  RateAboveCreatorCeiling: {
    code: 'RATE_ABOVE_CREATOR_CEILING',
    message: 'The rate is above what the factory lets a creator offer.',
  },
  NoImplementation: { code: 'NO_TARGET_IMPL', message: 'The factory serves no implementation of this kind.' },
  InvalidCuratorTerms: { code: 'INVALID_CURATOR_TERMS', message: 'A term of the adoption is not acceptable.' },
  NotOpenToClaims: {
    code: 'NOMINATION_REQUIRED',
    message: 'The market is not open to claims: a nomination is needed.',
  },
  ClaimNotCommitted: { code: 'CLAIM_NOT_COMMITTED', message: 'No such claim was committed.' },
  CommitmentUsed: { code: 'COMMITMENT_USED', message: 'This commitment was made before.' },
  ClaimPending: { code: 'CLAIM_PENDING', message: 'The claim has not matured yet.' },
  ClaimExpired: { code: 'CLAIM_EXPIRED', message: 'The claim has expired: commit again.' },
  ClaimBehindAnother: {
    code: 'CLAIM_BEHIND_ANOTHER',
    message: 'An earlier claim on this market has priority for its window.',
  },
  SignerSetNotClean: {
    code: 'SIGNER_SET_NOT_CLEAN',
    message: 'The oracle already knows a signer, so it cannot be handed over clean.',
  },
  AttestationCurrent: { code: 'ATTESTATION_CURRENT', message: 'These asset data stand already.' },
  AssetDataMismatch: { code: 'ASSET_DATA_STALE', message: 'Other asset data stand than those that were named.' },
  InvalidContentHash: { code: 'INVALID_CONTENT_HASH', message: 'The content hash is zero.' },
  NotServed: { code: 'NOT_SERVED', message: 'The factory serves another implementation.' },
  NotAnUpgrade: { code: 'ALREADY_UPGRADED', message: 'The implementation is not newer than the one that runs.' },
  NotVersioned: { code: 'NOT_VERSIONED', message: 'The implementation does not belong to this factory.' },
  MarketIsPaused: { code: 'MARKET_PAUSED', message: 'The market is paused.' },
  PriceBeforeSplit: {
    code: 'PRICE_BEFORE_SPLIT',
    message: 'The collateral was split: wait for a price from after the split.',
  },
  LoanPastDue: { code: 'LOAN_PAST_DUE', message: 'The loan is past its due date: nothing more is lent on it.' },
  MarketTermExpired: { code: 'MARKET_TERM_EXPIRED', message: 'The last day of the market has passed.' },
}
