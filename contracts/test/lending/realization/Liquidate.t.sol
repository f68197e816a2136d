// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {LiquidationView} from "../../../src/lending/interfaces/ILiquidationRouter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {
    LoanStatus,
    MarketConfig,
    Realization,
    RealizationStatus
} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract LiquidateTest is LendingTest {
    function test_liquidate_revertsForAnyoneButLiquidators() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _expectNotAuthorized(stranger, LIQUIDATOR_ROLE);
        vm.prank(stranger);
        market.liquidate(loanId, _noPrice());
    }

    function test_liquidate_revertsWhileHealthyAndInTime() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        uint256 health = market.healthFactor(loanId);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanStillHealthy.selector, loanId, health));
        _liquidate(loanId);
    }

    function test_liquidate_boundary_oneIsHealthy() public {
        uint256 loanId = _openLoan(100e18, 6_800e6);
        _setPrice(80e6);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanStillHealthy.selector, loanId, 1e18));
        _liquidate(loanId);
        _setPrice(80e6 - 1);
        _liquidate(loanId);
    }

    function test_liquidate_health_claimsTheCloseFactorAndItsPenalty() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);

        Realization memory r = market.realization(id);
        assertEq(r.claim, 3_500e6);
        assertEq(r.totalDebt, 7_000e6);
        assertEq(r.penaltyBps, 500);
        // 3,500 x 1.05 / 80
        uint256 taken = 45.9375e18;
        LoanView memory l = market.loan(loanId);
        assertEq(l.collateral, 100e18 - taken);
        assertEq(l.principal, 3_500e6);
        assertTrue(l.status == LoanStatus.ACTIVE);
        assertEq(token.balanceOf(address(router)), taken);
        LiquidationView memory v = router.liquidation(1);
        assertEq(v.collateralRemaining, taken);
        assertEq(v.debtOwed, 3_500e6);
        assertEq(v.borrower, borrower);
        assertEq(v.marketLiquidationId, id);
        // The claim is carried at no more than the collateral brings at the floor.
        assertEq(market.pool().carriedClaims, 3_491.25e6);
        _assertSolvent();
    }

    function test_liquidate_health_withTooLittleCollateralWritesTheRestOff() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _fundReserve(1_000e6);
        _setPrice(51e6);
        vm.warp(block.timestamp + 2 hours);
        _setPrice(30e6);
        uint256 debt = _debt(loanId);
        uint256 id = _liquidate(loanId);
        Realization memory r = market.realization(id);
        assertEq(r.claim, uint256(3_000e6) * 10_000 / 10_500);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertEq(r.advanced, 1_000e6);
        PoolView memory p = market.pool();
        assertEq(p.totalBorrowed, 0);
        assertEq(p.cash, POOL - 7_000e6 + 1_000e6);
        assertEq(r.totalDebt, debt);
        _assertSolvent();
    }

    function test_liquidate_term_takesTheWholeClaimAndReturnsTheRest() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 2 days, 0, 300);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.warp(block.timestamp + 32 days);
        _setPrice(PRICE);
        vm.expectPartialRevert(IMarketErrors.LoanStillHealthy.selector);
        _liquidate(loanId);
        skipTime(1);
        uint256 debt = _debt(loanId);
        uint256 id = _liquidate(loanId);
        Realization memory r = market.realization(id);
        assertTrue(r.isTerm);
        assertEq(r.claim, debt);
        assertEq(r.penaltyBps, 300);
        uint256 taken = (debt * 10_300 * 1e18 - 1) / (10_000 * PRICE) + 1;
        assertEq(token.balanceOf(address(router)), taken);
        assertEq(token.balanceOf(borrower), 10_000e18 - taken);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        _assertSolvent();
    }

    function test_liquidate_atAFloorThatRoundsToNothingTakesEverything() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 2 days, 0, 300);
        _wireVenue();
        uint256 loanId = _openLoan(100e18, 7_000e6);
        vm.warp(block.timestamp + 32 days + 1);
        vm.prank(oracle.owner());
        oracle.setMaxDeviation(10_000);
        _setPrice(1);
        uint256 debt = _debt(loanId);
        Realization memory r = market.realization(_liquidate(loanId));
        assertEq(r.claim, debt);
        assertEq(r.floorValue, 0);
        assertEq(token.balanceOf(address(venue)), 100e18);
        _assertSolvent();
    }

    function test_liquidate_aSmallDebtGoesInOnePiece() public {
        uint256 loanId = _openLoan(2e18, 100e6);
        _setPrice(55e6);
        Realization memory r = market.realization(_liquidate(loanId));
        assertEq(r.claim, 100e6);
    }

    function test_liquidate_goesOnWhilePaused() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        vm.prank(admin);
        market.pause();
        assertEq(_liquidate(loanId), 1);
    }

    function testFuzz_liquidate_neverLeavesTheBooksOrTheLoanWorse(uint256 lent, uint256 price, uint256 time) public {
        lent = bound(lent, 5_000e6, 7_500e6);
        uint256 loanId = _openLoan(100e18, lent);
        skipTime(bound(time, 1 hours, 20 hours));
        price = bound(price, 50e6, lent / 85 - 1);
        _setPrice(price);
        uint256 debt = _debt(loanId);
        uint256 id = _liquidate(loanId);
        Realization memory r = market.realization(id);
        LoanView memory l = market.loan(loanId);
        assertEq(r.claim + l.principal + l.interest, debt);
        assertEq(l.collateral + token.balanceOf(address(router)), 100e18);
        assertTrue(r.status == RealizationStatus.OPEN);
        _assertSolvent();
    }
}
