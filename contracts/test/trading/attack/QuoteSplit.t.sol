// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill, Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";

/// @notice Shares are paid for with shares of a fund, and the fund is split while orders rest.
contract QuoteSplitAttackTest is TradingVaultTest {
    StockLikeToken private fund;

    function setUp() public override {
        super.setUp();
        fund = new StockLikeToken(6, admin);
        vm.prank(admin);
        vault.addToken(address(fund), TransferRules.NONE, true);
        fund.mint(buyer, CASH);
        vm.startPrank(buyer);
        fund.approve(address(vault), type(uint256).max);
        vault.depositAndCommit(address(fund), CASH);
        vm.stopPrank();
    }

    function _inFund(Order memory order) private view returns (Order memory) {
        order.quote = address(fund);
        return _current(order);
    }

    function _split(uint256 numerator, uint256 denominator) private {
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        fund.split(numerator, denominator, holders);
    }

    function _refused(Fill memory fill) private {
        bytes32 orderHash = vault.hashOrder(fill.maker);
        vm.prank(operator);
        vm.expectPartialRevert(ISignedOrders.SaltPrefixMismatch.selector);
        vault.settle(fill);
        assertEq(vault.filled(fill.maker.trader, orderHash), 0);
        assertEq(vault.fillable(fill.maker), 0);
    }

    function test_attack_buyingAtTheOldPriceAfterASplitOfTheMoney() public {
        // 1. The seller asks 100 shares of the fund for one share.
        Order memory sell = _inFund(_sell(10e18));
        // 2. The fund is split 10:1, so 100 of its shares are worth what 10 were.
        _split(10, 1);
        // 3. A buyer takes the order that rests: the seller would get a tenth.
        Fill memory fill = _fill(sell, _inFund(_buy(10e18)), 10e18);
        _refused(fill);
        // 4. What is signed after the split settles.
        fill = _fill(_inFund(_sell(1e18)), _inFund(_buy(1e18)), 1e18);
        vm.prank(operator);
        vault.settle(fill);
        _assertAccount(seller, fund, 100e6, 0);
    }

    /// 2:1, then back: an order of the time between must not count in the units of before, and one of before has been dead.
    function test_attack_ratioThatReturnsRevivesNothing() public {
        Fill memory first = _fill(_inFund(_sell(1e18)), _inFund(_buy(1e18)), 1e18);
        // 1. Split and seen by the vault.
        _split(2, 1);
        vault.syncSplit(address(fund));
        Fill memory between = _fill(_inFund(_sell(1e18)), _inFund(_buy(1e18)), 1e18);
        _refused(first);
        // 2. Put together again: the ratio is 1:1, as if nothing had been.
        _split(1, 2);
        _refused(between);
        _refused(first);
        // 3. Seen by the vault or not.
        vault.syncSplit(address(fund));
        _refused(between);
        _refused(first);
    }

    /// As above, and the vault was not called in between.
    function test_attack_ratioThatReturnsUnseenRevivesNothing() public {
        _split(2, 1);
        Fill memory between = _fill(_inFund(_sell(1e18)), _inFund(_buy(1e18)), 1e18);
        _split(1, 2);
        _refused(between);
    }
}
