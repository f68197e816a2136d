// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Who may do what with a vault, and for how long. Every power that keeps people from their money runs out by
/// itself, and using it again is an event for all to see.
interface IVaultAccess {
    /* EVENTS */

    event AdminTransferStarted(address indexed admin, address indexed newAdmin);
    event AdminTransferred(address indexed previousAdmin, address indexed newAdmin);
    event OperatorSet(address indexed operator, bool isOperator);
    event UserFrozen(address indexed user, uint256 until, address indexed by);
    event UserUnfrozen(address indexed user, address indexed by);
    event WithdrawalsPaused(uint256 until);
    event WithdrawalsUnpaused();
    event SettlementPaused(bool isPaused);
    /// @param readyAt From when on the proxy may move to it, unless somebody is frozen in the meantime.
    event UpgradeAnnounced(address indexed implementation, uint256 readyAt);

    /* ERRORS */

    error NotAdmin(address account);
    error NotPendingAdmin(address account);
    error NotOperator(address account);
    error NotAdminOrOperator(address account);
    error AddressIsZero();
    error UserIsFrozen(address user, uint256 until);
    /// @notice In the past, or further ahead than one freeze or pause may last.
    error EndOutOfRange(uint256 until, uint256 latest);
    /// @notice The last one ended too shortly ago.
    error TooSoon(uint256 notBefore);
    error WithdrawalsArePaused(uint256 until);
    error SettlementIsPaused();
    error UpgradeNotAnnounced(address implementation);
    error UpgradeNotReady(uint256 readyAt);
    /// @notice The announcement is too old to be a warning; it has to be made again.
    error UpgradeLapsed(uint256 lapsedAt);
    /// @notice Nobody could read what is announced.
    error NoCodeAt(address implementation);
    /// @notice Other code than when it was announced.
    error UpgradeCodeChanged(address implementation);
    /// @notice Only the admin lifts a freeze of the admin.
    error FrozenByAdmin(address user);
    error NotAnUpgrade(uint256 currentVersion, uint256 newVersion);

    /* ADMIN FUNCTIONS */

    /// @notice Nominates the next admin, who has to accept.
    function transferAdmin(address newAdmin) external;

    /// @notice Only the nominee.
    function acceptAdmin() external;

    function setOperator(address operator, bool isOperator_) external;

    /// @notice At most 3 days, and not within 7 days after the last pause. Settlement goes on.
    function pauseWithdrawals(uint256 until) external;

    function unpauseWithdrawals() external;

    /// @notice Deposits, requests and withdrawals go on.
    function setSettlementPaused(bool isPaused) external;

    /// @notice Tells everybody 14 days before which implementation comes: time to leave. Good for 14 days from then. The
    /// 14 days count from the end of the last freeze of anybody, set before or after. The implementation must be there,
    /// and be the same code at the upgrade.
    function announceUpgrade(address implementation) external;

    /* ADMIN AND OPERATOR FUNCTIONS */

    /// @notice Blocks withdrawals and settlements of a user for at most 30 days. The admin may renew; an operator may
    /// not freeze the same user again within 30 days after the end.
    function freezeUser(address user, uint256 until) external;

    /// @notice An operator lifts freezes of operators only. An upgrade waits for the end that was lifted all the same.
    function unfreezeUser(address user) external;

    /* VIEWS */

    function admin() external view returns (address);

    function pendingAdmin() external view returns (address);

    function isOperator(address account) external view returns (bool);

    /// @notice Frozen while this second lies ahead.
    function frozenUntil(address user) external view returns (uint256);

    function withdrawalsPausedUntil() external view returns (uint256);

    function isSettlementPaused() external view returns (bool);

    /// @return implementation What comes.
    /// @return readyAt The earliest second of it as things stand; a freeze moves it to 14 days after its end.
    function announcedUpgrade() external view returns (address implementation, uint256 readyAt);

    /// @notice The latest end of any freeze so far. Of those of version 1 only once an upgrade was announced since.
    function freezesEndBy() external view returns (uint256);

    /// @notice Rises with every implementation.
    function version() external view returns (uint256);
}
