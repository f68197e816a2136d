// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract FlatFeesTest is LendingTest {
    function _prepareSuite() internal override {
        factory.setDefaultFees(10e6, 2e6);
    }

    function test_openFee_comesOffThePayoutAndNotOffTheDebt() public {
        vm.expectEmit(address(market));
        emit IMarketEvents.OpenFeeCharged(1, 10e6);
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        assertEq(cash.balanceOf(borrower), 50_000e6 - 10e6);
        assertEq(_debt(loanId), 50_000e6);
        PoolView memory p = market.pool();
        assertEq(p.infrastructureFees, 8.7e6);
        assertEq(p.operatorFees, 0.8e6);
        assertEq(p.distributorFees, 0.5e6);
        _assertSolvent();
    }

    function test_openFee_isCappedAtHalfAPercent() public {
        _openLoan(1_000e18, 100e6);
        assertEq(cash.balanceOf(borrower), 100e6 - 0.5e6);
    }

    function test_repayFee_closingCostsDebtAndFee() public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        _give(borrower, 100e6);
        assertEq(_repay(loanId, type(uint256).max), 50_002e6);
        _assertSolvent();
    }

    function testFuzz_repayFee_aPartialPaymentLosesAtMostOneIn201(uint256 paid) public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        paid = bound(paid, 201, 50_000e6);
        _give(borrower, 100e6);
        uint256 before = _debt(loanId);
        _repay(loanId, paid);
        uint256 lost = paid - (before - _debt(loanId));
        assertLe(lost * 201, paid);
        assertLe(lost, 2e6);
        _assertSolvent();
    }

    function test_flatFees_areStampedAtDeployment() public {
        factory.setDefaultFees(0, 0);
        (uint256 openFee, uint256 repayFee) = market.flatFees();
        assertEq(openFee, 10e6);
        assertEq(repayFee, 2e6);
    }
}
