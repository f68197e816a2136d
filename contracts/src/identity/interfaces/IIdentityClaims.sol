// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentitySource} from "../../base/interfaces/IIdentitySource.sol";

/// @notice Who an investor is: one identity per wallet, with eight claim slots. Holds hashes, never personal data.
interface IIdentityClaims is IIdentitySource {
    /* TYPES */

    enum InvestorType {
        NONE,
        RETAIL,
        PROFESSIONAL,
        ELIGIBLE_COUNTERPARTY
    }

    /// @notice Computed from the clock. A wallet that was never verified reads `REVOKED`, with a zero hash.
    enum KycStatus {
        ACTIVE,
        SOFT_EXPIRED,
        HARD_EXPIRED,
        REVOKED
    }

    enum ClaimType {
        KYC,
        AML,
        ACCREDITATION,
        RESIDENCY,
        CITIZENSHIP,
        TAX_RESIDENCY,
        SANCTIONS_CHECK,
        PEP_CHECK
    }

    struct Identity {
        bytes32 kycHash;
        InvestorType investorType;
        /// @dev ISO 3166-1 numeric; 0 when unknown.
        uint16 country;
        address provider;
        uint64 verifiedAt;
        /// @dev Seconds since 1970; 0 for none. After it the identity still counts, and reads `SOFT_EXPIRED`.
        uint64 softExpiry;
        /// @dev Seconds since 1970; 0 for none. From it on the identity counts no more.
        uint64 hardExpiry;
        /// @dev Also true for a wallet that was never verified.
        bool isRevoked;
    }

    struct Claim {
        ClaimType claimType;
        bytes32 dataHash;
        address issuer;
        uint64 issuedAt;
        /// @dev Seconds since 1970; 0 for none.
        uint64 expiry;
    }

    struct IdentityInput {
        address user;
        bytes32 kycHash;
        InvestorType investorType;
        uint64 softExpiry;
        uint64 hardExpiry;
        uint16 country;
    }

    struct TransferCheckResult {
        bool allowed;
        /// @dev 0 none; 1, 2 sender, receiver has no active identity; 3, 4 is frozen; 5, 6 is hard expired; 10 a
        /// compliance module refused; 11 a compliance module failed.
        uint8 reason;
        KycStatus senderStatus;
        KycStatus receiverStatus;
    }

    /* EVENTS */

    event IdentityVerified(address indexed user, bytes32 kycHash, InvestorType investorType, address indexed provider);
    event IdentityUpdated(address indexed user, bytes32 kycHash, InvestorType investorType, address indexed provider);
    event KYCStatusChanged(address indexed user, KycStatus oldStatus, KycStatus newStatus);
    event IdentityRevoked(address indexed user, address indexed operator);
    /// @notice The person behind a lost wallet goes on with a new one, as the same `identity`.
    event IdentityMoved(address indexed lostWallet, address indexed newWallet, address indexed identity);
    event BatchVerified(uint256 processed, uint256 total, uint256 successCount, uint256[] failedIndices);
    event ClaimAdded(
        address indexed user, ClaimType indexed claimType, bytes32 dataHash, uint64 expiry, address indexed provider
    );
    event ClaimRevoked(address indexed user, ClaimType indexed claimType, address indexed provider);
    event AddressFrozen(address indexed user, address indexed officer);
    event AddressUnfrozen(address indexed user, address indexed officer);
    event KYCProviderAdded(address indexed account, string name);
    event RegisterOperatorAdded(address indexed account, string name);
    event ComplianceOfficerAdded(address indexed account);
    event ComplianceModuleAdded(address indexed module);
    event ComplianceModuleRemoved(address indexed module);
    event Paused(address indexed account);
    event Unpaused(address indexed account);
    /// @param readyAt From when on the proxy may move to it; 0: the announcement is withdrawn.
    event UpgradeAnnounced(address indexed implementation, uint256 readyAt);

    /* ERRORS */

    error UserIsZero();
    error KycHashIsZero();
    error InvestorTypeIsNone();
    error AlreadyVerified(address user);
    error NotVerified(address user);
    error IdentityNotActive(address user, KycStatus status);
    error ExpiryInThePast(uint64 expiry);
    error SoftExpiryNotBeforeHard(uint64 softExpiry, uint64 hardExpiry);
    error NoActiveClaim(address user, ClaimType claimType);
    error DataHashIsZero();
    error TooManyEntries(uint256 entries, uint256 most);
    error NoEntries();
    error AlreadyFrozen(address user);
    error NotFrozen(address user);
    error NameIsEmpty();
    error ModuleUnknown(address module);
    error ModuleAlreadyAdded(address module);
    error ModuleIsNotAContract(address module);
    error TooManyModules(uint256 most);
    error SameWallet(address wallet);
    /// @notice The identity of this wallet was moved: it was lost, and no provider may verify it again.
    error WalletGivenUp(address user);
    /// @notice The wallet was `owner`'s, who may still have securities in it: no other person's identity moves there.
    error WalletOfAnother(address wallet, address owner, address person);
    /// @notice Claims end before 2^48 seconds; 0 is for ever.
    error ExpiryTooFar(uint64 expiry);
    error AccountIsZero();
    error RegistryIsPaused();
    error RegistryIsNotPaused();
    /// @notice The gas would not do for the first entry of a batch.
    error BatchNeedsMoreGas();
    error NotAnUpgrade(uint256 currentVersion, uint256 newVersion);
    error UpgradeNotAnnounced(address implementation);
    error UpgradeNotReady(uint256 readyAt);
    /// @notice The announcement is too old to be a warning; it has to be made again.
    error UpgradeLapsed(uint256 lapsedAt);

    /* PROVIDER FUNCTIONS (KYC_PROVIDER_ROLE) */

    /// @notice Reverts for a wallet whose identity stands unrevoked: that one is updated.
    function verifyIdentity(
        address user,
        bytes32 kycHash,
        InvestorType investorType,
        uint64 softExpiry,
        uint64 hardExpiry,
        uint16 country
    ) external;

    /// @notice Rewrites the whole record; the caller becomes its provider. Claims stay.
    function updateIdentity(
        address user,
        bytes32 kycHash,
        InvestorType investorType,
        uint64 softExpiry,
        uint64 hardExpiry,
        uint16 country
    ) external;

    /// @notice At most 500. Entries that could not be verified singly are skipped and told. Stops early when the gas
    /// left would not do for another entry: `processed` says how far it came.
    /// @dev Warning: less gas makes the call do less rather than fail, so an estimate of its gas is of no use.
    function batchVerifyIdentities(IdentityInput[] calldata entries)
        external
        returns (uint256 processed, uint256 successCount, uint256[] memory failedIndices);

    /// @notice One claim per slot; overwrites whoever wrote it. The identity must be active or soft expired.
    function addClaim(address user, ClaimType claimType, bytes32 dataHash, uint64 expiry) external;

    /// @notice Any provider, any slot. Reverts when the slot holds no active claim.
    function revokeClaim(address user, ClaimType claimType) external;

    /* OPERATOR FUNCTIONS (REGISTER_OPERATOR_ROLE) */

    /// @notice The record stays and reads revoked.
    function revokeIdentity(address user) external;

    /// @notice At most 1,000. Wallets without an unrevoked identity are skipped.
    function batchRevokeIdentities(address[] calldata users) external returns (uint256 revoked);

    /// @notice Moves identity, claims and freeze of a lost wallet to a new one that never had an identity, or that the same
    /// person gave up. The lost one stays frozen if it was, and is given up: only this person comes back to it.
    function moveIdentity(address lostWallet, address newWallet) external;

    /* OFFICER FUNCTIONS (COMPLIANCE_OFFICER_ROLE) */

    /// @notice Stops the wallet in every token that asks this registry.
    function freezeAddress(address user) external;

    function unfreezeAddress(address user) external;

    /* ADMIN FUNCTIONS (DEFAULT_ADMIN_ROLE) */

    function addKYCProvider(address account, string calldata name) external;

    function addRegisterOperator(address account, string calldata name) external;

    function addComplianceOfficer(address account) external;

    /// @notice Modules are asked with bounded gas; one that throws, burns its gas or answers nonsense refuses.
    function addComplianceModule(address module) external;

    function removeComplianceModule(address module) external;

    /// @notice Stops all that makes a wallet eligible: providers' writes and moves. Revocations, freezes, unfreezes and
    /// reads go on.
    function pause() external;

    function unpause() external;

    /* LEGAL OPERATOR FUNCTIONS (LEGAL_OPERATOR_ROLE) */

    /// @notice Tells everybody 14 days before which implementation comes. Good for 14 days from then; zero withdraws it.
    function announceUpgrade(address implementation) external;

    /* VIEWS */

    function identityOf(address user) external view returns (Identity memory);

    function statusOf(address user) external view returns (KycStatus);

    /// @notice Active claims only, by slot.
    function getClaims(address user) external view returns (Claim[] memory);

    /// @notice What the slot holds, active or not; all zero when it was never filled or was revoked.
    function claimOf(address user, ClaimType claimType) external view returns (Claim memory claim, bool isActive);

    function isAddressFrozen(address user) external view returns (bool);

    function paused() external view returns (bool);

    /// @notice Rises with every implementation.
    function version() external view returns (uint256);

    function announcedUpgrade() external view returns (address implementation, uint256 readyAt);

    /// @notice The name under which a provider or operator was last appointed; stays when the role is taken.
    function nameOf(address account) external view returns (string memory);

    function canTransfer(address from, address to, uint256 amount, uint256 fromBalance, uint256 toBalance)
        external
        view
        returns (TransferCheckResult memory);

    /* VIEWS OF ERC-3643 */

    /// @notice Whether the wallet has an unrevoked identity.
    function contains(address user) external view returns (bool);

    /// @notice 0 for a wallet without an unrevoked identity.
    function investorCountry(address user) external view returns (uint16);
}
