// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Fill, Order} from "./TradingTypes.sol";

/// @notice The books of signed orders: what is filled, what it paid in fees, what its trader cancelled.
interface ISignedOrders {
    /* EVENTS */

    event TradeSettled(
        bytes32 indexed tradeRef,
        bytes32 indexed makerHash,
        bytes32 indexed takerHash,
        address maker,
        address taker,
        address token,
        address quote,
        uint256 quantity,
        uint256 quoteAmount,
        int256 makerFee,
        uint256 takerFee
    );
    /// @notice One fill of a batch did not settle; nothing of it happened.
    /// @param reason The selector of the error, zero when there was none, as without gas.
    /// @param data The whole revert data, selector included, cut after 260 bytes.
    event FillRefused(bytes32 indexed tradeRef, address indexed token, bytes4 indexed reason, bytes data);
    /// @notice `processed` below `submitted`: the gas ended, and the rest was not tried.
    event BatchSettled(
        bytes32 indexed batchRef, address indexed operator, uint256 settled, uint256 processed, uint256 submitted
    );
    event OrderCancelled(address indexed trader, bytes32 indexed orderHash);
    event NonceFloorRaised(address indexed trader, uint64 newFloor);

    /* ERRORS */

    error ZeroQuantity();
    error TradeAlreadySettled(address token, bytes32 tradeRef);
    /// @notice The two orders name different tokens, or one token for both legs.
    error MarketMismatch(bytes32 tradeRef);
    /// @notice Both orders buy, or both sell.
    error SideMismatch(bytes32 tradeRef);
    error SelfTrade(address trader);
    error OrderIsCancelled(address trader, bytes32 orderHash);
    error OrderExpired(bytes32 orderHash, uint64 expiry);
    error NonceBelowFloor(bytes32 orderHash, uint64 nonce, uint64 floor);
    /// @notice Signed before one of the two tokens was split: quantity and price mean other shares.
    error SaltPrefixMismatch(bytes32 orderHash, bytes16 expected);
    error Overfilled(bytes32 orderHash, uint256 left, uint256 asked);
    error PriceOutsideLimit(bytes32 orderHash, uint256 limit, uint256 price);
    error BadSignature(address trader, bytes32 orderHash);
    error FeeAboveMaximum(bytes32 orderHash, uint256 allowed, uint256 asked);
    error FeeAboveProceeds(uint256 fee, uint256 quoteAmount);
    error RebateAboveFee(uint256 rebate, uint256 takerFee);
    /// @notice Worth nothing, or so little that rounding would take more than a thousandth from the seller.
    error FillTooSmall(uint256 quantity, uint256 price);
    error NonceFloorNotRaised(uint64 floor, uint64 asked);
    error InvalidBatchSize(uint256 size);
    error BatchNeedsMoreGas(uint256 processed, uint256 wanted);
    /// @notice A foreign call would have got less gas than it is promised.
    error NeedsMoreGas();
    /// @notice The token is in the middle of a split, or does not tell its ratio.
    error SplitUnreadable(address token);
    error NotSelf(address caller);

    /* TRADER FUNCTIONS */

    /// @notice Kills orders of the caller for good, signed already or not. A hash of somebody else's order is harmless.
    function cancelOrders(bytes32[] calldata orderHashes) external;

    /// @notice Kills all orders of the caller whose nonce is below.
    function raiseNonceFloor(uint64 newFloor) external;

    /* OWN FUNCTIONS */

    /// @notice One fill of a batch. Only the contract itself.
    function settleFromBatch(Fill calldata fill, address operator) external;

    /* VIEWS */

    /// @notice The EIP-712 digest that the trader signs, and the key of the order everywhere.
    function hashOrder(Order calldata order) external view returns (bytes32);

    function filled(address trader, bytes32 orderHash) external view returns (uint256);

    /// @notice Fees paid so far; a rebate received does not lower it.
    function feePaid(address trader, bytes32 orderHash) external view returns (uint256);

    function isCancelled(address trader, bytes32 orderHash) external view returns (bool);

    function nonceFloor(address trader) external view returns (uint64);

    /// @param key The `tradeKey`. The `tradeRef` itself, for what version 1 of the vault settled.
    function isSettled(address token, bytes32 key) external view returns (bool);

    /// @notice What settles once per token: one trade between two orders, under a name. Nobody uses it up but by settling
    /// exactly that trade.
    function tradeKey(
        bytes32 tradeRef,
        bytes32 makerHash,
        bytes32 takerHash,
        uint256 quantity,
        uint256 price,
        int256 makerFee,
        uint256 takerFee
    ) external pure returns (bytes32);

    /// @notice What could fill now: 0 when filled, cancelled, expired, below the nonce floor or from before a split.
    /// Funds and signature are not looked at.
    function fillable(Order calldata order) external view returns (uint256);

    /// @notice Whether the signature counts now. A wallet contract may answer otherwise later.
    function isSignatureValid(Order calldata order, bytes calldata signature) external view returns (bool);

    /// @notice How the salt of an order must begin: eight bytes for what is traded, eight for what is paid with. Of each
    /// half: zeros for a token never split (any bytes will do that do not begin with 0x53504c54); only the first four bytes
    /// count when the others are zero; all ones while a split is under way or the ratio is not told: nothing fills then.
    function saltPrefix(address token, address quote) external view returns (bytes16);
}
