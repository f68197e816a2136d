import type { Abi } from 'viem'
import { explainReverts, type RevertTable } from '../platform/chain/reverts.ts'
import { abis } from './contracts.ts'

/** ERC-3643 registries and ONCHAINIDs refuse in sentences; only our own registry has names for it. */
export const revertingAbis: readonly Abi[] = [abis.identityRegistry]

const notOurs = 'the interface builds no such call'
const atCreation = 'the proxy is initialized where it is created'

/** What each refusal of the registry means to a caller. */
export const identityReverts: RevertTable = {
  NotAuthorized: { code: 'NOT_AUTHORIZED', message: 'The signer does not hold the role that this call needs.' },
  RegistryIsPaused: {
    code: 'REGISTRY_PAUSED',
    message: 'The registry is paused: nobody is verified until it goes on.',
  },
  AlreadyVerified: {
    code: 'ALREADY_VERIFIED',
    message: 'The identity of this wallet stands already: it is updated, not verified again.',
  },
  NotVerified: { code: 'NOT_VERIFIED', message: 'The wallet has no unrevoked identity.' },
  WalletGivenUp: {
    code: 'WALLET_GIVEN_UP',
    message: 'The identity of this wallet was moved to another one; it cannot be verified again.',
  },
  IdentityNotActive: {
    code: 'IDENTITY_NOT_ACTIVE',
    message: 'Claims are added to an active identity only; this one is expired, revoked or none.',
  },
  NoActiveClaim: { code: 'NO_ACTIVE_CLAIM', message: 'The slot holds no active claim.' },
  ExpiryInThePast: { code: 'EXPIRY_IN_THE_PAST', message: 'The expiry has come already.' },
  ExpiryTooFar: { code: 'EXPIRY_TOO_FAR', message: 'The registry cannot hold an expiry that far ahead.' },
  SoftExpiryNotBeforeHard: {
    code: 'SOFT_EXPIRY_NOT_BEFORE_HARD',
    message: 'The soft expiry has to come before the hard one.',
  },
  UserIsZero: { code: 'USER_IS_ZERO', message: 'The zero address is nobody.' },
  KycHashIsZero: { code: 'KYC_HASH_IS_ZERO', message: 'The hash of the file may not be zero.' },
  DataHashIsZero: { code: 'DATA_HASH_IS_ZERO', message: 'The hash of the claim may not be zero.' },
  BatchNeedsMoreGas: {
    code: 'BATCH_NEEDS_MORE_GAS',
    message: 'The gas would not do for the first entry of the batch.',
  },
  InvestorTypeIsNone: { unreachable: 'a wallet is never verified as nothing' },
  NoEntries: { unreachable: 'a batch without entries is not built' },
  TooManyEntries: { unreachable: 'a batch holds 500 entries at most' },
  CheckNeedsMoreGas: { unreachable: 'only a transfer asks the modules' },
  AlreadyFrozen: { unreachable: notOurs },
  NotFrozen: { unreachable: notOurs },
  AccountIsZero: { unreachable: notOurs },
  NameIsEmpty: { unreachable: notOurs },
  ModuleUnknown: { unreachable: notOurs },
  ModuleAlreadyAdded: { unreachable: notOurs },
  ModuleIsNotAContract: { unreachable: notOurs },
  TooManyModules: { unreachable: notOurs },
  SameWallet: { unreachable: notOurs },
  WalletOfAnother: { unreachable: notOurs },
  UpgradeNotAnnounced: { unreachable: notOurs },
  UpgradeNotReady: { unreachable: notOurs },
  UpgradeLapsed: { unreachable: notOurs },
  RegistryIsNotPaused: { unreachable: notOurs },
  NotAnUpgrade: { unreachable: notOurs },
  InvalidInitialization: { unreachable: atCreation },
  NotInitializing: { unreachable: atCreation },
  AddressEmptyCode: { unreachable: notOurs },
  FailedCall: { unreachable: notOurs },
  ERC1967InvalidImplementation: { unreachable: notOurs },
  ERC1967NonPayable: { unreachable: 'no call of ours carries ether' },
  UUPSUnauthorizedCallContext: { unreachable: 'calls go to the proxy, not to the implementation' },
  UUPSUnsupportedProxiableUUID: { unreachable: notOurs },
}

export const explainIdentity = explainReverts(revertingAbis, identityReverts)
