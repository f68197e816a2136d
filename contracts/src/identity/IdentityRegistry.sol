// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Roles} from "../base/Roles.sol";
import {IIdentitySource} from "../base/interfaces/IIdentitySource.sol";
import {SuccessionLib} from "../libraries/SuccessionLib.sol";
import {ClaimRecord, IdentityRecord, RegistryStorage, Standing, registryStorage} from "./RegistryStorage.sol";
import {IIdentityClaims} from "./interfaces/IIdentityClaims.sol";
import {IRegistryModule} from "./interfaces/IRegistryModule.sol";
import {IdentityInputLib} from "./libraries/IdentityInputLib.sol";
import {ModuleLib} from "./libraries/ModuleLib.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @title IdentityRegistry
contract IdentityRegistry is IIdentityClaims, Roles, Initializable, UUPSUpgradeable {
    using IdentityInputLib for IdentityInput;
    using IdentityInputLib for uint64;
    using ModuleLib for address[];
    using SuccessionLib for mapping(address => address);

    /* CONSTANTS */

    bytes32 public constant KYC_PROVIDER_ROLE = keccak256("KYC_PROVIDER_ROLE");
    bytes32 public constant REGISTER_OPERATOR_ROLE = keccak256("REGISTER_OPERATOR_ROLE");
    bytes32 public constant COMPLIANCE_OFFICER_ROLE = keccak256("COMPLIANCE_OFFICER_ROLE");
    bytes32 public constant LEGAL_OPERATOR_ROLE = keccak256("LEGAL_OPERATOR_ROLE");

    uint256 public constant MAX_BATCH_VERIFY = 500;
    uint256 public constant MAX_BATCH_REVOKE = 1_000;
    uint256 public constant MAX_MODULES = 8;
    uint256 public constant UPGRADE_DELAY = 14 days;
    uint256 public constant UPGRADE_WINDOW = 14 days;

    uint256 private constant CLAIM_SLOTS = 8;

    /// @dev An entry takes 75,000, the first one of the registry 92,000; the end of a batch without failures 4,000.
    uint256 private constant ENTRY_GAS = 120_000;
    /// @dev Enough to tell one failed entry in event and answer.
    uint256 private constant FAILURE_GAS = 1_000;

    modifier whenNotPaused() {
        require(!registryStorage().isPaused, RegistryIsPaused());
        _;
    }

    /* CONSTRUCTOR */

    constructor() {
        _disableInitializers();
    }

    /// @notice Call it through the constructor of the proxy: until then it is anyone's.
    function initialize(address admin, address legalOperator) external initializer {
        require(admin != address(0) && legalOperator != address(0), AccountIsZero());
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(LEGAL_OPERATOR_ROLE, legalOperator);
    }

    /* PROVIDER FUNCTIONS */

    /// @inheritdoc IIdentityClaims
    function verifyIdentity(
        address user,
        bytes32 kycHash,
        InvestorType investorType,
        uint64 softExpiry,
        uint64 hardExpiry,
        uint16 country
    ) external onlyRole(KYC_PROVIDER_ROLE) whenNotPaused {
        IdentityInput memory input = IdentityInput(user, kycHash, investorType, softExpiry, hardExpiry, country);
        input.requireFaultless();
        Standing standing = registryStorage().records[user].standing;
        require(standing != Standing.VERIFIED, AlreadyVerified(user));
        require(standing != Standing.GIVEN_UP, WalletGivenUp(user));
        _verify(input);
    }

    /// @inheritdoc IIdentityClaims
    function updateIdentity(
        address user,
        bytes32 kycHash,
        InvestorType investorType,
        uint64 softExpiry,
        uint64 hardExpiry,
        uint16 country
    ) external onlyRole(KYC_PROVIDER_ROLE) whenNotPaused {
        IdentityInput memory input = IdentityInput(user, kycHash, investorType, softExpiry, hardExpiry, country);
        input.requireFaultless();
        IdentityRecord storage record = _verifiedRecord(user);
        KycStatus oldStatus = _statusOf(record);
        _write(record, input);
        emit IdentityUpdated(user, kycHash, investorType, msg.sender);
        if (oldStatus != KycStatus.ACTIVE) emit KYCStatusChanged(user, oldStatus, KycStatus.ACTIVE);
    }

    /// @inheritdoc IIdentityClaims
    function batchVerifyIdentities(IdentityInput[] calldata entries)
        external
        onlyRole(KYC_PROVIDER_ROLE)
        whenNotPaused
        returns (uint256 processed, uint256 successCount, uint256[] memory failedIndices)
    {
        _checkLength(entries.length, MAX_BATCH_VERIFY);
        uint256[] memory failed = new uint256[](entries.length);
        uint256 failures = 0;
        while (processed < entries.length && gasleft() >= ENTRY_GAS + failures * FAILURE_GAS) {
            IdentityInput memory entry = entries[processed];
            if (_isVerifiable(entry)) _verify(entry);
            else failed[failures++] = processed;
            ++processed;
        }
        require(processed != 0, BatchNeedsMoreGas());
        successCount = processed - failures;
        failedIndices = _firstOf(failed, failures);
        emit BatchVerified(processed, entries.length, successCount, failedIndices);
    }

    /// @inheritdoc IIdentityClaims
    function addClaim(address user, ClaimType claimType, bytes32 dataHash, uint64 expiry)
        external
        onlyRole(KYC_PROVIDER_ROLE)
        whenNotPaused
    {
        require(dataHash != 0, DataHashIsZero());
        require(!expiry.isOver(), ExpiryInThePast(expiry));
        require(expiry <= type(uint48).max, ExpiryTooFar(expiry));
        IdentityRecord storage record = registryStorage().records[user];
        KycStatus status = _statusOf(record);
        require(_counts(status), IdentityNotActive(user, status));
        ClaimRecord storage claim = registryStorage().claims[record.dossier][uint256(claimType)];
        // forge-lint: disable-next-line(unsafe-typecast)
        (claim.issuedAt, claim.expiry) = (uint48(block.timestamp), uint48(expiry));
        (claim.dataHash, claim.issuer) = (dataHash, msg.sender);
        emit ClaimAdded(user, claimType, dataHash, expiry, msg.sender);
    }

    /// @inheritdoc IIdentityClaims
    function revokeClaim(address user, ClaimType claimType) external onlyRole(KYC_PROVIDER_ROLE) {
        IdentityRecord storage record = registryStorage().records[user];
        ClaimRecord storage claim = registryStorage().claims[record.dossier][uint256(claimType)];
        require(_counts(_statusOf(record)) && _isRunning(claim), NoActiveClaim(user, claimType));
        (claim.dataHash, claim.issuer, claim.issuedAt, claim.expiry) = (0, address(0), 0, 0);
        emit ClaimRevoked(user, claimType, msg.sender);
    }

    /* OPERATOR FUNCTIONS */

    /// @inheritdoc IIdentityClaims
    function revokeIdentity(address user) external onlyRole(REGISTER_OPERATOR_ROLE) {
        _revoke(user, _verifiedRecord(user));
    }

    /// @inheritdoc IIdentityClaims
    function batchRevokeIdentities(address[] calldata users)
        external
        onlyRole(REGISTER_OPERATOR_ROLE)
        returns (uint256 revoked)
    {
        _checkLength(users.length, MAX_BATCH_REVOKE);
        for (uint256 i = 0; i < users.length; ++i) {
            IdentityRecord storage record = registryStorage().records[users[i]];
            if (record.standing != Standing.VERIFIED) continue;
            _revoke(users[i], record);
            ++revoked;
        }
    }

    /// @inheritdoc IIdentityClaims
    function moveIdentity(address lostWallet, address newWallet)
        external
        onlyRole(REGISTER_OPERATOR_ROLE)
        whenNotPaused
    {
        require(newWallet != address(0), UserIsZero());
        require(newWallet != lostWallet, SameWallet(newWallet));
        RegistryStorage storage s = registryStorage();
        IdentityRecord storage lost = _verifiedRecord(lostWallet);
        IdentityRecord storage found = s.records[newWallet];
        require(found.standing != Standing.VERIFIED, AlreadyVerified(newWallet));
        address person = identity(lostWallet);
        address owner = _ownerOf(newWallet);
        require(owner == address(0) || owner == person, WalletOfAnother(newWallet, owner, person));
        KycStatus status = _statusOf(lost);
        bool wasFrozen = lost.isFrozen;
        bool isNewlyFrozen = wasFrozen && !found.isFrozen;

        IdentityRecord memory moved = lost;
        moved.isFrozen = wasFrozen || found.isFrozen;
        s.records[newWallet] = moved;
        s.movedPerson[newWallet] = person;
        delete s.records[lostWallet];
        delete s.movedPerson[lostWallet];
        s.givenUpBy[lostWallet] = person;
        s.successors.note(lostWallet, newWallet);
        // Without this a provider could verify the lost wallet as the person who lost it.
        (lost.standing, lost.isFrozen) = (Standing.GIVEN_UP, wasFrozen);

        emit IdentityMoved(lostWallet, newWallet, person);
        if (isNewlyFrozen) emit AddressFrozen(newWallet, msg.sender);
        emit KYCStatusChanged(lostWallet, status, KycStatus.REVOKED);
        emit KYCStatusChanged(newWallet, KycStatus.REVOKED, status);
    }

    /* OFFICER FUNCTIONS */

    /// @inheritdoc IIdentityClaims
    function freezeAddress(address user) external onlyRole(COMPLIANCE_OFFICER_ROLE) {
        require(user != address(0), UserIsZero());
        IdentityRecord storage record = registryStorage().records[user];
        require(!record.isFrozen, AlreadyFrozen(user));
        record.isFrozen = true;
        emit AddressFrozen(user, msg.sender);
    }

    /// @inheritdoc IIdentityClaims
    function unfreezeAddress(address user) external onlyRole(COMPLIANCE_OFFICER_ROLE) {
        IdentityRecord storage record = registryStorage().records[user];
        require(record.isFrozen, NotFrozen(user));
        record.isFrozen = false;
        emit AddressUnfrozen(user, msg.sender);
    }

    /* ADMIN FUNCTIONS */

    /// @inheritdoc IIdentityClaims
    function addKYCProvider(address account, string calldata name) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _appoint(KYC_PROVIDER_ROLE, account, name);
        emit KYCProviderAdded(account, name);
    }

    /// @inheritdoc IIdentityClaims
    function addRegisterOperator(address account, string calldata name) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _appoint(REGISTER_OPERATOR_ROLE, account, name);
        emit RegisterOperatorAdded(account, name);
    }

    /// @inheritdoc IIdentityClaims
    function addComplianceOfficer(address account) external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(account != address(0), AccountIsZero());
        _grantRole(COMPLIANCE_OFFICER_ROLE, account);
        emit ComplianceOfficerAdded(account);
    }

    /// @inheritdoc IIdentityClaims
    function addComplianceModule(address module) external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(module.code.length != 0, ModuleIsNotAContract(module));
        address[] storage modules = registryStorage().modules;
        require(_positionOf(module) == modules.length, ModuleAlreadyAdded(module));
        require(modules.length < MAX_MODULES, TooManyModules(MAX_MODULES));
        modules.push(module);
        emit ComplianceModuleAdded(module);
    }

    /// @inheritdoc IIdentityClaims
    function removeComplianceModule(address module) external onlyRole(DEFAULT_ADMIN_ROLE) {
        address[] storage modules = registryStorage().modules;
        uint256 position = _positionOf(module);
        require(position != modules.length, ModuleUnknown(module));
        modules[position] = modules[modules.length - 1];
        modules.pop();
        emit ComplianceModuleRemoved(module);
    }

    /// @inheritdoc IIdentityClaims
    function pause() external onlyRole(DEFAULT_ADMIN_ROLE) whenNotPaused {
        registryStorage().isPaused = true;
        emit Paused(msg.sender);
    }

    /// @inheritdoc IIdentityClaims
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(registryStorage().isPaused, RegistryIsNotPaused());
        registryStorage().isPaused = false;
        emit Unpaused(msg.sender);
    }

    /* LEGAL OPERATOR FUNCTIONS */

    /// @inheritdoc IIdentityClaims
    function announceUpgrade(address implementation) external onlyRole(LEGAL_OPERATOR_ROLE) {
        if (implementation != address(0)) _requireUpgrade(implementation);
        uint256 readyAt = implementation == address(0) ? 0 : block.timestamp + UPGRADE_DELAY;
        // forge-lint: disable-next-line(unsafe-typecast)
        (registryStorage().announcedUpgrade, registryStorage().upgradeReadyAt) = (implementation, uint64(readyAt));
        emit UpgradeAnnounced(implementation, readyAt);
    }

    /// @dev Whoever writes the registry's code says who may hold every token that asks it.
    function _authorizeUpgrade(address newImplementation) internal override onlyRole(LEGAL_OPERATOR_ROLE) {
        RegistryStorage storage s = registryStorage();
        require(newImplementation == s.announcedUpgrade, UpgradeNotAnnounced(newImplementation));
        uint256 readyAt = s.upgradeReadyAt;
        require(block.timestamp >= readyAt, UpgradeNotReady(readyAt));
        require(block.timestamp <= readyAt + UPGRADE_WINDOW, UpgradeLapsed(readyAt + UPGRADE_WINDOW));
        _requireUpgrade(newImplementation);
        (s.announcedUpgrade, s.upgradeReadyAt) = (address(0), 0);
    }

    /* INTERNAL */

    function _verify(IdentityInput memory input) private {
        IdentityRecord storage record = registryStorage().records[input.user];
        _write(record, input);
        record.standing = Standing.VERIFIED;
        record.dossier = ++registryStorage().dossiers;
        emit IdentityVerified(input.user, input.kycHash, input.investorType, msg.sender);
        emit KYCStatusChanged(input.user, KycStatus.REVOKED, KycStatus.ACTIVE);
    }

    function _write(IdentityRecord storage record, IdentityInput memory input) private {
        record.kycHash = input.kycHash;
        record.provider = msg.sender;
        record.verifiedAt = uint48(block.timestamp);
        record.country = input.country;
        record.investorType = input.investorType;
        record.softExpiry = input.softExpiry;
        record.hardExpiry = input.hardExpiry;
    }

    function _revoke(address user, IdentityRecord storage record) private {
        KycStatus oldStatus = _statusOf(record);
        record.standing = Standing.REVOKED;
        emit IdentityRevoked(user, msg.sender);
        emit KYCStatusChanged(user, oldStatus, KycStatus.REVOKED);
    }

    function _appoint(bytes32 role, address account, string calldata name) private {
        require(account != address(0), AccountIsZero());
        require(bytes(name).length != 0, NameIsEmpty());
        registryStorage().names[account] = name;
        _grantRole(role, account);
    }

    function _requireUpgrade(address implementation) private view {
        uint256 newVersion = IIdentityClaims(implementation).version();
        require(newVersion > version(), NotAnUpgrade(version(), newVersion));
    }

    /// @dev Who may still have securities in a wallet; zero for one that never had an identity. Before version 2 nobody
    /// noted who gave a wallet up: then only its first person comes back.
    function _ownerOf(address wallet) private view returns (address owner) {
        RegistryStorage storage s = registryStorage();
        Standing standing = s.records[wallet].standing;
        if (standing == Standing.NONE) return address(0);
        owner = standing == Standing.GIVEN_UP ? s.givenUpBy[wallet] : s.movedPerson[wallet];
        if (owner == address(0)) owner = wallet;
    }

    function _verifiedRecord(address user) private view returns (IdentityRecord storage record) {
        record = registryStorage().records[user];
        require(record.standing == Standing.VERIFIED, NotVerified(user));
    }

    function _isVerifiable(IdentityInput memory input) private view returns (bool) {
        if (input.faultOf() != IdentityInputLib.Fault.NONE) return false;
        Standing standing = registryStorage().records[input.user].standing;
        return standing == Standing.NONE || standing == Standing.REVOKED;
    }

    function _statusOf(IdentityRecord storage record) private view returns (KycStatus) {
        if (record.standing != Standing.VERIFIED) return KycStatus.REVOKED;
        if (record.hardExpiry.isOver()) return KycStatus.HARD_EXPIRED;
        return record.softExpiry.isOver() ? KycStatus.SOFT_EXPIRED : KycStatus.ACTIVE;
    }

    function _counts(KycStatus status) private pure returns (bool) {
        return status == KycStatus.ACTIVE || status == KycStatus.SOFT_EXPIRED;
    }

    /// @dev Says nothing about the identity, without which no claim is active.
    function _isRunning(ClaimRecord storage claim) private view returns (bool) {
        return claim.dataHash != 0 && !uint64(claim.expiry).isOver();
    }

    function _readClaim(ClaimRecord storage stored, uint256 slot) private view returns (Claim memory) {
        return Claim(ClaimType(slot), stored.dataHash, stored.issuer, stored.issuedAt, stored.expiry);
    }

    /// @dev The number of modules when it is none of them.
    function _positionOf(address module) private view returns (uint256 position) {
        address[] storage modules = registryStorage().modules;
        while (position < modules.length && modules[position] != module) ++position;
    }

    /// @return 0, or why the wallet of this record may not take part: one number for senders, the next for receivers.
    function _objectionTo(IdentityRecord storage record, KycStatus status) private view returns (uint8) {
        if (status == KycStatus.REVOKED) return 1;
        if (status == KycStatus.HARD_EXPIRED) return 5;
        return record.isFrozen ? 3 : 0;
    }

    function _checkLength(uint256 entries, uint256 most) private pure {
        require(entries != 0, NoEntries());
        require(entries <= most, TooManyEntries(entries, most));
    }

    function _firstOf(uint256[] memory values, uint256 count) private pure returns (uint256[] memory first) {
        first = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            first[i] = values[i];
        }
    }

    /* VIEWS */

    /// @inheritdoc IIdentityClaims
    function identityOf(address user) external view returns (Identity memory) {
        IdentityRecord storage record = registryStorage().records[user];
        return Identity({
            kycHash: record.kycHash,
            investorType: record.investorType,
            country: record.country,
            provider: record.provider,
            verifiedAt: record.verifiedAt,
            softExpiry: record.softExpiry,
            hardExpiry: record.hardExpiry,
            isRevoked: record.standing != Standing.VERIFIED
        });
    }

    /// @inheritdoc IIdentityClaims
    function statusOf(address user) external view returns (KycStatus) {
        return _statusOf(registryStorage().records[user]);
    }

    /// @inheritdoc IIdentityClaims
    function getClaims(address user) external view returns (Claim[] memory active) {
        IdentityRecord storage record = registryStorage().records[user];
        if (!_counts(_statusOf(record))) return active;
        ClaimRecord[CLAIM_SLOTS] storage stored = registryStorage().claims[record.dossier];
        uint256 count = 0;
        for (uint256 slot = 0; slot < CLAIM_SLOTS; ++slot) {
            if (_isRunning(stored[slot])) ++count;
        }
        active = new Claim[](count);
        for (uint256 slot = CLAIM_SLOTS; slot > 0; --slot) {
            if (_isRunning(stored[slot - 1])) active[--count] = _readClaim(stored[slot - 1], slot - 1);
        }
    }

    /// @inheritdoc IIdentityClaims
    function claimOf(address user, ClaimType claimType) external view returns (Claim memory claim, bool isActive) {
        IdentityRecord storage record = registryStorage().records[user];
        ClaimRecord storage stored = registryStorage().claims[record.dossier][uint256(claimType)];
        if (stored.dataHash == 0) return (claim, false);
        return (_readClaim(stored, uint256(claimType)), _counts(_statusOf(record)) && _isRunning(stored));
    }

    /// @inheritdoc IIdentityClaims
    function isAddressFrozen(address user) external view returns (bool) {
        return registryStorage().records[user].isFrozen;
    }

    /// @inheritdoc IIdentityClaims
    function paused() external view returns (bool) {
        return registryStorage().isPaused;
    }

    /// @inheritdoc IIdentitySource
    function complianceModules() external view returns (address[] memory) {
        return registryStorage().modules;
    }

    /// @inheritdoc IIdentityClaims
    function nameOf(address account) external view returns (string memory) {
        return registryStorage().names[account];
    }

    /// @inheritdoc IIdentityClaims
    function canTransfer(address from, address to, uint256 amount, uint256 fromBalance, uint256 toBalance)
        external
        view
        returns (TransferCheckResult memory result)
    {
        RegistryStorage storage s = registryStorage();
        result.senderStatus = _statusOf(s.records[from]);
        result.receiverStatus = _statusOf(s.records[to]);
        result.reason = _objectionTo(s.records[from], result.senderStatus);
        if (result.reason != 0) return result;
        result.reason = _objectionTo(s.records[to], result.receiverStatus);
        if (result.reason != 0) {
            ++result.reason;
            return result;
        }
        (result.reason,) = moduleObjection(from, to, amount, fromBalance, toBalance);
        result.allowed = result.reason == 0;
    }

    /// @inheritdoc IIdentitySource
    function moduleObjection(address from, address to, uint256 amount, uint256 fromBalance, uint256 toBalance)
        public
        view
        returns (uint8 reason, address module)
    {
        return registryStorage().modules
            .firstObjection(abi.encodeCall(IRegistryModule.canTransfer, (from, to, amount, fromBalance, toBalance)));
    }

    /// @inheritdoc IIdentitySource
    function isVerified(address user) external view returns (bool) {
        IdentityRecord storage record = registryStorage().records[user];
        return !record.isFrozen && _counts(_statusOf(record));
    }

    /// @inheritdoc IIdentityClaims
    function contains(address user) external view returns (bool) {
        return registryStorage().records[user].standing == Standing.VERIFIED;
    }

    /// @inheritdoc IIdentitySource
    function identity(address user) public view returns (address) {
        if (registryStorage().records[user].standing != Standing.VERIFIED) return address(0);
        address person = registryStorage().movedPerson[user];
        return person == address(0) ? user : person;
    }

    /// @inheritdoc IIdentityClaims
    function investorCountry(address user) external view returns (uint16) {
        IdentityRecord storage record = registryStorage().records[user];
        return record.standing == Standing.VERIFIED ? record.country : 0;
    }

    /// @inheritdoc IIdentitySource
    function successorOf(address wallet) external view returns (address) {
        return registryStorage().successors.latest(wallet);
    }

    /// @inheritdoc IIdentityClaims
    function announcedUpgrade() external view returns (address implementation, uint256 readyAt) {
        return (registryStorage().announcedUpgrade, registryStorage().upgradeReadyAt);
    }

    /// @inheritdoc IIdentityClaims
    function version() public pure virtual returns (uint256) {
        return 2;
    }
}
