// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {ILiquidationRouter} from "../../../src/lending/interfaces/ILiquidationRouter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {Realization, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract SettleTest is LendingTest {
    uint256 private loanId;
    uint256 private id;

    /// 7,000 lent against 100 units; at 80 the claim is 3,500 and 45.9375 units are on the router.
    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        id = _liquidate(loanId);
    }

    function test_settle_inTranches() public {
        _give(seller, 3_675e6);
        vm.startPrank(seller);
        router.withdrawCollateralForSale(1, 40e18);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.CollateralUnsold.selector, 1, 5.9375e18));
        router.settleLiquidation(1, 3_000e6);
        router.reportPartialSale(1, 40e18, 3_000e6);
        assertEq(router.liquidation(1).proceedsCollected, 3_000e6);
        router.withdrawCollateralForSale(1, 5.9375e18);
        assertEq(token.balanceOf(recipient), 45.9375e18);
        router.settleLiquidation(1, 675e6);
        vm.stopPrank();

        Realization memory r = market.realization(id);
        assertTrue(r.status == RealizationStatus.SETTLED);
        assertEq(r.recovered, 3_500e6);
        assertEq(r.keptPenalty, 175e6);
        PoolView memory p = market.pool();
        assertEq(p.cash, POOL - 7_000e6 + 3_675e6);
        assertEq(p.carriedClaims, 0);
        _assertSolvent();
    }

    function test_settle_surplusPaysTheLoanThenTheBorrower() public {
        // D x 1.05 = 7,350 may be kept; 3,500 of it pays the rest of the loan.
        uint256 before = cash.balanceOf(borrower);
        _sellAndSettle(1, 8_000e6);
        assertEq(_debt(loanId), 0);
        assertEq(cash.balanceOf(borrower) - before, 8_000e6 - 7_350e6);
        _assertSolvent();
        vm.prank(borrower);
        market.closeLoan(loanId);
        assertEq(token.balanceOf(borrower), 10_000e18 - 45.9375e18);
    }

    function test_settle_shortSaleDrawsTheFundOnlyBelowTheFloorValue() public {
        _fundReserve(5_000e6);
        // Floor value 3,491.25: the fund pays the gap between it and the claim, the pool the rest.
        _sellAndSettle(1, 2_000e6);
        Realization memory r = market.realization(id);
        assertEq(r.covered, 8.75e6);
        assertEq(market.pool().cash, POOL - 7_000e6 + 2_008.75e6);
        _assertSolvent();
    }

    function test_settle_shortSaleIsCoveredInFullWhenTheAdminCountersigns() public {
        _fundReserve(5_000e6);
        _expectNotAuthorized(seller, ADMIN_ROLE);
        vm.prank(seller);
        market.countersignSale(id);
        vm.prank(admin);
        market.countersignSale(id);
        _sellAndSettle(1, 2_000e6);
        assertEq(market.realization(id).covered, 1_500e6);
        assertEq(market.pool().cash, POOL - 3_500e6);
        _assertSolvent();
    }

    function test_settle_anEmptyOrUnlistedFundBlocksNothing() public {
        vm.prank(admin);
        fund.setMarketAuthorized(address(market), false);
        _fundReserve(5_000e6);
        _sellAndSettle(1, 2_000e6);
        assertEq(market.realization(id).covered, 0);
        _assertSolvent();
    }

    function test_timeout_needsTheAdminAndMoreThanSevenDays() public {
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        vm.prank(stranger);
        market.handleLiquidationTimeout(id);
        uint256 eligibleAt = block.timestamp + 7 days;
        vm.warp(eligibleAt);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotTimedOut.selector, eligibleAt));
        market.handleLiquidationTimeout(id);
    }

    function test_timeout_writesOffThenLateCashGoesToThePoolAndTheFund() public {
        _fundReserve(1_000e6);
        skipTime(7 days + 1);
        vm.prank(admin);
        market.handleLiquidationTimeout(id);
        Realization memory r = market.realization(id);
        assertTrue(r.status == RealizationStatus.WRITTEN_OFF);
        assertEq(r.covered, 1_000e6);
        assertEq(market.pool().cash, POOL - 6_000e6);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.RealizationClosed.selector, id));
        market.handleLiquidationTimeout(id);

        // Late: 2,500 to the pool, then 1,000 back to the fund, then penalty.
        _sellAndSettle(1, 3_600e6);
        PoolView memory p = market.pool();
        assertEq(p.cash, POOL - 3_500e6 + 100e6);
        assertEq(p.protocolFees, 1_000e6);
        assertEq(market.arrearsOf(loanId).lost, 0);
        assertEq(market.arrearsOf(loanId).advanced, 0);
        _assertSolvent();
    }

    function test_proceeds_onlyTheRouterBringsThem() public {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotRouter.selector, address(this)));
        market.receiveLiquidationProceeds(id, 1);
        vm.prank(address(router));
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.RealizationNotFound.selector, 77));
        market.receiveLiquidationProceeds(77, 0);
    }

    function test_settle_nobodyExitsAheadOfTheLoss() public {
        // The shares lost value at the seizure already, by what the floor value is short of the claim.
        assertLt(market.toAssets(1_000_000e18), POOL);
        uint256 value = market.toAssets(1_000_000e18);
        _sellAndSettle(1, 3_491.25e6);
        assertEq(market.toAssets(1_000_000e18), value);
    }

    function testFuzz_settle_conservesTheCash(uint256 proceeds, uint256 reserve) public {
        proceeds = bound(proceeds, 1, 20_000e6);
        reserve = bound(reserve, 1, 10_000e6);
        _fundReserve(reserve);
        uint256 before = cash.balanceOf(address(market)) + cash.balanceOf(address(fund)) + cash.balanceOf(borrower);
        _sellAndSettle(1, proceeds);
        uint256 afterwards = cash.balanceOf(address(market)) + cash.balanceOf(address(fund)) + cash.balanceOf(borrower);
        assertEq(afterwards - before, proceeds);
        assertEq(cash.balanceOf(address(router)), 0);
        _assertSolvent();
    }
}
