// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract WipedOutTest is LendingTest {
    /// The whole pool is lent against a security that becomes worthless and sells for one unit.
    function setUp() public override {
        super.setUp();
        uint256 shares = market.sharesOf(lender) / 100 * 99;
        vm.prank(lender);
        market.removeLiquidity(shares);
        uint256 loanId = _openLoan(140e18, 10_000e6);
        for (uint256 price = 50e6; price > 0.5e6; price /= 2) {
            skipTime(1 hours);
            _setPrice(price);
        }
        _liquidate(loanId);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        _sellAndSettle(1, 1);
    }

    function test_epoch_theRecapitalizingDepositVoidsOldShares() public {
        assertEq(market.pool().totalAssets, 1);
        assertEq(market.sharesOf(lender), 10_000e18);
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BelowInitialDeposit.selector, 999e6, 1_000e6));
        market.addLiquidity(999e6);

        vm.expectEmit(address(market));
        emit IMarketEvents.ShareEpochStarted(1);
        vm.prank(lender);
        market.addLiquidity(1_000e6);
        assertEq(market.pool().epoch, 1);
        assertEq(market.sharesOf(lender), 1_000e18);
        assertEq(market.pool().totalShares, 1_000e18);
        vm.prank(lender);
        assertGe(market.removeLiquidity(1_000e18), 1_000e6);
        _assertSolvent();
    }

    function test_epoch_feesOfTheOldSharesStayPayable() public {
        uint256 before = market.distributorFeesPayable(lender);
        vm.prank(lender);
        market.addLiquidity(1_000e6);
        assertEq(market.distributorFeesPayable(lender), before);
        _assertSolvent();
    }
}
