// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {LoanView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract BorrowMoreTest is LendingTest {
    function test_borrowMore_revertsForAnyoneButTheBorrower() public {
        uint256 loanId = _openLoan(100e18, 500e6);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotBorrower.selector, loanId, stranger));
        market.borrowMore(loanId, 1e6, _noPrice());
    }

    function test_borrowMore_revertsOnUnknownAndClosedLoans() public {
        uint256 loanId = _openLoan(100e18, 500e6);
        _give(borrower, 1e6);
        _repay(loanId, type(uint256).max);
        vm.startPrank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotActive.selector, loanId));
        market.borrowMore(loanId, 1e6, _noPrice());
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotFound.selector, 9));
        market.borrowMore(9, 1e6, _noPrice());
    }

    function test_borrowMore_revertsForNothingAndWhilePaused() public {
        uint256 loanId = _openLoan(100e18, 500e6);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidAmount.selector, 0));
        market.borrowMore(loanId, 0, _noPrice());
        vm.prank(admin);
        market.pause();
        vm.prank(borrower);
        vm.expectRevert(IMarketErrors.MarketIsPaused.selector);
        market.borrowMore(loanId, 1e6, _noPrice());
    }

    function test_borrowMore_revertsOnAStampedLoan() public {
        vm.startPrank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 0);
        model.setRateMode(RateMode.FIXED, 0, 0, 700);
        vm.stopPrank();
        uint256 loanId = _openLoan(100e18, 500e6);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.FixedRateLoan.selector, loanId));
        market.borrowMore(loanId, 1e6, _noPrice());
    }

    function test_borrowMore_revertsPastTheDueDate() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 10 days, 0, 0);
        uint256 loanId = _openLoan(100e18, 500e6);
        uint256 dueAt = market.loan(loanId).dueAt;
        vm.warp(dueAt);
        _setPrice(PRICE);
        vm.warp(dueAt);
        vm.prank(borrower);
        market.borrowMore(loanId, 1e6, _noPrice());
        vm.warp(dueAt + 1);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanPastDue.selector, loanId, dueAt));
        market.borrowMore(loanId, 1e6, _noPrice());
    }

    function test_borrowMore_revertsAfterTheMarketsLastDay() public {
        uint256 loanId = _openLoan(100e18, 500e6);
        uint256 last = block.timestamp + 40 days;
        vm.prank(issuer);
        market.setTermConfig(0, 1 days, last, 0);
        vm.warp(last);
        _setPrice(PRICE);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.MarketTermExpired.selector, last));
        market.borrowMore(loanId, 1e6, _noPrice());
    }

    function test_borrowMore_agreesToTheTermsOfToday() public {
        uint256 loanId = _openLoan(100e18, 500e6);
        MarketConfig memory config = market.config();
        (config.liquidationThresholdBps, config.liquidationPenaltyBps) = (8_000, 900);
        vm.prank(issuer);
        market.setConfig(config);
        (uint256 threshold, uint256 penalty) = market.loanTerms(loanId);
        assertEq(threshold, 8_500);
        assertEq(penalty, 500);
        vm.prank(borrower);
        market.borrowMore(loanId, 1e6, _noPrice());
        (threshold, penalty) = market.loanTerms(loanId);
        assertEq(threshold, 8_000);
        assertEq(penalty, 900);
    }

    function test_borrowMore_countsAccruedInterest() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        skipTime(12 hours);
        uint256 room = 7_500e6 - _debt(loanId);
        vm.startPrank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExceedsMaxBorrow.selector, 7_500e6 + 1, 7_500e6));
        market.borrowMore(loanId, room + 1, _noPrice());
        market.borrowMore(loanId, room, _noPrice());
        vm.stopPrank();
        assertEq(_debt(loanId), 7_500e6);
        _assertSolvent();
    }

    function testFuzz_borrowMore_addsExactlyTheAmountToTheDebt(uint256 first, uint256 more, uint256 time) public {
        first = bound(first, 100e6, 300_000e6);
        more = bound(more, 1, 300_000e6);
        uint256 loanId = _openLoan(10_000e18, first);
        skipTime(bound(time, 0, 1 days - 1));
        uint256 before = _debt(loanId);
        vm.prank(borrower);
        market.borrowMore(loanId, more, _noPrice());
        LoanView memory l = market.loan(loanId);
        assertEq(l.principal, first + more);
        assertEq(_debt(loanId), before + more);
        assertEq(cash.balanceOf(borrower), first + more);
        _assertSolvent();
    }
}
