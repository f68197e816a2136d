// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LoanStatus, Realization} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract ResidualTest is LendingTest {
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        _fundReserve(400e6);
        _openLoan(8_000e18, 300_000e6);
        loanId = _openLoan(20e18, 1_000e6);
        for (uint256 price = 50e6; price > 15e6; price /= 2) {
            skipTime(1 hours);
            _setPrice(price);
        }
        skipTime(1 hours);
        _setPrice(15e6);
    }

    /// Debt and penalty are all that is ever kept, whoever paid a part of it first.
    function test_residual_whatTheFundPaidIsNotKeptASecondTime() public {
        uint256 before = cash.balanceOf(address(market)) + cash.balanceOf(address(fund));
        uint256 id = _liquidate(loanId);
        Realization memory r = market.realization(id);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertEq(r.advanced, 400e6);
        uint256 held = cash.balanceOf(borrower);
        _sellAndSettle(1, 2_000e6);
        uint256 kept = uint256(r.totalDebt) + uint256(r.totalDebt) * 500 / 10_000;
        assertEq(cash.balanceOf(borrower) - held, 2_000e6 - kept, "surplus");
        assertEq(cash.balanceOf(address(market)) + cash.balanceOf(address(fund)) - before, kept, "kept");
        assertEq(market.arrearsOf(loanId).lost, 0);
        assertEq(market.arrearsOf(loanId).advanced, 0);
        assertEq(market.pool().protocolFees, 400e6);
        _assertSolvent();
    }

    function test_residual_theRateCountsWhatTheFundPaid() public {
        _liquidate(loanId);
        (uint256 rate,) = model.quote(market.pool().totalBorrowed, market.pool().totalLiquidity);
        assertEq(market.pool().borrowRateWad, rate);
    }
}
