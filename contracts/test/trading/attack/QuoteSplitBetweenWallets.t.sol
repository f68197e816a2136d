// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {SettlementTest} from "../support/SettlementTest.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";

/// @notice Splits of the security and of what it is paid with, between wallets.
contract QuoteSplitBetweenWalletsAttackTest is SettlementTest {
    address private issuer = makeAddress("issuer");
    StockLikeToken private stock;
    StockLikeToken private fund;

    function setUp() public override {
        super.setUp();
        stock = new StockLikeToken(18, issuer);
        stock.setController(address(settlement), true);
        stock.mint(seller, 1_000e18);
        _openMarket(address(stock), issuer);
        fund = new StockLikeToken(6, issuer);
        fund.mint(buyer, CASH);
        vm.prank(buyer);
        fund.approve(address(settlement), type(uint256).max);
        vm.prank(issuer);
        settlement.setQuoteAsset(address(stock), address(fund), true);
    }

    function _base() internal view override returns (address) {
        return address(stock);
    }

    function _inFund(Order memory order) private view returns (Order memory) {
        order.quote = address(fund);
        return _current(order);
    }

    function _pair() private returns (Fill memory) {
        return _fill(_inFund(_sell(1e18)), _inFund(_buy(1e18)), 1e18);
    }

    function _dead(Fill memory fill) private {
        vm.prank(operator);
        vm.expectPartialRevert(ISignedOrders.SaltPrefixMismatch.selector);
        settlement.settleTrade(fill);
        assertEq(settlement.fillable(fill.maker), 0);
    }

    function test_attack_buyingAtTheOldPriceAfterASplitOfTheMoney() public {
        // 1. The seller asks 100 shares of a fund for one share.
        Order memory sell = _inFund(_sell(1e18));
        // 2. The fund is split 10:1.
        fund.setRatio(10, 1);
        // 3. The order that rests is dead; a new one is not.
        _dead(_fill(sell, _inFund(_buy(1e18)), 1e18));
        _settle(_pair());
        assertEq(fund.balanceOf(seller), 100e6);
    }

    function test_attack_ratioThatReturnsRevivesNothing() public {
        Fill memory first = _pair();
        // 1. Split, and somebody trades, so that the contract has seen it.
        stock.setRatio(2, 1);
        Fill memory between = _pair();
        _settle(_pair());
        _dead(first);
        // 2. Put together again.
        stock.setRatio(1, 1);
        _dead(between);
        _dead(first);
        _settle(_pair());
        _dead(first);
    }

    function test_attack_ratioThatReturnsUnseenRevivesNothing() public {
        stock.setRatio(2, 1);
        Fill memory between = _pair();
        stock.setRatio(1, 1);
        _dead(between);
    }

    /// The seller is converted and the buyer is not, or the reverse: a share is not a share until all are.
    function test_attack_tradeInTheMiddleOfASplit() public {
        Fill memory fill = _pair();
        stock.setSplitHoldersLeft(1);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(stock)));
        // Nothing came of it: the order counts as before.
        stock.setSplitHoldersLeft(0);
        _settle(fill);
    }

    function test_attack_moneyThatFallsSilent() public {
        Fill memory fill = _pair();
        fund.setSplitSilent(true);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(fund)));
    }
}
