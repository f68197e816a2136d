// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A cap per borrower that is set after loans were opened.
contract UserCapTest is LendingTest {
    uint256 private first;

    function setUp() public override {
        super.setUp();
        first = _openLoan(100e18, 5_000e6);
        _give(borrower, 10_000e6);
    }

    function test_aLoanFromBeforeTheCap_countsForTheNextOne() public {
        assertEq(market.collateralOf(borrower), 100e18);
        _capBorrowers(110e18);
        _expectAbove(111e18, 110e18);
        _openLoan(11e18, 500e6);
        _openLoan(10e18, 500e6);
        assertEq(market.collateralOf(borrower), 110e18);
        _expectAbove(111e18, 110e18);
        vm.prank(borrower);
        market.addCollateral(first, 1e18);
    }

    function test_everyLoanFromBeforeTheCap_counts() public {
        _openLoan(20e18, 500e6);
        _openLoan(30e18, 500e6);
        _capBorrowers(151e18);
        _expectAbove(152e18, 151e18);
        _openLoan(2e18, 100e6);
        vm.prank(borrower);
        market.addCollateral(first, 1e18);
        assertEq(market.collateralOf(borrower), 151e18);
    }

    function test_aCapBelowWhatIsPledged_letsNothingInAndEverythingOut() public {
        _capBorrowers(50e18);
        _expectAbove(101e18, 50e18);
        vm.prank(borrower);
        market.addCollateral(first, 1e18);
        vm.prank(borrower);
        market.withdrawCollateral(first, 10e18, _noPrice());
        assertEq(market.collateralOf(borrower), 90e18);
        _expectAbove(92e18, 50e18);
        _openLoan(2e18, 100e6);
        _repay(first, type(uint256).max);
        assertEq(market.collateralOf(borrower), 0);
        _openLoan(50e18, 500e6);
    }

    function test_withdrawal_makesRoom() public {
        _capBorrowers(100e18);
        _expectAbove(110e18, 100e18);
        _openLoan(10e18, 500e6);
        vm.prank(borrower);
        market.withdrawCollateral(first, 10e18, _noPrice());
        _openLoan(10e18, 500e6);
        assertEq(market.collateralOf(borrower), 100e18);
    }

    function test_realization_makesRoomForWhatWasTaken() public {
        _capBorrowers(100e18);
        _setPrice(55e6);
        _liquidate(first);
        uint256 left = market.loan(first).collateral;
        assertLt(left, 100e18);
        assertEq(market.collateralOf(borrower), left);
        skipTime(2 days);
        _setPrice(28e6);
        _liquidate(first);
        assertLt(market.loan(first).collateral, left);
        assertEq(market.collateralOf(borrower), market.loan(first).collateral);
        _liquidate(first);
        assertEq(market.loan(first).collateral, 0);
        assertEq(market.collateralOf(borrower), 0);
        _openLoan(100e18, 500e6);
        assertEq(market.collateralOf(borrower), 100e18);
    }

    function test_othersLoans_countForNobodyElse() public {
        _giveCollateral(stranger, 100e18);
        _capBorrowers(100e18);
        vm.startPrank(stranger);
        token.approve(adapter, type(uint256).max);
        market.openLoan(100e18, 500e6, _noPrice());
        vm.stopPrank();
        assertEq(market.collateralOf(stranger), 100e18);
        assertEq(market.collateralOf(borrower), 100e18);
    }

    /// The market keeps in a bit that it has no caps.
    function test_aCap_comesAndGoesWithItsSetting() public {
        _capBorrowers(100e18);
        _expectAbove(101e18, 100e18);
        vm.prank(borrower);
        market.addCollateral(first, 1e18);
        _capBorrowers(0);
        _openLoan(10e18, 500e6);
        _capBorrowers(100e18);
        _expectAbove(112e18, 100e18);
        _openLoan(2e18, 100e6);
    }

    function _expectAbove(uint256 total, uint256 cap) private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.UserSupplyCapExceeded.selector, total, cap));
    }
}
