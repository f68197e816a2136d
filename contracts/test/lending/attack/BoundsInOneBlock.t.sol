// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {GreedyVenue} from "../../support/GreedyVenue.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice One lender holds every role of the market and acts in a single block: the bound per call is kept seven times,
/// until a healthy loan is below it, at the highest penalty, and is sold to the lender itself.
contract BoundsInOneBlockTest is LendingTest {
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(1_000e18, 20_000e6);
    }

    function _setTerms(uint16 thresholdBps, uint16 penaltyBps) private {
        MarketConfig memory config = market.config();
        config.liquidationThresholdBps = thresholdBps;
        if (config.collateralFactorBps >= thresholdBps) config.collateralFactorBps = thresholdBps - 100;
        config.liquidationPenaltyBps = penaltyBps;
        vm.prank(issuer);
        market.setConfig(config);
    }

    /// @dev 85 % down to 15 %, ten points at a time.
    function _lowerInSteps() private {
        for (uint16 threshold = 7_500; threshold >= 1_500; threshold -= 1_000) {
            _setTerms(threshold, 5_000);
        }
    }

    function test_attack_sevenSettingsDoNotMakeAHealthyLoanDue() public {
        _lowerInSteps();
        assertEq(market.config().liquidationThresholdBps, 1_500);
        vm.prank(liquidator);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanStillHealthy.selector, loanId, 4.25e18));
        market.liquidate(loanId, _noPrice());
        assertEq(market.healthFactor(loanId), 4.25e18);
        // The borrower may still take out what the loan's own threshold leaves.
        vm.prank(borrower);
        market.withdrawCollateral(loanId, 700e18, _noPrice());
    }

    function test_attack_aHigherPenaltyIsNotThePenaltyOfAnOpenLoan() public {
        _lowerInSteps();
        _setPrice(50e6);
        skipTime(1 hours);
        _setPrice(25e6);
        skipTime(1 hours);
        _setPrice(20e6);
        uint256 id = _liquidate(loanId);
        assertEq(market.realization(id).penaltyBps, 500);
    }

    function test_attack_aLoanOfTodayHasTheTermsOfToday() public {
        _setTerms(8_000, 900);
        uint256 later = _openLoan(100e18, 1_000e6);
        (uint256 threshold, uint256 penalty) = market.loanTerms(later);
        assertEq(threshold, 8_000);
        assertEq(penalty, 900);
        (threshold, penalty) = market.loanTerms(99);
        assertEq(threshold + penalty, 0);
    }

    function test_change_thatIsBetterForTheBorrowerCounts() public {
        _setTerms(9_000, 300);
        (uint256 threshold, uint256 penalty) = market.loanTerms(loanId);
        assertEq(threshold, 9_000);
        assertEq(penalty, 300);
        // And no longer when it is taken back: the loan is where it was, not below.
        _setTerms(8_000, 5_000);
        (threshold, penalty) = market.loanTerms(loanId);
        assertEq(threshold, 8_500);
        assertEq(penalty, 500);
    }

    function test_attack_aVenueThatKeepsEverything() public {
        GreedyVenue greedy = new GreedyVenue(address(market), address(token), address(cash), 1e18);
        assertFalse(factory.verifyVenue(address(market), address(greedy)));
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.AuctionModuleMismatch.selector, address(greedy)));
        market.setAuctionModule(address(greedy));
    }

    function test_attack_aRealVenueWithAnotherScale() public {
        DutchAuctionVenue cheap = new DutchAuctionVenue(address(market), address(token), address(cash), 1e36);
        assertFalse(factory.verifyVenue(address(market), address(cheap)));
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.AuctionModuleMismatch.selector, address(cheap)));
        market.setAuctionModule(address(cheap));
    }

    function test_attack_aRealVenueOfAnotherMarketOrToken() public {
        LendingMarket other = LendingMarket(_deployMarket());
        DutchAuctionVenue foreign = new DutchAuctionVenue(address(other), address(token), address(cash), 1e18);
        DutchAuctionVenue swapped = new DutchAuctionVenue(address(market), address(cash), address(token), 1e18);
        assertTrue(factory.verifyVenue(address(other), address(foreign)));
        assertFalse(factory.verifyVenue(address(market), address(foreign)));
        assertFalse(factory.verifyVenue(address(market), address(swapped)));
        assertFalse(factory.verifyVenue(stranger, address(foreign)));
        assertFalse(factory.verifyVenue(address(market), stranger));
    }

    function test_venue_ofAnyWalletIsTakenWhenItIsTheRealOne() public {
        vm.prank(stranger);
        DutchAuctionVenue real = new DutchAuctionVenue(address(market), address(token), address(cash), 1e18);
        assertTrue(factory.verifyVenue(address(market), address(real)));
        vm.prank(admin);
        market.setAuctionModule(address(real));
        // The twin is there now: asking again creates nothing.
        assertTrue(factory.verifyVenue(address(market), address(real)));
        assertEq(market.auctionModule(), address(real));
    }
}
