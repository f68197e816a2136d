// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract LiquidityTest is LendingTest {
    function test_addLiquidity_revertsBeforeAdoption() public {
        LendingMarket seeking = LendingMarket(_deployMarket());
        vm.prank(lender);
        vm.expectRevert(IMarketErrors.MarketPendingCurator.selector);
        seeking.addLiquidity(1_000e6);
    }

    function test_addLiquidity_revertsForStrangers() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotProvider.selector, stranger));
        market.addLiquidity(1_000e6);
    }

    function test_addLiquidity_revertsWhilePaused() public {
        vm.prank(admin);
        market.pause();
        vm.prank(lender);
        vm.expectRevert(IMarketErrors.MarketIsPaused.selector);
        market.addLiquidity(1_000e6);
    }

    function test_addLiquidity_revertsForNothing() public {
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidAmount.selector, 0));
        market.addLiquidity(0);
    }

    function test_addLiquidity_needsTheFloorWheneverThePoolIsEmpty() public {
        uint256 shares = market.sharesOf(lender);
        vm.startPrank(lender);
        market.removeLiquidity(shares);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BelowInitialDeposit.selector, 1_000e6 - 1, 1_000e6));
        market.addLiquidity(1_000e6 - 1);
        market.addLiquidity(1_000e6);
        vm.stopPrank();
        assertEq(market.minInitialDeposit(), 1_000e6);
    }

    function test_addLiquidity_mintsOneShareForOneUnitFirst() public view {
        assertEq(market.sharesOf(lender), 1_000_000e18);
        assertEq(market.toAssets(1_000_000e18), POOL);
    }

    function test_removeLiquidity_revertsBeyondTheHolding() public {
        uint256 held = market.sharesOf(lender);
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InsufficientShares.selector, held + 1, held));
        market.removeLiquidity(held + 1);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InsufficientShares.selector, 0, 0));
        market.removeLiquidity(0);
    }

    function test_removeLiquidity_isAllOrNothing() public {
        _openLoan(10_000e18, 600_000e6);
        uint256 held = market.sharesOf(lender);
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InsufficientLiquidity.selector, POOL, 400_000e6));
        market.removeLiquidity(held);
    }

    function test_removeLiquidity_goesOnWhilePausedAndIgnoresTheReserve() public {
        vm.prank(admin);
        market.pause();
        vm.prank(issuer);
        market.setReserveRatio(5_000);
        uint256 held = market.sharesOf(lender);
        vm.expectEmit(address(market));
        emit IMarketEvents.LiquidityRemoved(lender, POOL, held);
        vm.prank(lender);
        assertEq(market.removeLiquidity(held), POOL);
        _assertSolvent();
    }

    function test_sharePrice_countsInterestNetOfFeesAndNeverFallsAtARepayment() public {
        uint256 loanId = _openLoan(10_000e18, 500_000e6);
        skipTime(30 days);
        uint256 before = market.toAssets(1e24);
        PoolView memory p = market.pool();
        assertEq(p.totalAssets, POOL + p.interestGross * 7_395 / 10_000);
        _give(borrower, 600_000e6);
        _repay(loanId, 1_000e6);
        assertGe(market.toAssets(1e24), before);
        before = market.toAssets(1e24);
        _repay(loanId, type(uint256).max);
        assertGe(market.toAssets(1e24), before);
        _assertSolvent();
    }

    function testFuzz_roundTrip_neverPaysMoreThanWasPutIn(uint256 amount, uint256 lent, uint256 time) public {
        amount = bound(amount, 1e6, POOL);
        lent = bound(lent, 100e6, 700_000e6);
        _openLoan(10_000e18, lent);
        skipTime(bound(time, 0, 300 days));
        _give(lender, amount);
        vm.startPrank(lender);
        uint256 shares = market.addLiquidity(amount);
        uint256 back = market.removeLiquidity(shares);
        vm.stopPrank();
        assertLe(back, amount);
        assertGe(back + 2, amount);
        _assertSolvent();
    }

    function test_sharesOf_aDonationBuysNothing() public {
        uint256 before = market.toAssets(1e24);
        _give(address(market), 500_000e6);
        assertEq(market.toAssets(1e24), before);
    }
}
