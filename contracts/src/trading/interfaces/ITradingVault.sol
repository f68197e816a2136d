// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "./ISignedOrders.sol";
import {IVaultAccess} from "./IVaultAccess.sol";
import {Fill, TransferRules} from "./TradingTypes.sol";

/// @notice Pooled custody for trading. What a user commits can be spent by settlements of orders that the user signed,
/// and by nothing else; it comes free again after a day, or at once when an operator agrees.
/// @dev Warning: tokens sent here without `deposit` are nobody's.
interface ITradingVault is ISignedOrders, IVaultAccess {
    /* TYPES */

    struct AccountView {
        /// @dev Can be withdrawn or committed.
        uint256 free;
        /// @dev Can be spent by settlements; `requested` is a part of it.
        uint256 committed;
        /// @dev Comes free at `readyAt`, as far as settlements leave it.
        uint256 requested;
        uint256 readyAt;
    }

    /* EVENTS */

    event TokenAdded(address indexed token, TransferRules rules, bool splits, uint8 decimals);
    event TokenRemoved(address indexed token);
    event FeeRecipientSet(address indexed feeRecipient);
    event Deposited(address indexed user, address indexed token, uint256 amount);
    /// @param received Less than `amount` when the token kept a fee. In the middle of a split, other units than `amount`.
    event Withdrawn(address indexed user, address indexed token, uint256 amount, uint256 received);
    event Committed(address indexed user, address indexed token, uint256 amount);
    /// @param requested All that is asked for now. Its clock started anew.
    event WithdrawalRequested(address indexed user, address indexed token, uint256 requested, uint256 readyAt);
    event WithdrawalRequestCancelled(address indexed user, address indexed token);
    event Released(address indexed user, address indexed token, uint256 amount, address indexed operator);
    event AutoCommitSet(address indexed user, bool isOn);
    /// @notice All balances of the token are now `numerator / denominator` of what they were, each rounded down once.
    /// 1 / 1: the ratio changed, what the vault holds did not.
    event SplitApplied(address indexed token, uint256 numerator, uint256 denominator);
    /// @notice After a split the vault holds less than the balances would need, so they follow what it holds.
    event SplitFellShort(address indexed token, uint256 held, uint256 needed);

    /* ERRORS */

    error TokenNotSupported(address token);
    error TokenAlreadySupported(address token);
    /// @notice No contract, or it does not say its decimals, or says more than 30.
    error TokenUnreadable(address token);
    /// @notice Was supported before with other decimals or another rule about splits: the books could not be read.
    error TokenChanged(address token);
    /// @notice It tells a ratio: balances that do not follow it would be wrong after a split.
    error SplitsNotFollowed(address token);
    error ZeroAmount();
    error FreeBalanceTooLow(address user, address token, uint256 free, uint256 needed);
    error CommittedTooLow(address user, address token, uint256 committed, uint256 needed);
    error NothingRequested(address user, address token);
    /// @notice The token's rules refuse one of the parties.
    error TokenRuleRefused(address token, address account, uint8 code, bytes32 rule);
    /// @notice The token says it was split, and that the vault has nothing.
    error SplitNotCovered(address token, uint256 needed);
    error ReleaseExpired(uint64 expiry);
    error ReleaseAlreadyUsed(bytes32 releaseHash);
    error BadRelease(address operator, bytes32 releaseHash);

    /* DEPLOYMENT */

    /// @notice Called by the constructor of the proxy.
    function initialize(address admin_, address operator, address feeRecipient_) external;

    /* USER FUNCTIONS */

    /// @notice Credits what arrived, which must be `amount`.
    function deposit(address token, uint256 amount) external;

    /// @notice `deposit` and `commit` in one.
    function depositAndCommit(address token, uint256 amount) external;

    /// @notice Makes a part of the free balance spendable by settlements.
    function commit(address token, uint256 amount) external;

    /// @notice Asks for a committed part back. Until `readyAt` settlements may still spend it, last of all. A second
    /// request adds to the first and starts the clock anew.
    function requestWithdrawal(address token, uint256 amount) external;

    /// @notice What was asked for stays committed.
    function cancelWithdrawalRequest(address token) external;

    /// @notice Sends free balance to the caller. Works for tokens that are no longer supported. While a split is under way,
    /// or the token does not tell its ratio, sends the caller's part of what the vault holds, whatever units that is in.
    function withdraw(address token, uint256 amount) external;

    /// @notice Whether what the caller gets in trades is committed at once. Off at first: proceeds are free.
    function setAutoCommit(bool isOn) external;

    /* OPERATOR FUNCTIONS */

    /// @notice Frees a committed part before its time.
    function release(address user, address token, uint256 amount) external;

    /// @notice Settles one fill or reverts with the reason.
    function settle(Fill calldata fill) external;

    /// @notice Settles what can be settled of at most 50 fills, in order. Stops when less than `FILL_GAS` is left.
    /// @param minProcessed Reverts rather than stop before so many were tried: pass the length when estimating gas.
    function batchSettle(bytes32 batchRef, Fill[] calldata fills, uint256 minProcessed)
        external
        returns (uint256 settled, uint256 processed);

    /* ANYONE */

    /// @notice `release` with an operator's signature of
    /// `Release(address user,address token,uint256 amount,uint64 expiry,bytes32 salt)`, which counts once.
    function releaseWithSignature(
        address user,
        address token,
        uint256 amount,
        uint64 expiry,
        bytes32 salt,
        address operator,
        bytes calldata signature
    ) external;

    /// @notice Brings the balances of a token that was split up to date. Every other call does it by itself.
    function syncSplit(address token) external;

    /* ADMIN FUNCTIONS */

    /// @param rules What is asked about both parties of a settlement, since settling moves no token.
    /// @param splits Whether the token tells a `splitRatio`, which balances have to follow.
    function addToken(address token, TransferRules rules, bool splits) external;

    /// @notice No deposits and settlements any more; withdrawals go on.
    function removeToken(address token) external;

    function setFeeRecipient(address newFeeRecipient) external;

    /* VIEWS */

    function accountOf(address user, address token) external view returns (AccountView memory);

    function isAutoCommitOn(address user) external view returns (bool);

    function tokenInfo(address token)
        external
        view
        returns (bool isSupported, TransferRules rules, bool splits, uint8 decimals);

    /// @notice What all users together own of a token, at most.
    function bookedOf(address token) external view returns (uint256);

    function feeRecipient() external view returns (address);

    function isReleaseUsed(bytes32 releaseHash) external view returns (bool);

    /// @notice The EIP-712 digest of a release.
    function hashRelease(address user, address token, uint256 amount, uint64 expiry, bytes32 salt)
        external
        view
        returns (bytes32);
}
