// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IVaultAccess} from "../interfaces/IVaultAccess.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @title VaultAccess
abstract contract VaultAccess is IVaultAccess, Initializable, UUPSUpgradeable {
    /* CONSTANTS */

    uint256 public constant MAX_FREEZE = 30 days;
    uint256 public constant MAX_WITHDRAWAL_PAUSE = 3 days;
    uint256 public constant PAUSE_COOLDOWN = 7 days;
    /// @dev Longer than a pause, the wait for a withdrawal and a week of open doors together. Counts anew from the end
    /// of every freeze: whoever was kept in has all of it.
    uint256 public constant UPGRADE_DELAY = 14 days;
    uint256 public constant UPGRADE_WINDOW = 14 days;

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.VaultAccess")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant ACCESS_SLOT = 0x9b81c502e258eadf97eceb522f0a3b63644a0e38833e48ad96b92fda45db0200;

    /* STORAGE */

    /// @custom:storage-location erc7201:tallystick.storage.VaultAccess
    struct AccessStorage {
        address admin;
        bool isSettlementPaused;
        uint64 withdrawalsPausedUntil;
        address pendingAdmin;
        address announced;
        uint64 announcedReadyAt;
        mapping(address account => bool) isOperator;
        mapping(address user => uint64) frozenUntil;
        /* SINCE VERSION 2 */
        bytes32 announcedCode;
        /// @dev The latest end of any freeze, of somebody who was released early too.
        uint64 freezesEndBy;
        /// @dev False: freezes of version 1 are not in `freezesEndBy`.
        bool countsFreezes;
        /// @dev Not set for freezes of version 1: then only the admin lifts them.
        mapping(address user => bool) isFrozenByOperator;
    }

    modifier onlyAdmin() {
        _checkAdmin();
        _;
    }

    modifier onlyOperator() {
        _checkOperator();
        _;
    }

    modifier onlyAdminOrOperator() {
        _checkAdminOrOperator();
        _;
    }

    /* CONSTRUCTOR */

    function _initAccess(address admin_, address operator) internal {
        require(admin_ != address(0), AddressIsZero());
        AccessStorage storage s = _accessStorage();
        (s.admin, s.countsFreezes) = (admin_, true);
        emit AdminTransferred(address(0), admin_);
        if (operator != address(0)) _setOperator(operator, true);
    }

    /* ADMIN FUNCTIONS */

    /// @inheritdoc IVaultAccess
    function transferAdmin(address newAdmin) external onlyAdmin {
        _accessStorage().pendingAdmin = newAdmin;
        emit AdminTransferStarted(msg.sender, newAdmin);
    }

    /// @inheritdoc IVaultAccess
    function acceptAdmin() external {
        AccessStorage storage s = _accessStorage();
        require(msg.sender == s.pendingAdmin, NotPendingAdmin(msg.sender));
        emit AdminTransferred(s.admin, msg.sender);
        (s.admin, s.pendingAdmin) = (msg.sender, address(0));
    }

    /// @inheritdoc IVaultAccess
    function setOperator(address operator, bool isOperator_) external onlyAdmin {
        _setOperator(operator, isOperator_);
    }

    /// @inheritdoc IVaultAccess
    function pauseWithdrawals(uint256 until) external onlyAdmin {
        AccessStorage storage s = _accessStorage();
        uint256 last = s.withdrawalsPausedUntil;
        require(last == 0 || block.timestamp >= last + PAUSE_COOLDOWN, TooSoon(last + PAUSE_COOLDOWN));
        s.withdrawalsPausedUntil = _checkedEnd(until, MAX_WITHDRAWAL_PAUSE);
        emit WithdrawalsPaused(until);
    }

    /// @inheritdoc IVaultAccess
    function unpauseWithdrawals() external onlyAdmin {
        AccessStorage storage s = _accessStorage();
        // The end stays known: the cooldown counts from it.
        if (s.withdrawalsPausedUntil > block.timestamp) s.withdrawalsPausedUntil = uint64(block.timestamp);
        emit WithdrawalsUnpaused();
    }

    /// @inheritdoc IVaultAccess
    function setSettlementPaused(bool isPaused) external onlyAdmin {
        _accessStorage().isSettlementPaused = isPaused;
        emit SettlementPaused(isPaused);
    }

    /// @inheritdoc IVaultAccess
    function announceUpgrade(address implementation) external onlyAdmin {
        require(implementation.code.length != 0, NoCodeAt(implementation));
        AccessStorage storage s = _accessStorage();
        if (!s.countsFreezes) {
            // The version before kept no count: somebody may be frozen by it for as long as it could.
            s.countsFreezes = true;
            _noteFreeze(s, block.timestamp + MAX_FREEZE);
        }
        (s.announced, s.announcedCode) = (implementation, implementation.codehash);
        // forge-lint: disable-next-line(unsafe-typecast)
        s.announcedReadyAt = uint64(block.timestamp + UPGRADE_DELAY);
        emit UpgradeAnnounced(implementation, _readyAt(s));
    }

    /* ADMIN AND OPERATOR FUNCTIONS */

    /// @inheritdoc IVaultAccess
    function freezeUser(address user, uint256 until) external onlyAdminOrOperator {
        AccessStorage storage s = _accessStorage();
        uint256 last = s.frozenUntil[user];
        bool mayRenew = last == 0 || msg.sender == s.admin;
        require(mayRenew || block.timestamp >= last + MAX_FREEZE, TooSoon(last + MAX_FREEZE));
        s.frozenUntil[user] = _checkedEnd(until, MAX_FREEZE);
        s.isFrozenByOperator[user] = msg.sender != s.admin;
        _noteFreeze(s, until);
        emit UserFrozen(user, until, msg.sender);
    }

    /// @inheritdoc IVaultAccess
    function unfreezeUser(address user) external onlyAdminOrOperator {
        AccessStorage storage s = _accessStorage();
        if (s.frozenUntil[user] > block.timestamp) {
            require(msg.sender == s.admin || s.isFrozenByOperator[user], FrozenByAdmin(user));
            s.frozenUntil[user] = uint64(block.timestamp);
        }
        emit UserUnfrozen(user, msg.sender);
    }

    /* INTERNAL */

    function _authorizeUpgrade(address newImplementation) internal override onlyAdmin {
        AccessStorage storage s = _accessStorage();
        require(newImplementation == s.announced, UpgradeNotAnnounced(newImplementation));
        uint256 readyAt = _readyAt(s);
        require(block.timestamp >= readyAt, UpgradeNotReady(readyAt));
        require(block.timestamp <= readyAt + UPGRADE_WINDOW, UpgradeLapsed(readyAt + UPGRADE_WINDOW));
        require(newImplementation.codehash == s.announcedCode, UpgradeCodeChanged(newImplementation));
        uint256 newVersion = IVaultAccess(newImplementation).version();
        require(newVersion > version(), NotAnUpgrade(version(), newVersion));
        (s.announced, s.announcedReadyAt) = (address(0), 0);
    }

    /// @dev A freeze after the announcement moves it too.
    function _readyAt(AccessStorage storage s) private view returns (uint256 readyAt) {
        readyAt = s.announcedReadyAt;
        uint256 afterFreezes = s.freezesEndBy + UPGRADE_DELAY;
        if (readyAt != 0 && afterFreezes > readyAt) readyAt = afterFreezes;
    }

    function _noteFreeze(AccessStorage storage s, uint256 until) private {
        // forge-lint: disable-next-line(unsafe-typecast)
        if (until > s.freezesEndBy) s.freezesEndBy = uint64(until);
    }

    function _checkAdmin() private view {
        require(msg.sender == admin(), NotAdmin(msg.sender));
    }

    function _checkOperator() private view {
        require(isOperator(msg.sender), NotOperator(msg.sender));
    }

    function _checkAdminOrOperator() private view {
        require(msg.sender == admin() || isOperator(msg.sender), NotAdminOrOperator(msg.sender));
    }

    function _setOperator(address operator, bool isOperator_) private {
        require(operator != address(0), AddressIsZero());
        _accessStorage().isOperator[operator] = isOperator_;
        emit OperatorSet(operator, isOperator_);
    }

    function _checkedEnd(uint256 until, uint256 longest) private view returns (uint64) {
        uint256 latest = block.timestamp + longest;
        require(until > block.timestamp && until <= latest, EndOutOfRange(until, latest));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint64(until);
    }

    function _checkNotFrozen(address user) internal view {
        uint256 until = frozenUntil(user);
        require(block.timestamp >= until, UserIsFrozen(user, until));
    }

    function _checkWithdrawalsOpen() internal view {
        uint256 until = withdrawalsPausedUntil();
        require(block.timestamp >= until, WithdrawalsArePaused(until));
    }

    function _accessStorage() private pure returns (AccessStorage storage s) {
        assembly ("memory-safe") {
            s.slot := ACCESS_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc IVaultAccess
    function admin() public view returns (address) {
        return _accessStorage().admin;
    }

    /// @inheritdoc IVaultAccess
    function pendingAdmin() external view returns (address) {
        return _accessStorage().pendingAdmin;
    }

    /// @inheritdoc IVaultAccess
    function isOperator(address account) public view returns (bool) {
        return _accessStorage().isOperator[account];
    }

    /// @inheritdoc IVaultAccess
    function frozenUntil(address user) public view returns (uint256) {
        return _accessStorage().frozenUntil[user];
    }

    /// @inheritdoc IVaultAccess
    function withdrawalsPausedUntil() public view returns (uint256) {
        return _accessStorage().withdrawalsPausedUntil;
    }

    /// @inheritdoc IVaultAccess
    function isSettlementPaused() public view returns (bool) {
        return _accessStorage().isSettlementPaused;
    }

    /// @inheritdoc IVaultAccess
    function announcedUpgrade() external view returns (address implementation, uint256 readyAt) {
        return (_accessStorage().announced, _readyAt(_accessStorage()));
    }

    /// @inheritdoc IVaultAccess
    function freezesEndBy() external view returns (uint256) {
        return _accessStorage().freezesEndBy;
    }

    /// @inheritdoc IVaultAccess
    function version() public view virtual returns (uint256);
}
