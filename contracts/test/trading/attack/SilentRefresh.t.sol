// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Fill} from "../../../src/trading/interfaces/TradingTypes.sol";
import {SettlementTest} from "../support/SettlementTest.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";

/// @notice A security is looked at again while its token does not tell its splits.
contract SilentRefreshAttackTest is SettlementTest {
    address private issuer = makeAddress("issuer");
    StockLikeToken private stock;

    function setUp() public override {
        super.setUp();
        stock = new StockLikeToken(18, issuer);
        stock.setController(address(settlement), true);
        stock.mint(seller, 1_000e18);
        _openMarket(address(stock), issuer);
    }

    function _base() internal view override returns (address) {
        return address(stock);
    }

    function _dead(Fill memory fill) private {
        vm.prank(operator);
        vm.expectRevert();
        settlement.settleTrade(fill);
        assertEq(settlement.fillable(fill.maker), 0);
    }

    function test_attack_refreshWhileTheTokenIsSilent() public {
        Fill memory fill = _fill(_sell(1e18), _buy(1e18), 1e18);
        // 1. A split ends the order.
        stock.setRatio(2, 1);
        _dead(fill);
        // 2. The token falls silent, as in the middle of an upgrade, and the admin asks what it speaks.
        stock.setSplitSilent(true);
        vm.prank(issuer);
        settlement.refreshSecurity(address(stock));
        // 3. That it tells no ratio does not mean that there was no split.
        _dead(fill);
        assertTrue(settlement.securityOf(address(stock)).splits);
        // 4. And when it speaks again, the order is what it was.
        stock.setSplitSilent(false);
        _dead(fill);
    }

    /// A token that learns to tell its splits is heard from the next trade on, refreshed or not.
    function test_attack_tokenThatBeginsToTell() public {
        StockLikeToken late = new StockLikeToken(18, issuer);
        late.setSplitSilent(true);
        late.setController(address(settlement), true);
        late.mint(seller, 1_000e18);
        stock = late;
        _openMarket(address(late), issuer);
        Fill memory fill = _fill(_sell(1e18), _buy(1e18), 1e18);
        late.setSplitSilent(false);
        late.setRatio(2, 1);
        _dead(fill);
    }
}
