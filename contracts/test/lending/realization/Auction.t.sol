// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {IDutchAuctionVenue} from "../../../src/lending/interfaces/IDutchAuctionVenue.sol";
import {ILiquidationRouter} from "../../../src/lending/interfaces/ILiquidationRouter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {ISecurityPriceOracle} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {LoanStatus, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract AuctionTest is LendingTest {
    uint256 private loanId;
    uint256 private id;

    /// 7,000 lent against 100 units; at 80 half of both goes to auction, from 104 down to 76.
    function setUp() public override {
        super.setUp();
        _wireVenue();
        loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        id = _liquidate(loanId);
    }

    function test_start_locksTheLoanButNotItsRepayment() public {
        assertEq(token.balanceOf(address(venue)), 50e18);
        assertEq(venue.auctionOfLoan(loanId), 1);
        assertEq(venue.currentPrice(1), 104e6);
        assertTrue(market.loan(loanId).status == LoanStatus.IN_AUCTION);
        bytes memory locked = abi.encodeWithSelector(IMarketErrors.LoanInAuction.selector, loanId);
        vm.startPrank(borrower);
        vm.expectRevert(locked);
        market.borrowMore(loanId, 1, _noPrice());
        vm.expectRevert(locked);
        market.addCollateral(loanId, 1);
        vm.expectRevert(locked);
        market.withdrawCollateral(loanId, 1, _noPrice());
        market.repay(loanId, 100e6);
        vm.stopPrank();
        vm.expectRevert(locked);
        _liquidate(loanId);
    }

    function test_start_onlyTheMarket() public {
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.NotMarket.selector, address(this)));
        venue.startAuction(1, 1, borrower, 1, 1, 1);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.NotMarket.selector, address(this)));
        venue.marketPaused(true);
        vm.prank(address(market));
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.CollateralNotReceived.selector, 1, 0));
        venue.startAuction(9, 9, borrower, 1, 1, 1);
    }

    function test_bid_refusals() public {
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.AuctionNotFound.selector, 9));
        venue.bidOnAuction(9, 1, 1);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.BidderIsBorrower.selector, borrower));
        venue.bidOnAuction(1, 1, 1);
        vm.startPrank(buyer);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.InvalidAmount.selector, 0));
        venue.bidOnAuction(1, 0, 1);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.CostAboveMaximum.selector, 104e6, 103e6));
        venue.bidOnAuction(1, 1e18, 103e6);
        vm.stopPrank();
        vm.prank(admin);
        market.pause();
        vm.prank(buyer);
        vm.expectRevert(IDutchAuctionVenue.MarketIsPaused.selector);
        venue.bidOnAuction(1, 1e18, type(uint256).max);
        vm.prank(admin);
        market.unpause();
        skipTime(3_600);
        vm.prank(buyer);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.AuctionHasExpired.selector, 1));
        venue.bidOnAuction(1, 1e18, type(uint256).max);
    }

    function test_bid_needsAFreshPrice() public {
        vm.prank(oracleOwner);
        oracle.setMaxPriceAge(60);
        skipTime(61);
        vm.prank(buyer);
        vm.expectPartialRevert(ISecurityPriceOracle.PriceStale.selector);
        venue.bidOnAuction(1, 1e18, type(uint256).max);
    }

    function test_bid_partialFillsAreHeldAndTheLastSettles() public {
        skipTime(1_800);
        vm.startPrank(buyer);
        (uint256 bought, uint256 paid) = venue.bidOnAuction(1, 20e18, type(uint256).max);
        assertEq(paid, 1_800e6);
        assertEq(market.realization(id).held, 1_800e6);
        assertEq(market.pool().heldProceeds, 1_800e6);
        (bought, paid) = venue.bidOnAuction(1, 100e18, type(uint256).max);
        vm.stopPrank();
        assertEq(bought, 30e18);
        assertEq(paid, 2_700e6);
        assertEq(token.balanceOf(buyer), 50e18);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        assertTrue(market.loan(loanId).status == LoanStatus.ACTIVE);
        // 4,500 = 3,500 claim + 175 penalty + 825 off the loan.
        assertApproxEqAbs(_debt(loanId), 3_500e6 - 825e6, 5_000);
        assertEq(venue.openAuctions(), 0);
        assertEq(market.pool().openAuctions, 0);
        vm.prank(buyer);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.AuctionNotActive.selector, 1));
        venue.bidOnAuction(1, 1, 1);
        _assertSolvent();
    }

    function test_expiry_sendsTheRestToTheRouterAndKeepsTheCash() public {
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.AuctionNotExpired.selector, venue.endTime(1)));
        venue.settleExpiredAuction(1);
        skipTime(1_800);
        vm.prank(buyer);
        venue.bidOnAuction(1, 20e18, type(uint256).max);
        skipTime(1_800);
        venue.settleExpiredAuction(1);
        assertEq(token.balanceOf(address(router)), 30e18);
        assertTrue(market.loan(loanId).status == LoanStatus.ACTIVE);
        assertTrue(market.realization(id).status == RealizationStatus.OPEN);
        _sellAndSettle(1, 2_000e6);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        assertEq(market.realization(id).recovered, 3_500e6);
        assertEq(market.pool().heldProceeds, 0);
        _assertSolvent();
    }

    function test_reopen_sellsWhatTheAuctionLeftAfterItsCashWasSettled() public {
        skipTime(1_800);
        vm.prank(buyer);
        venue.bidOnAuction(1, 20e18, type(uint256).max);
        skipTime(1_800);
        venue.settleExpiredAuction(1);
        _give(seller, 1);
        vm.prank(seller);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.CollateralUnsold.selector, 1, 30e18));
        router.settleLiquidation(1, 1);
        // The auction's cash need not wait for the rest: the record closes and keeps its collateral.
        vm.prank(seller);
        router.settleLiquidation(1, 0);
        assertEq(market.realization(id).recovered, 1_800e6);
        assertEq(token.balanceOf(address(router)), 30e18);
        vm.prank(seller);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.AlreadySettled.selector, 1));
        router.withdrawCollateralForSale(1, 30e18);

        _expectNotAuthorized(seller, ADMIN_ROLE);
        vm.prank(seller);
        router.reopenLiquidation(1);
        vm.expectEmit(address(router));
        emit ILiquidationRouter.LiquidationReopened(1, 30e18);
        vm.prank(admin);
        router.reopenLiquidation(1);
        (uint256 received, uint256 settled, uint256 processed,) = router.totals();
        assertEq(received - settled, 1);
        assertEq(processed, 0);
        _sellAndSettle(1, 1_700e6);
        assertEq(market.realization(id).recovered, 3_500e6);
        (received, settled, processed,) = router.totals();
        assertEq(received, settled);
        assertEq(processed, 30e18);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(ILiquidationRouter.ProceedsCollected.selector, 1, 1_700e6));
        router.reopenLiquidation(1);
        _assertSolvent();
    }

    function test_expiry_heldCashAloneSettlesWhenTheRestIsUnsaleable() public {
        skipTime(1_800);
        vm.prank(buyer);
        venue.bidOnAuction(1, 20e18, type(uint256).max);
        skipTime(1_800);
        venue.settleExpiredAuction(1);
        _sellAndSettle(1, 0);
        assertEq(market.realization(id).recovered, 1_800e6);
        _assertSolvent();
    }

    function test_expiry_whilePausedOnlyLiquidators() public {
        skipTime(3_600);
        vm.prank(admin);
        market.pause();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.NotLiquidator.selector, stranger));
        venue.settleExpiredAuction(1);
        vm.prank(liquidator);
        venue.settleExpiredAuction(1);
    }

    function test_expiry_needsNoAuthorizationOfTheMarketsOwnVenue() public {
        vm.prank(admin);
        router.authorizeLendingMarket(address(venue), false);
        skipTime(3_600);
        venue.settleExpiredAuction(1);
        assertTrue(market.loan(1).status == LoanStatus.ACTIVE);
        assertEq(router.liquidation(1).collateralRemaining, 50e18);
    }

    function test_expiry_freesTheLoanThoughTheRouterRefuses() public {
        // A router of an earlier version without leave for the venue refuses it.
        bytes memory code = address(router).code;
        vm.etch(address(router), hex"5f5ffd");
        skipTime(3_600);
        vm.expectEmit(address(venue));
        emit IDutchAuctionVenue.UnsoldCollateralKept(1, 50e18);
        venue.settleExpiredAuction(1);
        assertTrue(market.loan(1).status == LoanStatus.ACTIVE);
        assertEq(market.pool().openAuctions, 0);
        assertEq(token.balanceOf(address(venue)), 50e18);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.AuctionNotActive.selector, 1));
        venue.settleExpiredAuction(1);
        vm.expectRevert();
        venue.deliverUnsold(1);

        vm.etch(address(router), code);
        venue.deliverUnsold(1);
        assertEq(router.liquidation(1).collateralRemaining, 50e18);
        assertEq(token.balanceOf(address(venue)), 0);
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.NothingUnsold.selector, 1));
        venue.deliverUnsold(1);
    }

    function test_handOver_isTheVenuesOwn() public {
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.NotItself.selector, address(this)));
        venue.handOver(1);
    }

    function test_deliverUnsold_notWhileTheAuctionRuns() public {
        vm.expectRevert(abi.encodeWithSelector(IDutchAuctionVenue.NothingUnsold.selector, 1));
        venue.deliverUnsold(1);
    }

    function test_clock_standsStillWhileTheMarketIsPaused() public {
        skipTime(900);
        uint256 price = venue.currentPrice(1);
        vm.prank(admin);
        market.pause();
        skipTime(10 hours);
        assertEq(venue.currentPrice(1), price);
        vm.prank(admin);
        market.unpause();
        assertEq(venue.currentPrice(1), price);
        assertEq(venue.endTime(1), block.timestamp + 2_700);
    }

    function test_venue_isReplacedOnlyWhenQuietAndMatching() public {
        DutchAuctionVenue other = new DutchAuctionVenue(address(market), address(token), address(cash), 1e18);
        DutchAuctionVenue foreign = new DutchAuctionVenue(address(this), address(token), address(cash), 1e18);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.AuctionsOpen.selector, 1));
        market.setAuctionModule(address(other));
        vm.stopPrank();
        skipTime(3_600);
        venue.settleExpiredAuction(1);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.AuctionModuleMismatch.selector, address(foreign)));
        market.setAuctionModule(address(foreign));
        market.setAuctionModule(address(other));
        vm.stopPrank();
        assertEq(market.auctionModule(), address(other));
    }

    function test_fill_onlyTheVenueCredits() public {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotVenue.selector, address(this)));
        market.creditAuctionFill(id, 1, false);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotVenue.selector, address(this)));
        market.auctionExpired(id);
    }

    function test_timeout_takesHeldCashAsLate() public {
        skipTime(1_800);
        vm.prank(buyer);
        venue.bidOnAuction(1, 20e18, type(uint256).max);
        skipTime(8 days);
        vm.prank(admin);
        market.handleLiquidationTimeout(id);
        assertEq(market.pool().heldProceeds, 0);
        assertEq(market.realization(id).recovered, 1_800e6);
        _setPrice(80e6);
        venue.settleExpiredAuction(1);
        _sellAndSettle(1, 100e6);
        assertEq(market.realization(id).recovered, 1_900e6);
        _assertSolvent();
    }

    function testFuzz_bids_conserveCollateralAndCash(uint256 first, uint256 wait, uint256 second) public {
        first = bound(first, 1, 50e18);
        second = bound(second, 1, 50e18);
        skipTime(bound(wait, 0, 3_000));
        vm.startPrank(buyer);
        (uint256 boughtA, uint256 paidA) = venue.bidOnAuction(1, first, type(uint256).max);
        uint256 boughtB;
        uint256 paidB;
        if (boughtA < 50e18) (boughtB, paidB) = venue.bidOnAuction(1, second, type(uint256).max);
        vm.stopPrank();
        assertEq(token.balanceOf(buyer), boughtA + boughtB);
        assertEq(token.balanceOf(address(venue)), 50e18 - boughtA - boughtB);
        assertEq(cash.balanceOf(buyer), POOL - paidA - paidB);
        assertEq(cash.balanceOf(address(venue)), 0);
        _assertSolvent();
    }
}
