// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {ISecurityPriceOracle} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract CollateralTest is LendingTest {
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 5_000e6);
    }

    function test_addCollateral_revertsForOthersForNothingAndAboveTheCap() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotBorrower.selector, loanId, stranger));
        market.addCollateral(loanId, 1e18);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidAmount.selector, 0));
        market.addCollateral(loanId, 0);
        MarketConfig memory config = market.config();
        config.maxTotalCollateral = 100e18;
        vm.prank(issuer);
        market.setConfig(config);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.SupplyCapExceeded.selector, 101e18, 100e18));
        market.addCollateral(loanId, 1e18);
    }

    function test_addCollateral_goesOnWhilePausedAndStale() public {
        vm.prank(admin);
        market.pause();
        skipTime(3 days);
        vm.expectEmit(address(market));
        emit IMarketEvents.CollateralAdded(loanId, 5e18, 105e18);
        vm.prank(borrower);
        market.addCollateral(loanId, 5e18);
        assertEq(token.balanceOf(adapter), 105e18);
        assertEq(market.collateralOf(borrower), 105e18);
    }

    function test_withdrawCollateral_revertsBeyondWhatIsLocked() public {
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InsufficientCollateral.selector, 101e18, 100e18));
        market.withdrawCollateral(loanId, 101e18, _noPrice());
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotBorrower.selector, loanId, stranger));
        market.withdrawCollateral(loanId, 1e18, _noPrice());
    }

    function test_withdrawCollateral_revertsWhenTheLoanWouldBeUnhealthy() public {
        vm.prank(borrower);
        vm.expectPartialRevert(IMarketErrors.WouldBreachHealth.selector);
        market.withdrawCollateral(loanId, 42e18, _noPrice());
        vm.prank(borrower);
        market.withdrawCollateral(loanId, 41e18, _noPrice());
        assertGe(market.healthFactor(loanId), 1e18);
    }

    function test_withdrawCollateral_withDebtNeedsAFreshPriceAndNoPause() public {
        vm.prank(admin);
        market.pause();
        vm.prank(borrower);
        vm.expectRevert(IMarketErrors.MarketIsPaused.selector);
        market.withdrawCollateral(loanId, 1e18, _noPrice());
        vm.prank(admin);
        market.unpause();
        skipTime(2 days);
        vm.prank(borrower);
        vm.expectPartialRevert(ISecurityPriceOracle.PriceStale.selector);
        market.withdrawCollateral(loanId, 1e18, _noPrice());
    }

    function test_closeLoan_revertsWithDebtAndForOthers() public {
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.DebtOutstanding.selector, loanId, 5_000e6));
        market.closeLoan(loanId);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotBorrower.selector, loanId, stranger));
        market.closeLoan(loanId);
    }

    function testFuzz_collateral_whatGoesInComesOut(uint256 added, uint256 withdrawn) public {
        added = bound(added, 1, 9_900e18);
        vm.prank(borrower);
        market.addCollateral(loanId, added);
        withdrawn = bound(withdrawn, 1, added);
        vm.prank(borrower);
        market.withdrawCollateral(loanId, withdrawn, _noPrice());
        uint256 left = 100e18 + added - withdrawn;
        assertEq(market.loan(loanId).collateral, left);
        assertEq(market.pool().totalCollateral, left);
        assertEq(token.balanceOf(adapter), left);
        assertEq(token.balanceOf(borrower), 10_000e18 - left);
    }
}
