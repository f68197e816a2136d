// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingTest} from "../../support/LendingTest.sol";

/// @notice The chain comes back with an earlier time than it had.
contract ClockStepsBackAttackTest is LendingTest {
    function test_attack_timeRunsBackwards() public {
        _wireVenue();
        uint256 loanId = _openLoan(100e18, 7_000e6);
        uint256 other = _openLoan(1_000e18, 50_000e6);
        skipTime(2 hours);
        _setPrice(80e6);
        _liquidate(loanId);
        market.syncRate();
        uint256 debt = _debt(other);
        uint256 price = market.toAssets(1e24);
        // 1. The clock is an hour behind.
        vm.warp(block.timestamp - 1 hours);
        // 2. No interest is taken back, nothing underflows, and everything still works.
        assertEq(_debt(other), debt);
        assertEq(market.toAssets(1e24), price);
        market.syncRate();
        assertEq(venue.currentPrice(1), 104e6);
        vm.prank(buyer);
        venue.bidOnAuction(1, 1e18, type(uint256).max);
        _repay(other, 1_000e6);
        // 3. When time catches up, the hour is not charged twice.
        vm.warp(block.timestamp + 1 hours);
        assertLe(_debt(other), debt - 1_000e6 + 1);
        _assertSolvent();
    }
}
