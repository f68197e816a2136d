import type { Abi } from 'viem'
import { explainReverts, type RevertTable } from '../platform/chain/reverts.ts'
import { abis, libraryAbis } from './contracts.ts'

/** The token, its module and the factory: each refuses in its own words. */
export const revertingAbis: readonly Abi[] = [...Object.values(abis), ...libraryAbis]

const access: RevertTable = {
  NotAuthorized: { code: 'NOT_AUTHORIZED', message: 'The signer does not hold the role that this call needs.' },
  NotSubIssuer: { code: 'NOT_SUB_ISSUER', message: 'The account is no sub-issuer of this token.' },
  NotController: { code: 'NOT_CONTROLLER', message: 'The account is no controller of this token.' },
  NotAgent: { code: 'NOT_AGENT', message: 'The account is no agent of this token.' },
  AlreadyGranted: { code: 'ROLE_ALREADY_HELD', message: 'The account holds this role already.' },
  AuthorizationUnchanged: { code: 'AUTHORIZATION_UNCHANGED', message: 'The contract is authorised so already.' },
  SubIssuersNotAllowed: {
    code: 'SUB_ISSUERS_NOT_ALLOWED',
    message:
      'This token allows no sub-issuers, those that were appointed included. The issuer has to allow them first.',
  },
  LastIssuer: { code: 'LAST_ISSUER', message: 'A token never loses its last issuer.' },
  TooManyIssuers: { code: 'TOO_MANY_ISSUERS', message: 'The token has as many issuers as it can have.' },
  UnknownRole: { code: 'UNKNOWN_ROLE', message: 'The token knows no such role.' },
}

const movement: RevertTable = {
  TransferRestricted: { code: 'TRANSFER_RESTRICTED', message: 'A rule of the token refuses.' },
  TokenPaused: { code: 'TOKEN_PAUSED', message: 'The token is paused.' },
  TokenNotPaused: { code: 'TOKEN_NOT_PAUSED', message: 'The token is not paused.' },
  RecipientNotVerified: {
    code: 'RECIPIENT_NOT_VERIFIED',
    message: 'The identity registry of the token does not verify the recipient.',
  },
  FreeBalanceTooLow: { code: 'FREE_BALANCE_TOO_LOW', message: 'The account has fewer shares that are not frozen.' },
  FrozenBalanceTooLow: { code: 'FROZEN_BALANCE_TOO_LOW', message: 'Fewer shares of the account are frozen so.' },
  ERC20InsufficientBalance: { code: 'INSUFFICIENT_BALANCE', message: 'The account holds fewer shares.' },
  ERC20InsufficientAllowance: {
    code: 'INSUFFICIENT_ALLOWANCE',
    message: 'A sub-issuer redeems its own shares; for those of others it needs an allowance of the holder.',
  },
  AmountIsZero: { code: 'AMOUNT_IS_ZERO', message: 'The amount must be above zero.' },
  SameAccount: {
    code: 'SAME_ACCOUNT',
    message: 'A forced transfer goes to another account: to the same one it would only dissolve what is frozen.',
  },
  AccountIsZero: { code: 'ACCOUNT_IS_ZERO', message: 'The zero address cannot be meant here.' },
  NotAContract: { code: 'NOT_A_CONTRACT', message: 'There is no contract at this address.' },
  BatchNeedsMoreGas: {
    code: 'BATCH_NEEDS_MORE_GAS',
    message: 'The transaction has too little gas for even one entry. Send it with the gasLimit of the build.',
  },
  SupplyTooLarge: { code: 'SUPPLY_TOO_LARGE', message: 'There would be more shares than the token can count.' },
  SubIssuerCapExceeded: {
    code: 'SUB_ISSUER_CAP_EXCEEDED',
    message: 'The sub-issuer would have more shares outstanding than its cap allows.',
  },
  SubIssuerRedemptionExceeded: {
    code: 'SUB_ISSUER_REDEMPTION_EXCEEDED',
    message: 'The sub-issuer has fewer shares outstanding than it would redeem.',
  },
  TooManyFreezers: {
    code: 'TOO_MANY_FREEZERS',
    message: 'As many agents as possible have frozen shares of this account.',
  },
}

const splits: RevertTable = {
  SplitUnderWay: { code: 'SPLIT_UNDER_WAY', message: 'A split is under way: it has to be brought to its end first.' },
  NoSplitUnderWay: { code: 'NO_SPLIT_UNDER_WAY', message: 'No split is under way.' },
  InvalidRatio: { code: 'INVALID_RATIO', message: 'The token takes no split of this ratio.' },
}

const compliance: RevertTable = {
  NoComplianceModule: { code: 'NO_COMPLIANCE_MODULE', message: 'The token has no compliance module.' },
  LimitsCrossed: { code: 'LIMITS_CROSSED', message: 'The least holding would be above the largest.' },
  LockupInThePast: { code: 'LOCKUP_IN_THE_PAST', message: 'A lockup ends in the future, or is cleared with 0.' },
  NotToken: { code: 'MODULE_OF_ANOTHER_TOKEN', message: 'The compliance module takes no orders from this token.' },
}

const deployment: RevertTable = {
  IssuerIsZero: { code: 'ISSUER_IS_ZERO', message: 'A token needs an issuer.' },
  DecimalsTooHigh: { code: 'DECIMALS_TOO_HIGH', message: 'A token has at most 18 decimals.' },
  AlreadyDeployed: { code: 'ALREADY_DEPLOYED', message: 'This signer has made a token with this salt before.' },
  FailedCall: {
    code: 'TERMS_REFUSED',
    message: 'The new token refuses its terms: look at the identity registry, the holding limits and the addresses.',
  },
  NoImplementation: {
    code: 'NO_IMPLEMENTATION',
    message: 'The owner of the factory has to serve an implementation first.',
  },
}

const registry: RevertTable = {
  RegistryNotAnnounced: { code: 'REGISTRY_NOT_ANNOUNCED', message: 'Another registry was announced, or none.' },
  RegistryNotReady: {
    code: 'REGISTRY_NOT_READY',
    message: 'A registry is announced 14 days before it can be taken.',
  },
  RegistryLapsed: {
    code: 'REGISTRY_LAPSED',
    message: 'The announcement is good for 14 days after its wait: announce the registry anew.',
  },
}

const elsewhere = 'no call that this surface builds'
const unreachable: RevertTable = {
  ArrayLengthMismatch: { unreachable: 'the lists are compared before anything is built' },
  TooManyRecipients: { unreachable: 'the lists are counted before anything is built' },
  NoRecipients: { unreachable: 'the lists are counted before anything is built' },
  ModuleNeedsMoreGas: { unreachable: elsewhere },
  NotSameIdentity: { unreachable: elsewhere },
  IdentityUnknown: { unreachable: elsewhere },
  IdentityKnown: { unreachable: elsewhere },
  NothingToRecover: { unreachable: elsewhere },
  PledgeStands: { unreachable: elsewhere },
  NotLegalOperator: { unreachable: elsewhere },
  NotServed: { unreachable: elsewhere },
  NotAnUpgrade: { unreachable: elsewhere },
  NotAStock: { unreachable: elsewhere },
  OwnerIsZero: { unreachable: elsewhere },
  UnknownKind: { unreachable: elsewhere },
  NotForThisFactory: { unreachable: elsewhere },
  OwnableUnauthorizedAccount: { unreachable: elsewhere },
  ERC2612ExpiredSignature: { unreachable: elsewhere },
  ERC2612InvalidSigner: { unreachable: elsewhere },
  ERC20InvalidApprover: { unreachable: elsewhere },
  ERC20InvalidReceiver: { unreachable: elsewhere },
  ERC20InvalidSender: { unreachable: elsewhere },
  ERC20InvalidSpender: { unreachable: elsewhere },
  Create2EmptyBytecode: { unreachable: 'the factory always has code to deploy' },
  Create3EmptyBytecode: { unreachable: 'the factory always has code to deploy' },
  InsufficientBalance: { unreachable: 'no deployment carries ether' },
  ECDSAInvalidSignature: { unreachable: elsewhere },
  ECDSAInvalidSignatureLength: { unreachable: elsewhere },
  ECDSAInvalidSignatureS: { unreachable: elsewhere },
  InvalidInitialization: { unreachable: 'proxies are initialised where they are created' },
  NotInitializing: { unreachable: 'proxies are initialised where they are created' },
  AddressEmptyCode: { unreachable: 'the factory serves only addresses with code' },
  FailedDeployment: { unreachable: 'a proxy that cannot be made says why' },
  ERC1967InvalidImplementation: { unreachable: 'the factory serves only addresses with code' },
  ERC1967NonPayable: { unreachable: 'no call of ours carries ether' },
  UUPSUnauthorizedCallContext: { unreachable: 'calls go to proxies, not to implementations' },
  UUPSUnsupportedProxiableUUID: { unreachable: elsewhere },
}

export const stocksReverts: RevertTable = {
  ...access,
  ...movement,
  ...splits,
  ...compliance,
  ...deployment,
  ...registry,
  ...unreachable,
}

/** What the refusals of stock tokens mean to a caller. */
export const explainStocks = explainReverts(revertingAbis, stocksReverts)
