// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Shares of a company: ERC-20 whose every move asks the identity registry and a compliance module, with the
/// agent functions of ERC-3643.
interface IStockToken is IERC20 {
    /* TYPES */

    enum TransferRestrictionCode {
        SUCCESS,
        SENDER_NOT_ELIGIBLE,
        RECEIVER_NOT_ELIGIBLE,
        SENDER_TOKENS_FROZEN,
        RECEIVER_TOKENS_FROZEN,
        COMPLIANCE_REJECTED,
        PAUSED,
        INSUFFICIENT_BALANCE
    }

    struct StockTerms {
        string name;
        string symbol;
        string isin;
        string metadataURI;
        uint8 decimals;
        address identityRegistry;
        address issuer;
        /// @dev Authorises upgrades and nothing else. Zero: the issuer.
        address legalOperator;
        /// @dev False: nobody is made or acts as a sub-issuer until the issuer allows it.
        bool allowSubIssuers;
    }

    /* EVENTS */

    event Issued(address indexed to, uint256 amount, bytes32 reason, address indexed subIssuer);
    event Redeemed(address indexed from, uint256 amount, bytes32 reason, address indexed redeemer);
    event ForceTransfer(
        address indexed from, address indexed to, uint256 amount, bytes32 reason, address indexed controller
    );
    event TokensFrozen(address indexed account, uint256 amount);
    event TokensUnfrozen(address indexed account, uint256 amount);
    /// @notice A controller took shares that an agent had frozen, a lender's pledge for one.
    event PledgeBroken(address indexed agent, address indexed account, uint256 amount);
    event SplitStarted(uint256 numerator, uint256 denominator, uint256 holders);
    event SplitContinued(uint256 processed, uint256 holders);
    /// @notice What rounding down left of a holder's shares: `remainder / denominator` of the smallest unit.
    event SplitFraction(address indexed account, uint256 remainder, uint256 denominator);
    event StockSplit(uint256 numerator, uint256 denominator, uint256 newTotalSupply);
    event BatchIssueCompleted(uint256 processed, uint256 total, bytes32 reason);
    event IdentityRegistryUpdated(address oldRegistry, address newRegistry);
    /// @param readyAt From when on `setIdentityRegistry` takes it; 0: the announcement is withdrawn.
    event IdentityRegistryAnnounced(address indexed newRegistry, uint256 readyAt);
    event ComplianceModuleUpdated(address oldModule, address newModule);
    event MetadataURIUpdated(string oldURI, string newURI);
    event SubIssuerUpdated(address indexed account, bool authorized);
    event SubIssuersAllowed(bool allowed);
    event ControllerUpdated(address indexed account, bool authorized);
    event AuthorizedContractAdded(address indexed account);
    event AuthorizedContractRemoved(address indexed account);
    event SubIssuerCapUpdated(address indexed subIssuer, uint256 oldCap, uint256 newCap);
    event AgentAdded(address indexed agent);
    event AgentRemoved(address indexed agent);
    event AddressFrozen(address indexed userAddress, bool indexed isFrozen, address indexed owner);
    event Paused(address userAddress);
    event Unpaused(address userAddress);
    event RecoverySuccess(address indexed lostWallet, address indexed newWallet, address indexed investorOnchainID);

    /// @notice What splits had added to an agent's freeze is free again.
    event SurplusReleased(address indexed agent, address indexed account, uint256 amount);

    /* ERRORS */

    error TransferRestricted(uint8 code, string rule);
    error TokenPaused();
    error TokenNotPaused();
    error SplitUnderWay();
    error NoSplitUnderWay();
    error InvalidRatio(uint256 numerator, uint256 denominator);
    error SupplyTooLarge(uint256 supply, uint256 most);
    error DecimalsTooHigh(uint8 decimals);
    error AccountIsZero();
    error AmountIsZero();
    error NotAContract(address account);
    /// @notice Forced from a wallet to itself: nothing would move, but what is frozen would be free.
    error SameAccount(address account);
    error RecipientNotVerified(address account);
    error FreeBalanceTooLow(address account, uint256 free, uint256 amount);
    error FrozenBalanceTooLow(address account, uint256 frozen, uint256 amount);
    error TooManyFreezers(address account, uint256 most);
    error SubIssuersNotAllowed();
    error SubIssuerCapExceeded(address subIssuer, uint256 cap, uint256 outstanding);
    error SubIssuerRedemptionExceeded(address subIssuer, uint256 outstanding, uint256 amount);
    error NotSubIssuer(address account);
    error NotController(address account);
    error NotAgent(address account);
    error AlreadyGranted(bytes32 role, address account);
    error UnknownRole(bytes32 role);
    error LastIssuer();
    error TooManyIssuers(uint256 most);
    error AuthorizationUnchanged(address account);
    error ArrayLengthMismatch(uint256 recipients, uint256 amounts);
    error TooManyRecipients(uint256 recipients, uint256 most);
    error NoRecipients();
    error BatchNeedsMoreGas();
    error NoComplianceModule();
    error ModuleNeedsMoreGas();
    error NotSameIdentity(address lostWallet, address newWallet);
    error IdentityUnknown(address account);
    /// @notice The registry of today has told whose wallet it is: only the issuer has it noted again.
    error IdentityKnown(address account, address identity);
    error RegistryNotAnnounced(address registry);
    error RegistryNotReady(uint256 readyAt);
    /// @notice The announcement is too old to be a warning; it has to be made again.
    error RegistryLapsed(uint256 lapsedAt);
    error NothingToRecover(address lostWallet);
    /// @notice The agent still has `amount` frozen that no split added: the surplus belongs to that pledge.
    error PledgeStands(address agent, address account, uint256 amount);

    /* INITIALIZER */

    /// @notice Runs in the constructor of the proxy, so nobody can come first.
    /// @param module The compliance module; may be zero.
    function initialize(StockTerms calldata terms, address module) external;

    /* ISSUER AND SUB-ISSUER FUNCTIONS */

    /// @notice By the issuer, or by a sub-issuer within its cap. The recipient is verified or an authorised contract, and
    /// the modules of registry and token agree.
    function issue(address to, uint256 amount, bytes32 reason) external;

    /// @notice At most 200. Stops early when the gas left would not do for another: `processedCount` tells how far.
    function batchIssue(address[] calldata recipients, uint256[] calldata amounts, bytes32 reason)
        external
        returns (uint256 processedCount);

    /// @notice Burns the caller's own shares. Of a sub-issuer under the rules for a sender.
    function redeem(uint256 amount, bytes32 reason) external;

    /// @notice Burns a holder's unfrozen shares. The issuer needs nobody's consent; a sub-issuer spends the holder's
    /// allowance to it, the holder's wallet keeps to the rules for a sender, and what the sub-issuer has outstanding falls.
    function redeemFrom(address account, uint256 amount, bytes32 reason) external;

    /// @notice By the issuer, for a sub-issuer, present or past: what that one has outstanding falls.
    function redeemFor(address subIssuer, address account, uint256 amount, bytes32 reason) external;

    /* CONTROLLER FUNCTIONS */

    function freezeTokens(address account, uint256 amount) external;

    /// @notice Releases what controllers froze, never what an agent did.
    function unfreezeTokens(address account, uint256 amount) external;

    /// @notice Takes what controllers froze first, then what is free, then what agents froze. Works while paused.
    /// Never to the same wallet.
    function forceTransfer(address from, address to, uint256 amount, bytes32 reason) external;

    /* ISSUER FUNCTIONS */

    function pause() external;

    function unpause() external;

    /// @notice Forward only. Converts up to `maxHolders` holders; nothing else moves until `continueSplit` has done
    /// the rest, so that the supply and every balance end exactly right.
    function stockSplit(uint256 numerator, uint256 denominator, uint256 maxHolders) external;

    /// @notice By anyone.
    function continueSplit(uint256 maxHolders) external returns (uint256 left);

    function addSubIssuer(address account) external;

    /// @notice Reverts when the account is none. What it has outstanding stays readable and redeemable by the issuer.
    function removeSubIssuer(address account) external;

    function addController(address account) external;

    function removeController(address account) external;

    /// @notice 0: no cap. Counts what is outstanding, not what was ever issued.
    function setSubIssuerCap(address subIssuer, uint256 cap) external;

    /// @notice False stops those that are appointed, too. Their roles, counters and caps stay.
    function setSubIssuersAllowed(bool allowed) external;

    /// @notice Tells everybody 14 days before which registry comes. Good for 14 days from then; zero withdraws it.
    function announceIdentityRegistry(address newRegistry) external;

    /// @notice Only the one that was announced.
    function setIdentityRegistry(address newRegistry) external;

    /// @notice Zero removes it.
    function setComplianceModule(address newModule) external;

    function setMetadataURI(string calldata newURI) external;

    /// @notice Such a contract holds, sends and receives without an identity: a custody vault, a settlement contract. The
    /// default minimum does not bind it.
    function addAuthorizedContract(address account) external;

    function removeAuthorizedContract(address account) external;

    /// @notice Forwarded to the compliance module, which takes orders from the token alone.
    function setDefaultLimits(uint256 maxHolding, uint256 minHolding) external;

    function setUserLimits(address account, uint256 maxHolding, uint256 minHolding) external;

    function setLockup(address account, uint64 until) external;

    /// @notice Frees shares that splits added to what an agent froze, once nothing else of that agent's freeze is left:
    /// a pledge grows with a split, and the pledgee may not know the new shares.
    function releaseSurplus(address agent, address account, uint256 amount) external;

    /* AGENT FUNCTIONS OF ERC-3643 */

    function addAgent(address agent) external;

    function removeAgent(address agent) external;

    function setAddressFrozen(address account, bool freeze) external;

    function freezePartialTokens(address account, uint256 amount) external;

    /// @notice Releases what the calling agent froze, and nothing else. What a controller took of it counts as released:
    /// an agent that does not know can still release the rest.
    function unfreezePartialTokens(address account, uint256 amount) external;

    /// @notice Spends what is free, then what the calling agent froze, never what others did. Works while paused. The
    /// recipient is verified or an authorised contract.
    function forcedTransfer(address from, address to, uint256 amount) external returns (bool);

    /// @notice By an agent or the issuer, from a wallet to another of the person who had it when the shares came; never from
    /// an authorised contract. Balance, freezes under their owners' names, the
    /// address freeze and the module's limits and lockup go to the new wallet.
    function recoveryAddress(address lostWallet, address newWallet, address investorOnchainID) external returns (bool);

    /* PUBLIC FUNCTIONS */

    /// @notice Notes again whose wallet a holder's is: by anyone after the registry was exchanged, by the issuer at any time.
    function refreshIdentity(address account) external;

    /* VIEWS */

    function isin() external view returns (string memory);

    function metadataURI() external view returns (string memory);

    /// @notice Who the issuer is to readers of `owner()`: the first of the issuers.
    function owner() external view returns (address);

    function identityRegistry() external view returns (address);

    function announcedIdentityRegistry() external view returns (address registry, uint256 readyAt);

    /// @notice The same as `complianceModule`, under ERC-3643's name.
    function compliance() external view returns (address);

    function complianceModule() external view returns (address);

    function onchainID() external view returns (address);

    function version() external view returns (string memory);

    function paused() external view returns (bool);

    function isAgent(address account) external view returns (bool);

    function isFrozen(address account) external view returns (bool);

    /// @notice All that is frozen of an account, by whomever.
    function getFrozenTokens(address account) external view returns (uint256);

    /// @notice What one agent froze; what controllers froze under address zero.
    function frozenBy(address agent, address account) external view returns (uint256);

    /// @notice The part of `frozenBy` that splits added since the agent froze.
    function surplusOf(address agent, address account) external view returns (uint256);

    /// @notice What controllers took of an agent's freeze, until the agent releases it.
    function brokenPledgeOf(address agent, address account) external view returns (uint256);

    /// @notice The same as `getFrozenTokens`.
    function frozenTokens(address account) external view returns (uint256);

    function transferableBalance(address account) external view returns (uint256);

    /// @notice All splits so far, reduced.
    function splitRatio() external view returns (uint256 numerator, uint256 denominator);

    /// @notice Splits that were completed.
    function splitCount() external view returns (uint256);

    /// @notice What rounding down left of a holder's shares at a completed or running split, the first being 0.
    function splitFraction(uint256 split, address account)
        external
        view
        returns (uint256 remainder, uint256 denominator);

    /// @notice Holders still to be converted; 0 when no split is under way.
    function splitHoldersLeft() external view returns (uint256);

    function subIssuersAllowed() external view returns (bool);

    function isIssuer(address account) external view returns (bool);

    function isSubIssuer(address account) external view returns (bool);

    function isController(address account) external view returns (bool);

    function isLegalOperator(address account) external view returns (bool);

    function isAuthorizedContract(address account) external view returns (bool);

    function subIssuerCap(address account) external view returns (uint256);

    function subIssuerOutstanding(address account) external view returns (uint256);

    /// @notice The identity that a holder's wallet had when it became a holder.
    function identityOfHolder(address account) external view returns (address);

    /// @notice The wallet that took a lost one's place: by recoveries of this token and, where the registry tells, by moves of
    /// the identity, through later losses; zero when none did. For contracts that owe something to a lost wallet. Since
    /// version 2, and 16 steps at most: ask again with the answer where there may be more. Takes up to 130,000 gas.
    function successorOf(address wallet) external view returns (address);

    function holderCount() external view returns (uint256);

    function holdersAt(uint256 start, uint256 count) external view returns (address[] memory);

    /// @notice In this order: paused, balance, transferable, sender, receiver, modules of the registry, own module.
    /// @return code 0 when the transfer would pass.
    /// @return rule The name of the rule that refuses, `SUCCESS` when none does.
    function canTransfer(address from, address to, uint256 amount)
        external
        view
        returns (TransferRestrictionCode code, string memory rule);
}
