// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A provider sees a bad realization coming and tries to leave the loss to the others.
contract ExitAheadOfLossAttackTest is LendingTest {
    function test_attack_leavingBetweenSeizureAndSettlement() public {
        // 1. Two providers with half a million each; one loan of 600,000.
        LendingVault vault = _makeVault(lender, 500_000e6);
        vm.prank(admin);
        market.registerVault(address(vault));
        uint256 half = market.sharesOf(lender) / 2;
        vm.prank(lender);
        market.removeLiquidity(half);
        _give(address(this), 500_000e6);
        cash.approve(address(vault), 500_000e6);
        vault.deposit(500_000e6, address(0));
        vm.prank(lender);
        vault.supply(address(market), 500_000e6);
        uint256 loanId = _openLoan(10_000e18, 600_000e6);
        // 2. The price collapses below the debt, and the loan is realized: a part by the close factor, then the rest.
        _setPrice(51e6);
        skipTime(1 hours);
        _setPrice(40e6);
        _liquidate(loanId);
        _liquidate(loanId);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        // 3. The lender leaves with what the pool can pay, before any sale is settled.
        uint256 before = cash.balanceOf(lender);
        uint256 shares = market.sharesOf(lender);
        uint256 worth = market.toAssets(shares);
        vm.prank(lender);
        market.removeLiquidity(shares);
        uint256 taken = cash.balanceOf(lender) - before;
        assertEq(taken, worth);
        // 4. The sale brings the floor value: the one who stayed is no worse off than the one who left.
        uint256 staying = market.toAssets(market.sharesOf(address(vault)));
        _sellAndSettle(1, market.realization(1).floorValue);
        _sellAndSettle(2, market.realization(2).floorValue);
        assertGe(market.toAssets(market.sharesOf(address(vault))) + 1, staying);
        assertLe(taken, market.toAssets(market.sharesOf(address(vault))) + 2);
    }
}
