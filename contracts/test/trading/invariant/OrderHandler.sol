// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {BaseTest} from "../../support/BaseTest.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice Three traders who sign, cancel and wait, and an operator who tries everything with their orders. Keeps its own
/// book of which orders are dead and of what each of them meant when it was signed, and counts what a venue did against it.
/// Nothing here may revert.
abstract contract OrderHandler is BaseTest {
    uint256 private constant UNIT = 1e18;

    struct Meaning {
        uint256 baseChanges;
        uint256 quoteChanges;
        uint256 baseNumerator;
        uint256 baseDenominator;
        uint256 quoteNumerator;
        uint256 quoteDenominator;
        bool isCancelled;
    }

    ISignedOrders internal immutable venue;
    StockLikeToken internal immutable stock;
    StockLikeToken internal immutable fund;
    address internal immutable operator;
    address[3] public traders;
    uint256[3] private _keys;

    Order[] private _orders;
    Meaning[] private _meanings;
    bytes[] private _signatures;
    uint256 private _refs;
    /// @dev How often a token told another ratio, whether or not there was a split.
    mapping(address token => uint256) internal _changes;

    uint256 public settledCount;
    uint256 public refusedCount;
    /* WHAT MUST STAY ZERO */
    uint256 public deadOrdersFilled;
    uint256 public paidTooMuch;
    uint256 public gotTooLittle;
    uint256 public overfilled;
    uint256 public feesAbovePart;

    constructor(ISignedOrders venue_, StockLikeToken stock_, StockLikeToken fund_, address operator_) {
        (venue, stock, fund, operator) = (venue_, stock_, fund_, operator_);
        string[3] memory names = ["first trader", "second trader", "third trader"];
        for (uint256 i = 0; i < 3; ++i) {
            (traders[i], _keys[i]) = makeActor(names[i]);
            vm.startPrank(traders[i]);
            stock.approve(address(venue), type(uint256).max);
            fund.approve(address(venue), type(uint256).max);
            vm.stopPrank();
        }
    }

    /* OF THE VENUE */

    function _settleOne(Fill memory fill) internal virtual returns (bool isSettled);

    /// @notice What a trader has of a token, here or in the venue.
    function _wealth(address trader, address token) internal view virtual returns (uint256);

    /// @notice Whether the token can be read: in the middle of a split an order neither fills nor dies.
    function _isReadable(StockLikeToken token) internal view returns (bool) {
        return token.splitHoldersLeft() == 0 && !token.splitIsSilent();
    }

    function _prefix(address quote) internal view virtual returns (bytes32) {
        return venue.saltPrefix(address(stock), quote);
    }

    /// @notice Another way to pay, where there is one.
    function _quote(uint256) internal view virtual returns (address) {
        return address(fund);
    }

    /* ORDERS */

    function sign(uint256 who, bool isBuy, uint256 quantity, uint256 price, uint256 maxFee, uint256 lifetime) public {
        if (!_isReadable(stock) || !_isReadable(fund)) return;
        Order memory order;
        order.trader = traders[who % 3];
        order.token = address(stock);
        order.quote = _quote(price);
        order.isBuy = isBuy;
        order.quantity = bound(quantity, 1e15, 5_000e18);
        order.price = bound(price, 90e6, 110e6);
        order.maxFee = bound(maxFee, 0, 1_000e6);
        order.expiry = uint64(block.timestamp + bound(lifetime, 0, 90 days));
        order.nonce = venue.nonceFloor(order.trader) + uint64(quantity % 3);
        order.salt = _prefix(order.quote) | bytes32(_orders.length + 1);
        _orders.push(order);
        _meanings.push(_meaningNow(order.quote));
        _signatures.push(signDigest(_keys[who % 3], venue.hashOrder(order)));
    }

    function cancel(uint256 index) external {
        if (_orders.length == 0) return;
        index %= _orders.length;
        bytes32[] memory list = new bytes32[](1);
        list[0] = venue.hashOrder(_orders[index]);
        _meanings[index].isCancelled = true;
        vm.prank(_orders[index].trader);
        venue.cancelOrders(list);
    }

    function raiseFloor(uint256 who) external {
        address trader = traders[who % 3];
        uint64 floor = venue.nonceFloor(trader) + 1;
        vm.prank(trader);
        venue.raiseNonceFloor(floor);
    }

    /// @notice Two of the orders, at any price, quantity and fee: the venue decides.
    function settle(uint256 first, uint256 second, uint256 quantity, uint256 price, uint256 fees) external {
        if (_orders.length < 2) return;
        (first, second) = (first % _orders.length, second % _orders.length);
        uint256 most = _orders[first].quantity / 2 + 1;
        Fill memory fill = _pair(first, second, bound(quantity, 1, most), bound(price, 90e6, 110e6));
        fill.takerFee = bound(fees & type(uint128).max, 0, 10e6);
        fill.makerFee = bound(int256(fees >> 128), -int256(fill.takerFee) - 1, 10e6);
        _settle(fill, first, second);
    }

    /// @notice An order that rests and a new one that fits it, so that much settles, and what is dead is tried.
    function take(uint256 index, uint256 quantity) public {
        if (_orders.length == 0 || !_isReadable(stock) || !_isReadable(fund)) return;
        index %= _orders.length;
        Order memory resting = _orders[index];
        uint256 who = resting.trader == traders[0] ? 1 : 0;
        sign(who, !resting.isBuy, resting.quantity, resting.price, 0, 1 days);
        uint256 last = _orders.length - 1;
        _orders[last].quote = resting.quote;
        _orders[last].salt = _prefix(resting.quote) | bytes32(_orders.length);
        _meanings[last] = _meaningNow(resting.quote);
        _signatures[last] = signDigest(_keys[who], venue.hashOrder(_orders[last]));
        _settle(_pair(index, last, bound(quantity, 1e15, resting.quantity), resting.price), index, last);
    }

    /// @notice Two new orders that fit.
    function trade(uint256 who, uint256 quantity, uint256 fee) external {
        if (!_isReadable(stock) || !_isReadable(fund)) return;
        uint256 price = 95e6 + fee % 4;
        sign(who % 3, false, quantity, price, fee, 1 days);
        sign(who % 3 + 1, true, quantity, price, fee, 1 days);
        uint256 last = _orders.length - 1;
        uint256 part = bound(quantity, 1, _orders[last].quantity);
        Fill memory fill = _pair(last - 1, last, part, price);
        fill.takerFee = _orders[last].maxFee * part / _orders[last].quantity;
        _settle(fill, last - 1, last);
    }

    /* INTERNAL */

    function _pair(uint256 maker, uint256 taker, uint256 quantity, uint256 price) private returns (Fill memory fill) {
        fill.tradeRef = bytes32(++_refs);
        (fill.maker, fill.makerSignature) = (_orders[maker], _signatures[maker]);
        (fill.taker, fill.takerSignature) = (_orders[taker], _signatures[taker]);
        (fill.quantity, fill.price) = (quantity, price);
    }

    function _settle(Fill memory fill, uint256 maker, uint256 taker) private {
        bool isAnyDead = _isDead(maker) || _isDead(taker);
        (uint256 buy, uint256 sell) = fill.maker.isBuy ? (maker, taker) : (taker, maker);
        (uint256 buyerHad, uint256 sellerHad) = (_money(buy), _money(sell));
        if (!_settleOne(fill)) {
            ++refusedCount;
            return;
        }
        ++settledCount;
        if (isAnyDead) ++deadOrdersFilled;
        _judgeBooks(fill.maker);
        _judgeBooks(fill.taker);
        uint256 charge = fill.makerFee > 0 ? uint256(fill.makerFee) : 0;
        _judgeBuyer(buy, fill.quantity, buyerHad - _money(buy), fill.maker.isBuy ? charge : fill.takerFee);
        _judgeSeller(sell, fill.quantity, _money(sell) - sellerHad, fill.maker.isBuy ? fill.takerFee : charge);
    }

    function _judgeBooks(Order memory order) private {
        bytes32 orderHash = venue.hashOrder(order);
        uint256 filled = venue.filled(order.trader, orderHash);
        uint256 allowed = Math.mulDiv(order.maxFee, filled, order.quantity, Math.Rounding.Ceil);
        if (filled > order.quantity) ++overfilled;
        if (venue.feePaid(order.trader, orderHash) > allowed) ++feesAbovePart;
    }

    /// @dev In the money and the shares that were signed for; a unit for each rounding on the way.
    function _judgeBuyer(uint256 index, uint256 quantity, uint256 paid, uint256 fee) private {
        Meaning memory then = _meanings[index];
        uint256 most = _worth(quantity, _orders[index].price, then) + _quoteThen(fee, then) + 2;
        if (_quoteThen(paid, then) > most) ++paidTooMuch;
    }

    function _judgeSeller(uint256 index, uint256 quantity, uint256 got, uint256 fee) private {
        Meaning memory then = _meanings[index];
        uint256 least = _worth(quantity, _orders[index].price, then);
        if (_quoteThen(got, then) + _quoteThen(fee, then) + 2 < least) ++gotTooLittle;
    }

    function _money(uint256 index) private view returns (uint256) {
        return _wealth(_orders[index].trader, _orders[index].quote);
    }

    /// @dev What so many shares of now are worth at a price that was signed for shares of then.
    function _worth(uint256 quantity, uint256 price, Meaning memory then) private view returns (uint256) {
        (uint256 numerator, uint256 denominator) = _ratio(stock);
        uint256 shares = Math.mulDiv(quantity, then.baseNumerator * denominator, then.baseDenominator * numerator);
        return Math.mulDiv(shares, price, UNIT);
    }

    function _quoteThen(uint256 amount, Meaning memory then) private view returns (uint256) {
        if (then.quoteDenominator == 0) return amount;
        (uint256 numerator, uint256 denominator) = _ratio(fund);
        return Math.mulDiv(amount, then.quoteNumerator * denominator, then.quoteDenominator * numerator);
    }

    /// @dev Whatever the venue says: cancelled, below the floor, out of time, or signed under another ratio.
    function _isDead(uint256 index) private view returns (bool) {
        Order memory order = _orders[index];
        Meaning memory then = _meanings[index];
        if (then.isCancelled || order.expiry < block.timestamp) return true;
        if (order.nonce < venue.nonceFloor(order.trader)) return true;
        return then.baseChanges != _changes[address(stock)] || then.quoteChanges != _changes[order.quote];
    }

    function _meaningNow(address quote) private view returns (Meaning memory now_) {
        (now_.baseNumerator, now_.baseDenominator) = _ratio(stock);
        (now_.baseChanges, now_.quoteChanges) = (_changes[address(stock)], _changes[quote]);
        if (quote == address(fund)) (now_.quoteNumerator, now_.quoteDenominator) = _ratio(fund);
    }

    function _ratio(StockLikeToken token) internal view returns (uint256 numerator, uint256 denominator) {
        (numerator, denominator) = token.trueRatio();
        uint256 shared = _gcd(numerator, denominator);
        return (numerator / shared, denominator / shared);
    }

    function _gcd(uint256 a, uint256 b) private pure returns (uint256) {
        while (b != 0) (a, b) = (b, a % b);
        return a;
    }
}
