// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {TradingVault} from "../../../src/trading/TradingVault.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {BaseTest} from "../../support/BaseTest.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Three traders and an operator who tries everything with their orders. Nothing here may revert.
contract TradingHandler is BaseTest {
    TradingVault private immutable vault;
    StockLikeToken private immutable stock;
    DemoCash private immutable cash;
    address private immutable operator;
    address[3] public traders;
    uint256[3] private _keys;

    Order[] private _orders;
    bytes[] private _signatures;
    bytes32[] public hashes;
    mapping(bytes32 orderHash => bool) public isDead;
    mapping(bytes32 orderHash => uint256) public filledAtDeath;
    uint256 public settledCount;
    uint256 public refusedCount;
    uint256 private _refs;

    constructor(TradingVault vault_, StockLikeToken stock_, DemoCash cash_, address operator_) {
        (vault, stock, cash, operator) = (vault_, stock_, cash_, operator_);
        string[3] memory names = ["first trader", "second trader", "third trader"];
        for (uint256 i = 0; i < 3; ++i) {
            (traders[i], _keys[i]) = makeActor(names[i]);
            vm.startPrank(traders[i]);
            stock.approve(address(vault), type(uint256).max);
            cash.approve(address(vault), type(uint256).max);
            vm.stopPrank();
        }
    }

    function orderCount() external view returns (uint256) {
        return _orders.length;
    }

    function orderAt(uint256 index) external view returns (Order memory) {
        return _orders[index];
    }

    /* MONEY IN AND OUT */

    function deposit(uint256 who, bool isCash, uint256 amount, bool commits) external {
        address trader = traders[who % 3];
        amount = bound(amount, 1, isCash ? 1_000_000e6 : 10_000e18);
        if (isCash) cash.mint(trader, amount);
        else stock.mint(trader, amount);
        vm.prank(trader);
        if (commits) vault.depositAndCommit(_asset(isCash), amount);
        else vault.deposit(_asset(isCash), amount);
    }

    function commit(uint256 who, bool isCash, uint256 amount) external {
        address trader = traders[who % 3];
        uint256 free = _account(trader, isCash).free;
        if (free == 0) return;
        vm.prank(trader);
        vault.commit(_asset(isCash), bound(amount, 1, free));
    }

    function request(uint256 who, bool isCash, uint256 amount) external {
        address trader = traders[who % 3];
        ITradingVault.AccountView memory account = _account(trader, isCash);
        if (account.committed == account.requested) return;
        vm.prank(trader);
        vault.requestWithdrawal(_asset(isCash), bound(amount, 1, account.committed - account.requested));
    }

    function cancelRequest(uint256 who, bool isCash) external {
        address trader = traders[who % 3];
        if (_account(trader, isCash).requested == 0) return;
        vm.prank(trader);
        vault.cancelWithdrawalRequest(_asset(isCash));
    }

    function withdraw(uint256 who, bool isCash, uint256 amount) external {
        address trader = traders[who % 3];
        uint256 free = _account(trader, isCash).free;
        if (free == 0) return;
        amount = bound(amount, 1, free);
        uint256 before = IERC20(_asset(isCash)).balanceOf(trader);
        vm.prank(trader);
        vault.withdraw(_asset(isCash), amount);
        assertEq(IERC20(_asset(isCash)).balanceOf(trader), before + amount, "withdrawn");
    }

    function release(uint256 who, bool isCash, uint256 amount) external {
        address trader = traders[who % 3];
        uint256 committed = _account(trader, isCash).committed;
        if (committed == 0) return;
        vm.prank(operator);
        vault.release(trader, _asset(isCash), bound(amount, 1, committed));
    }

    function autoCommit(uint256 who, bool isOn) external {
        vm.prank(traders[who % 3]);
        vault.setAutoCommit(isOn);
    }

    /* ORDERS */

    function sign(uint256 who, bool isBuy, uint256 quantity, uint256 price, uint256 maxFee, uint256 lifetime) public {
        Order memory order;
        order.trader = traders[who % 3];
        order.token = address(stock);
        order.quote = address(cash);
        order.isBuy = isBuy;
        order.quantity = bound(quantity, 1e15, 5_000e18);
        order.price = bound(price, 90e6, 110e6);
        order.maxFee = bound(maxFee, 0, 1_000e6);
        order.expiry = uint64(block.timestamp + bound(lifetime, 0, 3 days));
        order.nonce = vault.nonceFloor(order.trader) + uint64(quantity % 3);
        order.salt = vault.saltPrefix(address(stock), address(cash)) | bytes32(_orders.length + 1);
        bytes32 orderHash = vault.hashOrder(order);
        _orders.push(order);
        _signatures.push(signDigest(_keys[who % 3], orderHash));
        hashes.push(orderHash);
    }

    function cancel(uint256 index) external {
        if (_orders.length == 0) return;
        index %= _orders.length;
        bytes32[] memory list = new bytes32[](1);
        list[0] = hashes[index];
        vm.prank(_orders[index].trader);
        vault.cancelOrders(list);
        _buryTheDead();
    }

    function raiseFloor(uint256 who) external {
        address trader = traders[who % 3];
        uint64 floor = vault.nonceFloor(trader) + 1;
        vm.prank(trader);
        vault.raiseNonceFloor(floor);
        _buryTheDead();
    }

    function wait(uint256 duration) external {
        skipTime(bound(duration, 1, 1 days));
        _buryTheDead();
    }

    /// @notice Two of the orders, at any price, quantity and fee: the vault decides.
    function settle(uint256 first, uint256 second, uint256 quantity, uint256 price, uint256 fees) external {
        if (_orders.length < 2) return;
        (first, second) = (first % _orders.length, second % _orders.length);
        uint256 most = _orders[first].quantity / 2 + 1;
        Fill memory fill = _pair(first, second, bound(quantity, 1, most), bound(price, 90e6, 110e6));
        fill.takerFee = bound(fees & type(uint128).max, 0, 10e6);
        fill.makerFee = bound(int256(fees >> 128), -int256(fill.takerFee) - 1, 10e6);
        _settle(fill);
    }

    /// @notice Two new orders that fit, so that much settles.
    function trade(uint256 who, uint256 quantity, uint256 fee) external {
        sign(who % 3, false, quantity, 95e6, fee, 1 days);
        sign(who % 3 + 1, true, quantity, 105e6, fee, 1 days);
        uint256 last = _orders.length - 1;
        uint256 part = bound(quantity, 1, _orders[last].quantity);
        Fill memory fill = _pair(last - 1, last, part, 100e6);
        fill.takerFee = _orders[last].maxFee * part / _orders[last].quantity;
        _settle(fill);
    }

    function split(uint256 numerator, uint256 denominator) external {
        // Balances stay within 128 bits however often this is called.
        denominator = bound(denominator, 1, 3);
        numerator = bound(numerator, denominator, 4);
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        stock.split(numerator, denominator, holders);
        _buryTheDead();
    }

    /* INTERNAL */

    function _pair(uint256 maker, uint256 taker, uint256 quantity, uint256 price) private returns (Fill memory fill) {
        fill.tradeRef = bytes32(++_refs);
        (fill.maker, fill.makerSignature) = (_orders[maker], _signatures[maker]);
        (fill.taker, fill.takerSignature) = (_orders[taker], _signatures[taker]);
        (fill.quantity, fill.price) = (quantity, price);
    }

    function _settle(Fill memory fill) private {
        Fill[] memory fills = new Fill[](1);
        fills[0] = fill;
        vm.prank(operator);
        (uint256 settled,) = vault.batchSettle("batch", fills, 1);
        if (settled == 1) ++settledCount;
        else ++refusedCount;
    }

    /// @dev A split can make old orders live again only if it is undone, and splits here only go forward.
    function _buryTheDead() private {
        for (uint256 i = 0; i < _orders.length; ++i) {
            if (isDead[hashes[i]] || vault.fillable(_orders[i]) != 0) continue;
            isDead[hashes[i]] = true;
            filledAtDeath[hashes[i]] = vault.filled(_orders[i].trader, hashes[i]);
        }
    }

    function _asset(bool isCash) private view returns (address) {
        return isCash ? address(cash) : address(stock);
    }

    /// @dev After a split the books are behind until a call brings them up to date.
    function _account(address trader, bool isCash) private returns (ITradingVault.AccountView memory) {
        if (!isCash) vault.syncSplit(address(stock));
        return vault.accountOf(trader, _asset(isCash));
    }
}
