// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Whatever the sales of one loan bring: debt and penalty are kept once, and the borrower gets nothing before them.
contract PositionTest is LendingTest {
    uint256 private loanId;

    /// 1,000 lent against 20 units; at 57 half of it is claimed.
    function setUp() public override {
        super.setUp();
        loanId = _openLoan(20e18, 1_000e6);
        _setPrice(57e6);
        _liquidate(loanId);
        _give(borrower, 10_000e6);
    }

    function test_keep_whatTheBorrowerPaidIsNotKeptAgain() public {
        _repay(loanId, type(uint256).max);
        uint256 before = cash.balanceOf(borrower);
        _sellAndSettle(1, 1_100e6);
        // Claim 500 and its penalty of 25.
        assertEq(cash.balanceOf(borrower) - before, 575e6);
        _assertSolvent();
    }

    function test_keep_twoSeizuresOfOneLoan() public {
        skipTime(1 hours);
        _setPrice(50e6);
        uint256 second = _liquidate(loanId);
        uint256 rest = market.realization(second).totalDebt;
        uint256 before = cash.balanceOf(borrower);
        _sellAndSettle(1, 1_100e6);
        _sellAndSettle(2, 600e6);
        uint256 owed = 500e6 + rest;
        assertApproxEqAbs(cash.balanceOf(borrower) - before, 1_700e6 - owed - owed / 20, 2);
        assertEq(_debt(loanId), 0);
        _assertSolvent();
    }

    /// The rest of the loan grew beyond the debt at the seizure: it is paid before the borrower is.
    function test_surplus_notWhileTheLoanOwes() public {
        skipTime(1 days);
        _setPrice(85e6);
        skipTime(1 hours);
        _setPrice(120e6);
        vm.prank(borrower);
        market.borrowMore(loanId, 300e6, _noPrice());
        uint256 owes = _debt(loanId);
        uint256 before = cash.balanceOf(borrower);
        // Claim 500, penalty 25, the loan; the penalty on the rest of the debt at the seizure is 25.
        _sellAndSettle(1, 500e6 + 25e6 + owes);
        assertEq(_debt(loanId), 0);
        assertEq(cash.balanceOf(borrower), before);
        _assertSolvent();
    }

    function test_recover_whatAnotherSaleOfTheLoanMissed() public {
        skipTime(1 hours);
        _setPrice(50e6);
        _liquidate(loanId);
        _repay(loanId, type(uint256).max);
        uint256 loss = market.realization(2).claim - 100e6;
        _sellAndSettle(2, 100e6);
        uint256 before = cash.balanceOf(borrower);
        _sellAndSettle(1, 2_000e6);
        assertEq(cash.balanceOf(borrower) - before, 2_000e6 - 525e6 - loss);
        _assertSolvent();
    }

    function test_recover_lateCashIsNotKeptTwice() public {
        skipTime(1 hours);
        _setPrice(50e6);
        uint256 second = _liquidate(loanId);
        _repay(loanId, type(uint256).max);
        skipTime(8 days);
        vm.prank(admin);
        market.handleLiquidationTimeout(second);
        _sellAndSettle(1, 2_000e6);
        uint256 before = cash.balanceOf(borrower);
        uint256 claim = market.realization(second).claim;
        // The first sale paid the claim already: only its penalty is left to keep.
        _sellAndSettle(2, 600e6);
        assertEq(cash.balanceOf(borrower) - before, 600e6 - claim * 500 / 10_000);
        _assertSolvent();
    }

    function test_recover_theFundIsRepaidByAnotherSaleOfTheLoan() public {
        _fundReserve(50e6);
        skipTime(1 hours);
        _setPrice(50e6);
        uint256 second = _liquidate(loanId);
        _repay(loanId, type(uint256).max);
        vm.prank(admin);
        market.countersignSale(second);
        uint256 claim = market.realization(second).claim;
        _sellAndSettle(2, claim - 50e6);
        assertEq(cash.balanceOf(address(fund)), 0);
        uint256 before = cash.balanceOf(borrower);
        _sellAndSettle(1, 2_000e6);
        assertEq(market.pool().protocolFees, 50e6);
        assertEq(cash.balanceOf(borrower) - before, 2_000e6 - 525e6 - 50e6);
        _assertSolvent();
    }

    function testFuzz_keep_noMoreThanDebtAndPenalty(uint256 repaid, uint256 first, uint256 secondSale, bool isSwapped)
        public
    {
        skipTime(1 hours);
        _setPrice(50e6);
        uint256 second = _liquidate(loanId);
        bool closes = market.loan(loanId).status == LoanStatus.CLOSED;
        uint256 owed = 500e6 + uint256(market.realization(second).totalDebt);
        repaid = bound(repaid, 0, 300e6);
        first = bound(first, 1, 3_000e6);
        secondSale = bound(secondSale, 1, 3_000e6);
        uint256 before = cash.balanceOf(borrower);
        if (repaid != 0 && !closes) repaid = _repay(loanId, repaid);
        _sellAndSettle(isSwapped ? 2 : 1, isSwapped ? secondSale : first);
        _sellAndSettle(isSwapped ? 1 : 2, isSwapped ? first : secondSale);
        uint256 paid = repaid + first + secondSale;
        uint256 surplus = cash.balanceOf(borrower) + repaid - before;
        assertLe(paid - surplus, owed + owed / 20 + 2, "kept more than debt and penalty");
        if (paid >= owed + owed / 20 + 2 && surplus != 0) assertEq(_debt(loanId), 0, "surplus while the loan owes");
        _assertSolvent();
    }
}
