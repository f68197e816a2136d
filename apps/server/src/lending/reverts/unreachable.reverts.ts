import type { RevertTable } from '../../platform/chain/reverts.ts'

/** What no call that we build can meet, and why. */
export const unreachableReverts: RevertTable = {
  AlreadyAdopted: { unreachable: 'the factory adopts a market once' },
  AlreadyHandedOver: { unreachable: 'a market hands its satellites over once, in its adoption' },
  PledgeeAlreadySet: { unreachable: 'the pledgee is set once, in the adoption' },
  NotFactory: { unreachable: 'only the factory knows these calls' },
  NotMarket: { unreachable: 'only the market knows these calls' },
  NotRouter: { unreachable: 'only the router knows these calls' },
  NotVenue: { unreachable: 'only the venue knows these calls' },
  NotAuthorizedSource: { unreachable: 'only the market and its venue deliver collateral' },
  RecipientNotAllowed: { unreachable: 'the market names only its router and its venue' },
  ReentrancyGuardReentrantCall: { unreachable: 'only a hostile token calls back' },
  InvalidInitialization: { unreachable: 'proxies are initialized where they are created' },
  NotInitializing: { unreachable: 'proxies are initialized where they are created' },
  InvalidShortString: { unreachable: 'the names in the domain are constants' },
  StringTooLong: { unreachable: 'the names in the domain are constants' },
  AddressEmptyCode: { unreachable: 'the factory serves only addresses with code' },
  FailedCall: { unreachable: 'no upgrade of ours carries a call' },
  ERC1967InvalidImplementation: { unreachable: 'the factory serves only addresses with code' },
  ERC1967NonPayable: { unreachable: 'no call of ours carries ether' },
  UUPSUnauthorizedCallContext: { unreachable: 'calls go to proxies, not to implementations' },
  UUPSUnsupportedProxiableUUID: { unreachable: 'the factory serves only implementations of the suite' },
  ERC20InvalidApprover: { unreachable: 'the zero address signs nothing' },
  ERC20InvalidReceiver: { unreachable: 'vault shares are not sent to the zero address' },
  ERC20InvalidSender: { unreachable: 'the zero address signs nothing' },
  ERC20InvalidSpender: { unreachable: 'the zero address signs nothing' },
}
