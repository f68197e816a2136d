// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {LiquidationRouter} from "../../../src/lending/LiquidationRouter.sol";
import {ILiquidationRouter} from "../../../src/lending/interfaces/ILiquidationRouter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract RouterTest is LendingTest {
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        vm.prank(recipient);
        cash.approve(address(router), type(uint256).max);
    }

    function test_adopt_onlyTheMarketAndOnce() public {
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.NotMarket.selector, address(this)));
        router.adopt(admin, seller, recipient);
        vm.prank(address(market));
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.NotMarket.selector, address(market)));
        router.adopt(admin, seller, recipient);
    }

    function test_receive_onlyAuthorizedSourcesAndOnlyWhatArrived() public {
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.NotAuthorizedSource.selector, address(this)));
        router.receiveLiquidatedCollateral(1, 1);
        vm.prank(admin);
        router.authorizeLendingMarket(address(this), true);
        assertTrue(router.isAuthorizedSource(address(this)));
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.CollateralNotReceived.selector, 5, 0));
        router.receiveLiquidatedCollateral(1, 5);
    }

    function test_withdraw_boundsAndRole() public {
        _liquidate(loanId);
        _expectNotAuthorized(stranger, OPERATOR_ROLE);
        vm.prank(stranger);
        router.withdrawCollateralForSale(1, 1);
        vm.startPrank(seller);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.LiquidationNotFound.selector, 2));
        router.withdrawCollateralForSale(2, 1);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.AmountOutOfRange.selector, 46e18, 45.9375e18));
        router.withdrawCollateralForSale(1, 46e18);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.AmountOutOfRange.selector, 0, 45.9375e18));
        router.withdrawCollateralForSale(1, 0);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.AmountOutOfRange.selector, 0, type(uint128).max));
        router.reportPartialSale(1, 1, 0);
    }

    function test_settle_needsCashAndHappensOnce() public {
        _liquidate(loanId);
        vm.startPrank(seller);
        router.withdrawCollateralForSale(1, 45.9375e18);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.SaleNotReported.selector, 1));
        router.settleLiquidation(1, 0);
        vm.stopPrank();
        _sellAndSettle(1, 3_000e6);
        vm.prank(seller);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.AlreadySettled.selector, 1));
        router.settleLiquidation(1, 1);
        (uint256 received, uint256 settled, uint256 processed, uint256 routed) = router.totals();
        assertEq(received, settled);
        assertEq(processed, 45.9375e18);
        assertEq(routed, 3_000e6);
    }

    function test_writeOff_onlyAnEmptyRecordOfAClosedRealization() public {
        uint256 id = _liquidate(loanId);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.CollateralUnsold.selector, 1, 45.9375e18));
        router.writeOffLiquidation(1);
        vm.stopPrank();
        vm.prank(seller);
        router.withdrawCollateralForSale(1, 45.9375e18);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.MarketSettlementPending.selector, id));
        router.writeOffLiquidation(1);
        _give(seller, 1e6);
        vm.prank(seller);
        router.reportPartialSale(1, 1, 1e6);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.ProceedsCollected.selector, 1, 1e6));
        router.writeOffLiquidation(1);
    }

    function test_writeOff_closesAfterTheTimeout() public {
        uint256 id = _liquidate(loanId);
        vm.prank(seller);
        router.withdrawCollateralForSale(1, 45.9375e18);
        skipTime(8 days);
        vm.startPrank(admin);
        market.handleLiquidationTimeout(id);
        router.writeOffLiquidation(1);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.NothingToRecover.selector, 1));
        router.reopenLiquidation(1);
        vm.stopPrank();
        assertTrue(router.liquidation(1).settled);
    }

    function test_reopen_refusesOpenRecords() public {
        _liquidate(loanId);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.NotSettled.selector, 1));
        router.reopenLiquidation(1);
    }

    function test_saleBid_boundsAndParty() public {
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.NotSaleRecipient.selector, address(this)));
        router.setSaleBid(10_000, block.timestamp + 60);
        vm.startPrank(recipient);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.InvalidSaleBid.selector, 9_499, block.timestamp + 60));
        router.setSaleBid(9_499, block.timestamp + 60);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.InvalidSaleBid.selector, 9_800, block.timestamp));
        router.setSaleBid(9_800, block.timestamp);
        router.setSaleBid(9_800, block.timestamp + 60);
        (uint256 factor, uint256 until) = router.saleBid();
        assertEq(factor, 9_800);
        assertEq(until, block.timestamp + 60);
        router.setSaleBid(0, 0);
        vm.stopPrank();
    }

    function test_atomic_sellsInTheSameTransaction() public {
        vm.prank(admin);
        router.setAtomicMode(true);
        vm.prank(recipient);
        router.setSaleBid(9_800, block.timestamp + 1 days);
        _give(recipient, 10_000e6);
        uint256 id = _liquidate(loanId);
        // Sized at the bid price 78.4, so that the sale brings claim and penalty.
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        assertEq(market.realization(id).recovered, 3_500e6);
        assertEq(token.balanceOf(recipient), 46.875e18);
        assertEq(cash.balanceOf(recipient), 10_000e6 - 3_675e6);
        assertTrue(router.liquidation(1).settled);
        _assertSolvent();
    }

    /// @dev Sized at the price of 80, as any sale that comes later: 3,500 x 1.05 / 80.
    function _assertWaitsForASale(uint256 id) private view {
        assertTrue(market.realization(id).status == RealizationStatus.OPEN);
        assertEq(market.realization(id).claim, 3_500e6);
        assertEq(router.liquidation(1).collateralRemaining, 45.9375e18);
        assertEq(token.balanceOf(address(router)), 45.9375e18);
        assertEq(token.balanceOf(recipient), 0);
        _assertSolvent();
    }

    function test_atomic_withoutABidTheCollateralWaitsInTheRouter() public {
        vm.prank(admin);
        router.setAtomicMode(true);
        _assertWaitsForASale(_liquidate(loanId));
        _sellAndSettle(1, 3_675e6);
        assertTrue(market.realization(1).status == RealizationStatus.SETTLED);
    }

    function test_atomic_whenTheBuyerCannotPayTheCollateralWaitsInTheRouter() public {
        vm.prank(admin);
        router.setAtomicMode(true);
        // Twice the price would need only half of the collateral: a bid without money must not size the seizure.
        vm.prank(recipient);
        router.setSaleBid(20_000, block.timestamp + 1 days);
        _assertWaitsForASale(_liquidate(loanId));
    }

    function test_atomic_withoutAnAllowanceTheCollateralWaitsInTheRouter() public {
        vm.prank(admin);
        router.setAtomicMode(true);
        vm.startPrank(recipient);
        router.setSaleBid(9_800, block.timestamp + 1 days);
        cash.approve(address(router), 0);
        vm.stopPrank();
        _give(recipient, 10_000e6);
        _assertWaitsForASale(_liquidate(loanId));
    }

    function test_atomic_revertsWithTooLittleGasForTheSale() public {
        vm.prank(admin);
        router.setAtomicMode(true);
        vm.prank(recipient);
        router.setSaleBid(9_800, block.timestamp + 1 days);
        vm.prank(liquidator);
        vm.expectRevert(IMarketErrors.SaleNeedsMoreGas.selector);
        market.liquidate{gas: 2_000_000}(loanId, _noPrice());
    }

    function test_atomic_partIsTheMarketsOwn() public {
        vm.prank(liquidator);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotItself.selector, liquidator));
        market.liquidateAtomically(loanId, _noPrice(), 10_000);
    }

    function test_sellPending_sellsAnUntouchedRecord() public {
        uint256 id = _liquidate(loanId);
        vm.prank(recipient);
        router.setSaleBid(10_000, block.timestamp + 1 days);
        _give(recipient, 10_000e6);
        vm.prank(seller);
        assertEq(router.sellPending(1), 3_675e6);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        _assertSolvent();
    }

    function test_sellPending_refusesWhatIsPartlyOut() public {
        _liquidate(loanId);
        vm.prank(recipient);
        router.setSaleBid(10_000, block.timestamp + 1 days);
        vm.startPrank(seller);
        router.withdrawCollateralForSale(1, 1e18);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.CollateralAlreadyOut.selector, 1));
        router.sellPending(1);
    }

    function test_rotation_needsAnnouncementDelayAndQuiet() public {
        vm.startPrank(admin);
        vm.expectRevert(ILiquidationRouter.RotationNotAnnounced.selector);
        router.rotateSaleRecipient();
        router.announceSaleRecipient(stranger);
        uint256 activatesAt = block.timestamp + 1 hours;
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.RotationTooEarly.selector, activatesAt));
        router.rotateSaleRecipient();
        vm.stopPrank();
        _liquidate(loanId);
        vm.warp(activatesAt);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.NotQuiet.selector, 1));
        router.rotateSaleRecipient();
        _sellAndSettle(1, 3_675e6);
        vm.prank(admin);
        router.rotateSaleRecipient();
        assertEq(router.saleRecipient(), stranger);
    }

    function test_rescue_neverTakesCollateralOrCash() public {
        DemoCash foreign = new DemoCash("F", "F", 18, address(this));
        foreign.mint(address(router), 5);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.TokenNotForeign.selector, address(cash)));
        router.rescueForeignToken(address(cash), admin, 1);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.TokenNotForeign.selector, address(token)));
        router.rescueForeignToken(address(token), admin, 1);
        router.rescueForeignToken(address(foreign), admin, 5);
        vm.stopPrank();
        assertEq(foreign.balanceOf(admin), 5);
    }
}
