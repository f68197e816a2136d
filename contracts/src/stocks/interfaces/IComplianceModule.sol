// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a stock token asks before every transfer, issue and redemption by a sub-issuer, with bounded gas and without the right to write.
interface IComplianceModule {
    enum ComplianceRejectionReason {
        NONE,
        SENDER_LOCKED,
        BELOW_MIN_HOLDING,
        RECIPIENT_EXCEEDS_MAX,
        CUSTOM_RULE_VIOLATION
    }

    event DefaultLimitsSet(uint256 maxHolding, uint256 minHolding);
    event UserLimitsSet(address indexed account, uint256 maxHolding, uint256 minHolding);
    event LockupSet(address indexed account, uint64 until);
    event UserMoved(address indexed lostWallet, address indexed newWallet);

    error NotToken(address account);
    error NotLegalOperator(address account);
    error LimitsCrossed(uint256 maxHolding, uint256 minHolding);
    error LockupInThePast(uint64 until);

    /* INITIALIZER */

    /// @notice Runs in the constructor of the proxy, so nobody can come first.
    function initialize(address token, uint256 maxHolding, uint256 minHolding) external;

    /* TOKEN FUNCTIONS */

    /// @notice 0: no limit. The default minimum does not bind contracts that the token authorises. What does not fit 96 bits, and so no supply can reach, counts as the largest that does.
    function setDefaultLimits(uint256 maxHolding, uint256 minHolding) external;

    /// @notice 0: the default holds.
    function setUserLimits(address account, uint256 maxHolding, uint256 minHolding) external;

    /// @notice Seconds since 1970, ahead; 0 ends a lockup.
    function setLockup(address account, uint64 until) external;

    /// @notice Limits and lockup follow a recovery; of two lockups the longer holds.
    function moveUser(address lostWallet, address newWallet) external;

    /* VIEWS */

    /// @param from Zero when shares are issued.
    /// @param to Zero when a sub-issuer redeems.
    /// @return isAllowed Whether no rule refuses.
    /// @return reason `NONE` when none does.
    function canTransfer(address from, address to, uint256 amount, uint256 fromBalance, uint256 toBalance)
        external
        view
        returns (bool isAllowed, ComplianceRejectionReason reason);

    function token() external view returns (address);

    function defaultLimits() external view returns (uint256 maxHolding, uint256 minHolding);

    /// @notice What holds for the account: its own limits, and where it has none the defaults, as far as they bind it.
    function getUserLimits(address account) external view returns (uint256 maxHolding, uint256 minHolding);

    /// @notice The account's own limits only; 0 where it has none.
    function ownLimits(address account) external view returns (uint256 maxHolding, uint256 minHolding);

    /// @notice 0 when it has none.
    function lockedUntil(address account) external view returns (uint64);
}

/// @notice What readers of a token's `compliance` under ERC-3643 ask.
interface ITransferCompliance {
    /// @notice Whether no rule of the module refuses, with the balances of now.
    function canTransfer(address from, address to, uint256 amount) external view returns (bool isAllowed);
}
