// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Dust is used to make realizations pointless or repayments fail.
contract DustGriefingAttackTest is LendingTest {
    function test_attack_dustLoansAndHalvings() public {
        // 1. Loans too small to realize cannot be opened.
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BelowMinBorrow.selector, 1, 100e6));
        market.openLoan(1e18, 1, _noPrice());
        // 2. A loan that shrank to the minimum is realized whole, not halved for ever.
        uint256 loanId = _openLoan(2e18, 150e6);
        _repay(loanId, 50e6);
        _setPrice(55e6);
        assertEq(market.realization(_liquidate(loanId)).claim, 100e6);
    }

    function test_attack_aDustPaymentAheadOfTheRepayment() public {
        // 1. The victim is about to repay exactly its debt; the griefer pays one unit first.
        uint256 loanId = _openLoan(100e18, 5_000e6);
        uint256 debt = _debt(loanId);
        _give(stranger, 1);
        vm.startPrank(stranger);
        cash.approve(address(market), 1);
        market.repay(loanId, 1);
        vm.stopPrank();
        // 2. The victim's payment still closes the loan, and only what is owed is taken.
        assertEq(_repay(loanId, debt), debt - 1);
        assertEq(token.balanceOf(borrower), 10_000e18);
    }

    function test_attack_accruingEverySecondCostsThePoolNothing() public {
        uint256 loanId = _openLoan(100e18, 1_000e6);
        uint256 state = vm.snapshotState();
        skipTime(300);
        uint256 once = market.pool().interestGross;
        vm.revertToState(state);
        for (uint256 i = 0; i < 300; ++i) {
            skipTime(1);
            market.syncRate();
        }
        assertEq(market.pool().interestGross, once);
        assertGe(market.loan(loanId).interest, once);
    }
}
