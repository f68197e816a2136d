// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {BaseTest} from "../../support/BaseTest.sol";

/// @notice Two traders with keys, an operator, cash with 6 decimals, and orders for them to sign.
abstract contract TradingTest is BaseTest {
    uint256 internal constant PRICE = 100e6;

    address internal admin = makeAddress("admin");
    address internal operator = makeAddress("operator");
    address internal feeRecipient = makeAddress("fee recipient");
    address internal stranger = makeAddress("stranger");
    address internal seller;
    address internal buyer;
    mapping(address signer => uint256) internal keyOf;
    uint256 private _salts;

    DemoCash internal cash;

    function setUp() public virtual {
        // A day that leaves room to go back.
        vm.warp(1_800_000_000);
        seller = _trader("seller");
        buyer = _trader("buyer");
        cash = new DemoCash("Cash", "CASH", 6, address(this));
    }

    /// @notice The contract whose orders are signed.
    function _venue() internal view virtual returns (ISignedOrders);

    /// @notice The token that is traded, and its smallest units in one whole.
    function _base() internal view virtual returns (address);

    function _trader(string memory name) internal returns (address account) {
        uint256 key;
        (account, key) = makeActor(name);
        keyOf[account] = key;
    }

    /// @dev By the name of its code: compiling it into every test contract takes longer than running them.
    function _create(string memory artifact, bytes memory arguments) internal returns (address created) {
        bytes memory code = abi.encodePacked(vm.getCode(artifact), arguments);
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        require(created != address(0), artifact);
    }

    /* ORDERS */

    function _order(address trader, bool isBuy, uint256 quantity, uint256 price) internal returns (Order memory) {
        return Order({
            trader: trader,
            token: _base(),
            quote: address(cash),
            isBuy: isBuy,
            quantity: quantity,
            price: price,
            maxFee: 0,
            expiry: uint64(block.timestamp + 1 days),
            nonce: 7,
            salt: bytes32(++_salts)
        });
    }

    function _sell(uint256 quantity) internal returns (Order memory) {
        return _order(seller, false, quantity, PRICE);
    }

    function _buy(uint256 quantity) internal returns (Order memory) {
        return _order(buyer, true, quantity, PRICE);
    }

    /// @notice The order with a salt as the splits so far ask for.
    function _current(Order memory order) internal view returns (Order memory) {
        bytes16 prefix = _venue().saltPrefix(order.token, order.quote);
        order.salt = bytes32(prefix) | (order.salt & bytes32(uint256(type(uint128).max)));
        return order;
    }

    function _sign(Order memory order) internal view returns (bytes memory) {
        return signDigest(keyOf[order.trader], _venue().hashOrder(order));
    }

    /// @notice A fill at the maker's price, without fees, signed by both.
    function _fill(Order memory maker, Order memory taker, uint256 quantity) internal returns (Fill memory fill) {
        fill.tradeRef = keccak256(abi.encode("trade", ++_salts));
        fill.quantity = quantity;
        fill.price = maker.price;
        (fill.maker, fill.taker) = (maker, taker);
        _signBoth(fill);
    }

    function _signBoth(Fill memory fill) internal view {
        (fill.makerSignature, fill.takerSignature) = (_sign(fill.maker), _sign(fill.taker));
    }

    function _isSettled(Fill memory fill) internal view returns (bool) {
        (bytes32 makerHash, bytes32 takerHash) = (_venue().hashOrder(fill.maker), _venue().hashOrder(fill.taker));
        bytes32 key = _venue()
            .tradeKey(fill.tradeRef, makerHash, takerHash, fill.quantity, fill.price, fill.makerFee, fill.takerFee);
        return _venue().isSettled(fill.maker.token, key);
    }

    function _filled(Order memory order) internal view returns (uint256) {
        return _venue().filled(order.trader, _venue().hashOrder(order));
    }

    function _feePaid(Order memory order) internal view returns (uint256) {
        return _venue().feePaid(order.trader, _venue().hashOrder(order));
    }

    function _list(Fill memory fill) internal pure returns (Fill[] memory fills) {
        fills = new Fill[](1);
        fills[0] = fill;
    }

    function _hashes(Order memory order) internal view returns (bytes32[] memory hashes) {
        hashes = new bytes32[](1);
        hashes[0] = _venue().hashOrder(order);
    }
}
