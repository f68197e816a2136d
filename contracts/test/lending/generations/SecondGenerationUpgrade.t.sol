// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {LendingFactory} from "../../../src/lending/LendingFactory.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LiquidationRouter} from "../../../src/lending/LiquidationRouter.sol";
import {ISplitFollower} from "../../../src/lending/base/interfaces/ISplitFollower.sol";
import {SatelliteDeployer} from "../../../src/lending/deploy/SatelliteDeployer.sol";
import {ILendingFactory} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LoanStatus, MarketConfig, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {SecondGenerationWorld} from "./SecondGenerationWorld.sol";

/// @notice A running market of version 2 moves onto version 3: a live loan, one with a term, one in an auction, a closed one.
contract SecondGenerationUpgradeTest is SecondGenerationWorld {
    uint256 private live;
    uint256 private termed;
    uint256 private auctioned;
    uint256 private closed;
    uint256 private record;

    function setUp() public override {
        super.setUp();
        _wireVenue();
        live = _openLoan(1_000e18, 20_000e6);
        closed = _openLoan(10e18, 500e6);
        _repay(closed, type(uint256).max);
        vm.prank(issuer);
        market.setTermConfig(30 days, 20 days, 0, 300);
        termed = _openLoan(200e18, 10_000e6);
        auctioned = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        record = _liquidate(auctioned);
        skipTime(600);
    }

    function _upgrade() private {
        factory.upgradeToAndCall(address(new LendingFactory()), "");
        address next = address(new LendingMarket(address(factory), platform));
        address nextRouter = address(new LiquidationRouter(address(factory)));
        factory.setImplementation("market", next);
        factory.setImplementation("router", nextRouter);
        vm.startPrank(admin);
        market.upgradeToAndCall(next, "");
        router.upgradeToAndCall(nextRouter, "");
        vm.stopPrank();
    }

    function _setTerms(uint16 thresholdBps, uint16 penaltyBps) private {
        MarketConfig memory config = market.config();
        config.liquidationThresholdBps = thresholdBps;
        if (config.collateralFactorBps >= thresholdBps) config.collateralFactorBps = thresholdBps - 100;
        config.liquidationPenaltyBps = penaltyBps;
        vm.prank(issuer);
        market.setConfig(config);
    }

    function _assertTerms(uint256 loanId, uint256 thresholdBps, uint256 penaltyBps) private view {
        (uint256 threshold, uint256 penalty) = market.loanTerms(loanId);
        assertEq(threshold, thresholdBps);
        assertEq(penalty, penaltyBps);
    }

    function test_before_isTheReleasedVersionWithItsWeakness() public {
        assertEq(market.version() + router.version() + factory.version(), 6);
        for (uint16 threshold = 7_500; threshold >= 1_500; threshold -= 1_000) {
            _setTerms(threshold, 5_000);
        }
        _liquidate(live);
        assertEq(market.realization(2).penaltyBps, 5_000);
    }

    function test_upgrade_leavesEveryFigureAsItWas() public {
        PoolView memory pool = market.pool();
        LoanView[4] memory before =
            [market.loan(live), market.loan(termed), market.loan(auctioned), market.loan(closed)];
        uint256 health = market.healthFactor(live);
        _upgrade();
        assertEq(market.version() + router.version() + factory.version(), 9);
        assertEq(keccak256(abi.encode(market.pool())), keccak256(abi.encode(pool)));
        LoanView[4] memory afterwards =
            [market.loan(live), market.loan(termed), market.loan(auctioned), market.loan(closed)];
        assertEq(keccak256(abi.encode(afterwards)), keccak256(abi.encode(before)));
        assertEq(market.healthFactor(live), health);
        _assertTerms(live, 8_500, 500);
        _assertSolvent();
    }

    function test_afterwards_anOpenLoanKeepsWhatWasInForceAtTheUpgrade() public {
        _setTerms(8_200, 700);
        _upgrade();
        _setTerms(8_000, 5_000);
        _setTerms(7_000, 5_000);
        _assertTerms(live, 8_200, 700);
        // Acted on or not.
        _repay(live, 100e6);
        _assertTerms(live, 8_200, 700);
        _setTerms(8_000, 600);
        _assertTerms(live, 8_200, 600);
        _assertTerms(termed, 8_200, 600);
    }

    function test_afterwards_loansArePaidAndClosed() public {
        _upgrade();
        _give(borrower, 10_000e6);
        uint256 debt = _debt(live);
        _repay(live, 1_000e6);
        assertEq(_debt(live), debt - 1_000e6);
        uint256 held = token.balanceOf(borrower);
        _repay(live, type(uint256).max);
        assertEq(token.balanceOf(borrower), held + 1_000e18);
        assertTrue(market.loan(live).status == LoanStatus.CLOSED);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotActive.selector, closed));
        market.repay(closed, 1);
        assertEq(market.pool().activeLoans, 2);
        _assertSolvent();
    }

    function test_afterwards_feesOfBothVersionsAreSweptTogether() public {
        _give(borrower, 10_000e6);
        skipTime(30 days);
        _setPrice(100e6);
        _repay(live, 1_000e6);
        PoolView memory before = market.pool();
        assertGt(before.infrastructureFees, 0);
        uint256 payable_ = market.distributorFeesPayable(lender);
        assertGt(payable_, 0);
        _upgrade();
        assertEq(market.distributorFeesPayable(lender), payable_);
        skipTime(30 days);
        _repay(live, 1_000e6);
        PoolView memory later = market.pool();
        assertGt(later.infrastructureFees, before.infrastructureFees);
        assertEq(market.sweepInfrastructureFees(), later.infrastructureFees);
        assertEq(market.sweepOperatorFees(), later.operatorFees);
        uint256 owed = market.distributorFeesPayable(lender);
        assertGt(owed, payable_);
        assertEq(market.sweepDistributorFees(lender), owed);
        assertEq(market.pool().distributorFees, later.distributorFees - owed);
        _assertSolvent();
    }

    function test_afterwards_aDrawKeepsTheStampsOfTheOpening() public {
        _upgrade();
        _setTerms(8_000, 600);
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 0);
        LoanView memory before = market.loan(termed);
        _setPrice(100e6);
        vm.prank(borrower);
        market.borrowMore(termed, 100e6, _noPrice());
        LoanView memory later = market.loan(termed);
        assertEq(later.gracePeriod, before.gracePeriod);
        assertEq(later.termPenaltyBps, before.termPenaltyBps);
        assertEq(later.dueAt, before.dueAt);
        _assertTerms(termed, 8_000, 600);
    }

    function test_factory_takesNoAdaptersThatItsMarketsDoNotKnow() public {
        factory.upgradeToAndCall(address(new LendingFactory()), "");
        address satellites = address(new SatelliteDeployer());
        address served = suite.market;
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NotVersioned.selector, served));
        factory.setSatelliteDeployer(satellites);
    }

    function test_afterwards_aTermedLoanIsExtendedAndRealizedByItsStamps() public {
        _upgrade();
        uint256 dueAt = market.loan(termed).dueAt;
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 0);
        vm.warp(dueAt + 19 days);
        _setPrice(80e6);
        vm.prank(liquidator);
        vm.expectPartialRevert(IMarketErrors.LoanStillHealthy.selector);
        market.liquidate(termed, _noPrice());
        vm.warp(dueAt + 20 days + 1);
        _setPrice(80e6);
        uint256 id = _liquidate(termed);
        assertEq(market.realization(id).penaltyBps, 300);
        assertTrue(market.realization(id).isTerm);
    }

    function test_afterwards_theOpenAuctionEndsAsItWouldHave() public {
        _upgrade();
        vm.prank(buyer);
        venue.bidOnAuction(1, type(uint256).max, type(uint256).max);
        assertTrue(market.realization(record).status == RealizationStatus.SETTLED);
        assertTrue(market.loan(auctioned).status == LoanStatus.ACTIVE);
        _assertSolvent();
    }

    function test_afterwards_theWiredVenueStaysAndServes() public {
        _upgrade();
        vm.prank(admin);
        router.authorizeLendingMarket(address(venue), false);
        skipTime(1 hours);
        venue.settleExpiredAuction(1);
        assertTrue(market.loan(auctioned).status == LoanStatus.ACTIVE);
        _sellAndSettle(1, 2_000e6);
        assertEq(market.auctionModule(), address(venue));
        _setPrice(40e6);
        skipTime(1 hours);
        _setPrice(20e6);
        _liquidate(live);
        assertEq(venue.openAuctions(), 1);
        _assertSolvent();
    }

    function test_afterwards_onlyAVenueOfNowIsTakenAnew() public {
        _upgrade();
        skipTime(1 hours);
        venue.settleExpiredAuction(1);
        DutchAuctionVenue old = _makeVenue();
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.AuctionModuleMismatch.selector, address(old)));
        market.setAuctionModule(address(old));
        market.setAuctionModule(address(new DutchAuctionVenue(address(market), address(token), address(cash), 1e18)));
        vm.stopPrank();
    }

    function test_afterwards_marketsGetTheAdaptersOfNow() public {
        _upgrade();
        address satellites = address(new SatelliteDeployer());
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(LendingFactory.OwnableUnauthorizedAccount.selector, stranger));
        factory.setSatelliteDeployer(satellites);
        vm.expectPartialRevert(ILendingFactory.NotVersioned.selector);
        factory.setSatelliteDeployer(stranger);
        (bool isOld,) = adapter.staticcall(abi.encodeWithSignature("followsSplits()"));
        assertFalse(isOld);
        factory.setSatelliteDeployer(satellites);
        LendingMarket next = LendingMarket(_deployMarket());
        assertFalse(ISplitFollower(next.parts().adapter).followsSplits());
    }

    function test_market_underAFactoryOfVersion2TakesNoNewVenue() public {
        address next = address(new LendingMarket(address(factory), platform));
        factory.setImplementation("market", next);
        vm.prank(admin);
        market.upgradeToAndCall(next, "");
        skipTime(1 hours);
        venue.settleExpiredAuction(1);
        address made = address(new DutchAuctionVenue(address(market), address(token), address(cash), 1e18));
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.AuctionModuleMismatch.selector, made));
        market.setAuctionModule(made);
    }
}
