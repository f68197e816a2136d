// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITwoStepOwned} from "../../../src/lending/base/interfaces/ITwoStepOwned.sol";
import {IInterestRateModel, RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract RateModelTest is LendingTest {
    function test_setRateMode_onlyTheOwnerAndOnlyWholeOffers() public {
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this)));
        model.setRateMode(RateMode.CURVE, 0, 0, 0);
        vm.startPrank(issuer);
        vm.expectRevert(IInterestRateModel.InvalidRateOffer.selector);
        model.setRateMode(RateMode.CURVE, 1, 0, 0);
        vm.expectRevert(IInterestRateModel.InvalidRateOffer.selector);
        model.setRateMode(RateMode.CLAMPED, 500, 400, 0);
        vm.expectRevert(IInterestRateModel.InvalidRateOffer.selector);
        model.setRateMode(RateMode.CLAMPED, 0, 50_001, 0);
        vm.expectRevert(IInterestRateModel.InvalidRateOffer.selector);
        model.setRateMode(RateMode.FIXED, 0, 0, 0);
        vm.expectRevert(IInterestRateModel.FixedRateRequiresTerms.selector);
        model.setRateMode(RateMode.FIXED, 0, 0, 500);
    }

    function test_setRateMode_settlesTheOldRateFirst() public {
        uint256 loanId = _openLoan(10_000e18, 250_000e6);
        assertEq(market.pool().borrowRateWad, 450e14);
        skipTime(365 days);
        uint256 before = market.loan(loanId).interest;
        vm.prank(issuer);
        model.setRateMode(RateMode.CLAMPED, 1_000, 2_000, 0);
        assertEq(market.loan(loanId).interest, before);
        assertEq(market.pool().borrowRateWad, 1_000e14);
        skipTime(365 days);
        assertEq(market.loan(loanId).interest, before + 25_000e6);
    }

    function test_clamp_holdsBothEnds() public {
        vm.prank(issuer);
        model.setRateMode(RateMode.CLAMPED, 300, 600, 0);
        (uint256 low,) = model.quote(0, 100);
        (uint256 high,) = model.quote(100, 100);
        assertEq(low, 300e14);
        assertEq(high, 600e14);
    }

    function test_fixed_leavesVariableLoansOnTheRawCurve() public {
        vm.startPrank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 0);
        model.setRateMode(RateMode.FIXED, 0, 0, 5_000);
        (uint256 rate, uint256 stamp) = model.quote(25, 100);
        assertEq(rate, 450e14);
        assertEq(stamp, 5_000);
        vm.expectRevert(IMarketErrors.TermsRequiredByFixedRate.selector);
        market.setTermConfig(0, 1 days, 0, 0);
        vm.stopPrank();
    }

    function test_maxFixedRate_onlyFallsAndStaysAboveTheStamp() public {
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this)));
        model.setMaxFixedRate(1);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this)));
        model.adoptMaxFixedRate(1);
        vm.startPrank(issuer);
        vm.expectRevert(IInterestRateModel.InvalidRateOffer.selector);
        model.setMaxFixedRate(0);
        model.setMaxFixedRate(900);
        vm.expectRevert(abi.encodeWithSelector(IInterestRateModel.MaxFixedRateOnlyDecreases.selector, 900));
        model.setMaxFixedRate(900);
        market.setTermConfig(30 days, 1 days, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IInterestRateModel.RateAboveMaxFixed.selector, 901, 900));
        model.setRateMode(RateMode.FIXED, 0, 0, 901);
        model.setRateMode(RateMode.FIXED, 0, 0, 800);
        vm.expectRevert(abi.encodeWithSelector(IInterestRateModel.MaxFixedRateBelowStamp.selector, 800));
        model.setMaxFixedRate(799);
        vm.stopPrank();
        assertEq(model.maxFixedRateBps(), 900);
        assertTrue(model.hasFixedRateCeiling());
    }

    function test_getSupplyRate_publishedFigure() public view {
        // 450 bps x 25 % x 0.7395, the operator's and the distributors' 13 % being the fee.
        assertEq(model.getSupplyRate(450e14, 0.25e18, 0.13e18), 83.19375e14);
    }

    function testFuzz_marketAndModelAgree(uint256 lent) public {
        lent = bound(lent, 100e6, 750_000e6);
        _openLoan(10_000e18, lent);
        (uint256 rate,) = model.quote(lent, POOL);
        assertEq(market.pool().borrowRateWad, rate);
    }
}
