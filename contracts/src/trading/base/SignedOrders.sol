// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../libraries/BoundedCall.sol";
import {CastLib} from "../../libraries/CastLib.sol";
import {ISignedOrders} from "../interfaces/ISignedOrders.sol";
import {Fill, Order, Trade} from "../interfaces/TradingTypes.sol";
import {FillMath} from "../libraries/FillMath.sol";
import {OwnCallLib} from "../libraries/OwnCallLib.sol";
import {SaltLib} from "../libraries/SaltLib.sol";
import {SignatureLib} from "../libraries/SignatureLib.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title SignedOrders
abstract contract SignedOrders is ISignedOrders, EIP712, ReentrancyGuardTransient {
    using CastLib for uint256;

    /* CONSTANTS */

    bytes32 public constant ORDER_TYPEHASH = keccak256(
        "Order(address trader,address token,address quote,bool isBuy,uint256 quantity,uint256 price,uint256 maxFee,uint64 expiry,uint64 nonce,bytes32 salt)"
    );
    uint256 public constant MAX_BATCH = 50;
    /// @notice What each fill of a batch may use; a batch goes on only while so much is left.
    /// @dev A fill whose foreign calls want more than that is refused.
    uint256 public constant FILL_GAS = 5_000_000;
    /// @dev For the events after a fill and at the end of a batch.
    uint256 private constant BATCH_RESERVE = 60_000;

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.SignedOrders")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant ORDERS_SLOT = 0x9d4f3d3071430626883a5ea1b7bc24918e39157d55affd385ac924480d417900;

    /* STORAGE */

    struct OrderState {
        uint128 filled;
        uint120 feePaid;
        bool isCancelled;
    }

    /// @custom:storage-location erc7201:tallystick.storage.SignedOrders
    struct OrdersStorage {
        /// @dev By trader first, so that a hash can be cancelled by nobody else.
        mapping(address trader => mapping(bytes32 orderHash => OrderState)) orders;
        mapping(address trader => uint64) nonceFloor;
        /// @dev By `tradeKey`; version 1 of the vault wrote the `tradeRef` itself.
        mapping(address token => mapping(bytes32 tradeKey => bool)) isSettled;
    }

    /* CONSTRUCTOR */

    constructor(string memory name) EIP712(name, "1") {}

    /* TRADER FUNCTIONS */

    /// @inheritdoc ISignedOrders
    function cancelOrders(bytes32[] calldata orderHashes) external {
        mapping(bytes32 => OrderState) storage orders = _ordersStorage().orders[msg.sender];
        for (uint256 i = 0; i < orderHashes.length; ++i) {
            orders[orderHashes[i]].isCancelled = true;
            emit OrderCancelled(msg.sender, orderHashes[i]);
        }
    }

    /// @inheritdoc ISignedOrders
    function raiseNonceFloor(uint64 newFloor) external {
        OrdersStorage storage s = _ordersStorage();
        uint64 floor = s.nonceFloor[msg.sender];
        require(newFloor > floor, NonceFloorNotRaised(floor, newFloor));
        s.nonceFloor[msg.sender] = newFloor;
        emit NonceFloorRaised(msg.sender, newFloor);
    }

    /* OWN FUNCTIONS */

    /// @inheritdoc ISignedOrders
    function settleFromBatch(Fill calldata fill, address operator) external {
        require(msg.sender == address(this), NotSelf(msg.sender));
        _settle(fill, operator);
    }

    /* INTERNAL */

    /// @dev Checks everything, books the fill, moves both legs. All of it or nothing.
    function _settle(Fill calldata fill, address operator) internal virtual;

    /// @dev The caller holds the reentrancy guard.
    function _settleEach(bytes32 batchRef, Fill[] calldata fills, uint256 minProcessed)
        internal
        returns (uint256 settled, uint256 processed)
    {
        require(fills.length != 0 && fills.length <= MAX_BATCH, InvalidBatchSize(fills.length));
        for (; processed < fills.length; ++processed) {
            bytes memory callData = abi.encodeCall(ISignedOrders.settleFromBatch, (fills[processed], msg.sender));
            if (!BoundedCall.canAfford(FILL_GAS, BATCH_RESERVE)) break;
            (bool success, bytes memory reason) = OwnCallLib.tryOwn(callData, FILL_GAS);
            if (success) ++settled;
            else _emitRefused(fills[processed], reason);
        }
        if (minProcessed == 0) minProcessed = 1;
        require(processed >= minProcessed, BatchNeedsMoreGas(processed, minProcessed));
        emit BatchSettled(batchRef, msg.sender, settled, processed, fills.length);
    }

    /// @dev Checks both orders against the fill and each other and books it. What moves is the caller's to move.
    /// @param baseUnit 10^decimals of the token.
    /// @param prefix How the salts must begin: `saltPrefix`.
    function _bookFill(Fill calldata fill, uint256 baseUnit, bytes16 prefix) internal returns (Trade memory trade) {
        _checkPair(fill);
        (trade.makerHash, trade.takerHash) = (hashOrder(fill.maker), hashOrder(fill.taker));
        _useName(fill, trade.makerHash, trade.takerHash);
        bool makerIsBuyer = fill.maker.isBuy;
        trade.token = fill.maker.token;
        trade.quote = fill.maker.quote;
        (trade.buyer, trade.seller) =
            makerIsBuyer ? (fill.maker.trader, fill.taker.trader) : (fill.taker.trader, fill.maker.trader);
        trade.quantity = fill.quantity;
        trade.quoteAmount = FillMath.quoteAmountDown(fill.quantity, fill.price, baseUnit);
        (trade.buyerPays, trade.sellerGets, trade.feeGets) =
            FillMath.legs(trade.quoteAmount, makerIsBuyer, fill.makerFee, fill.takerFee);
        (uint256 makerCharge,) = FillMath.splitSign(fill.makerFee);
        _bookOrder(fill, fill.maker, trade.makerHash, makerCharge, prefix);
        _bookOrder(fill, fill.taker, trade.takerHash, fill.takerFee, prefix);
        _checkSignature(fill.maker.trader, trade.makerHash, fill.makerSignature);
        _checkSignature(fill.taker.trader, trade.takerHash, fill.takerSignature);
    }

    function _emitRefused(Fill calldata fill, bytes memory reason) private {
        emit FillRefused(fill.tradeRef, fill.maker.token, OwnCallLib.selectorOf(reason), reason);
    }

    function _emitSettled(Fill calldata fill, Trade memory trade) internal {
        emit TradeSettled(
            fill.tradeRef,
            trade.makerHash,
            trade.takerHash,
            fill.maker.trader,
            fill.taker.trader,
            trade.token,
            trade.quote,
            trade.quantity,
            trade.quoteAmount,
            fill.makerFee,
            fill.takerFee
        );
    }

    function _checkPair(Fill calldata fill) private pure {
        require(fill.quantity != 0, ZeroQuantity());
        address token = fill.maker.token;
        address quote = fill.maker.quote;
        require(token != quote && token == fill.taker.token && quote == fill.taker.quote, MarketMismatch(fill.tradeRef));
        require(fill.maker.isBuy != fill.taker.isBuy, SideMismatch(fill.tradeRef));
        require(fill.maker.trader != fill.taker.trader, SelfTrade(fill.maker.trader));
    }

    /// @dev A name is used up by exactly this trade, so nobody else can use it up.
    function _useName(Fill calldata fill, bytes32 makerHash, bytes32 takerHash) private {
        address token = fill.maker.token;
        bytes32 key =
            tradeKey(fill.tradeRef, makerHash, takerHash, fill.quantity, fill.price, fill.makerFee, fill.takerFee);
        mapping(bytes32 => bool) storage used = _ordersStorage().isSettled[token];
        bool isNew = !used[key] && !_wasUsedBefore(token, fill.tradeRef);
        require(isNew, TradeAlreadySettled(token, fill.tradeRef));
        used[key] = true;
    }

    /// @dev Whether an earlier version used the name up, whatever it settled under it.
    function _wasUsedBefore(address, bytes32) internal view virtual returns (bool) {
        return false;
    }

    function _checkSignature(address trader, bytes32 orderHash, bytes calldata signature) private view {
        require(SignatureLib.isValid(trader, orderHash, signature), BadSignature(trader, orderHash));
    }

    function _bookOrder(Fill calldata fill, Order calldata order, bytes32 orderHash, uint256 fee, bytes16 prefix)
        private
    {
        OrderState memory state = _ordersStorage().orders[order.trader][orderHash];
        _checkAlive(order, orderHash, state, prefix);
        bool isWithinLimit = order.isBuy ? fill.price <= order.price : fill.price >= order.price;
        require(isWithinLimit, PriceOutsideLimit(orderHash, order.price, fill.price));

        uint256 left = order.quantity > state.filled ? order.quantity - state.filled : 0;
        require(fill.quantity <= left, Overfilled(orderHash, left, fill.quantity));
        state.filled = (state.filled + fill.quantity).u128();

        uint256 feeAllowed = FillMath.feeAllowedUp(order.maxFee, state.filled, order.quantity) - state.feePaid;
        require(fee <= feeAllowed, FeeAboveMaximum(orderHash, feeAllowed, fee));
        state.feePaid = (state.feePaid + fee).u120();

        _ordersStorage().orders[order.trader][orderHash] = state;
    }

    function _checkAlive(Order calldata order, bytes32 orderHash, OrderState memory state, bytes16 prefix)
        private
        view
    {
        require(!state.isCancelled, OrderIsCancelled(order.trader, orderHash));
        require(block.timestamp <= order.expiry, OrderExpired(orderHash, order.expiry));
        uint64 floor = _ordersStorage().nonceFloor[order.trader];
        require(order.nonce >= floor, NonceBelowFloor(orderHash, order.nonce, floor));
        require(SaltLib.fits(order.salt, prefix), SaltPrefixMismatch(orderHash, prefix));
    }

    function _ordersStorage() private pure returns (OrdersStorage storage s) {
        assembly ("memory-safe") {
            s.slot := ORDERS_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc ISignedOrders
    function hashOrder(Order calldata order) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(ORDER_TYPEHASH, order)));
    }

    /// @inheritdoc ISignedOrders
    function filled(address trader, bytes32 orderHash) external view returns (uint256) {
        return _ordersStorage().orders[trader][orderHash].filled;
    }

    /// @inheritdoc ISignedOrders
    function feePaid(address trader, bytes32 orderHash) external view returns (uint256) {
        return _ordersStorage().orders[trader][orderHash].feePaid;
    }

    /// @inheritdoc ISignedOrders
    function isCancelled(address trader, bytes32 orderHash) external view returns (bool) {
        return _ordersStorage().orders[trader][orderHash].isCancelled;
    }

    /// @inheritdoc ISignedOrders
    function nonceFloor(address trader) external view returns (uint64) {
        return _ordersStorage().nonceFloor[trader];
    }

    /// @inheritdoc ISignedOrders
    function isSettled(address token, bytes32 key) public view returns (bool) {
        return _ordersStorage().isSettled[token][key];
    }

    /// @inheritdoc ISignedOrders
    function tradeKey(
        bytes32 tradeRef,
        bytes32 makerHash,
        bytes32 takerHash,
        uint256 quantity,
        uint256 price,
        int256 makerFee,
        uint256 takerFee
    ) public pure returns (bytes32) {
        return keccak256(abi.encode(tradeRef, makerHash, takerHash, quantity, price, makerFee, takerFee));
    }

    /// @inheritdoc ISignedOrders
    function fillable(Order calldata order) external view returns (uint256) {
        OrderState memory state = _ordersStorage().orders[order.trader][hashOrder(order)];
        if (state.isCancelled || block.timestamp > order.expiry || state.filled >= order.quantity) return 0;
        if (order.nonce < _ordersStorage().nonceFloor[order.trader]) return 0;
        if (!SaltLib.fits(order.salt, saltPrefix(order.token, order.quote))) return 0;
        return order.quantity - state.filled;
    }

    /// @inheritdoc ISignedOrders
    function isSignatureValid(Order calldata order, bytes calldata signature) external view returns (bool) {
        return SignatureLib.isValid(order.trader, hashOrder(order), signature);
    }

    /// @inheritdoc ISignedOrders
    function saltPrefix(address token, address quote) public view virtual returns (bytes16);
}
