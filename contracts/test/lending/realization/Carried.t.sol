// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {MarketConfig, Realization} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice An open claim counts for what a sale at the floor really brings the pool, fees on its interest taken off.
contract CarriedTest is LendingTest {
    function setUp() public override {
        super.setUp();
        vm.prank(issuer);
        model.setRateMode(RateMode.CLAMPED, 50_000, 50_000, 0);
    }

    function test_carried_whatAFloorSaleBrings() public {
        _configure(0, 8_000, 0);
        uint256 loanId = _openLoan(13.5e18, 1_000e6);
        skipTime(1_261_440);
        _setPrice(100e6);
        Realization memory r = market.realization(_liquidate(loanId));
        // 600 = 400 principal + 200 interest; at the floor 480: 80 of it are interest, 59.16 of those the providers'.
        assertEq(r.claim, 600e6);
        assertEq(r.floorValue, 480e6);
        assertEq(r.carried, 459.16e6);
        uint256 before = market.pool().totalAssets;
        _sellAndSettle(1, 480e6);
        assertEq(market.pool().totalAssets, before);
    }

    function test_carried_theFloorValueWhenItIsBelowThePrincipal() public {
        _configure(0, 8_000, 0);
        uint256 loanId = _openLoan(13.5e18, 1_000e6);
        vm.prank(issuer);
        model.setRateMode(RateMode.CLAMPED, 0, 1, 0);
        skipTime(1 hours);
        _setPrice(80e6);
        Realization memory r = market.realization(_liquidate(loanId));
        assertEq(r.carried, r.floorValue);
    }

    function testFuzz_carried_aFloorSaleNeverCostsTheShares(uint256 wait, uint256 floor, uint256 penalty, uint256 rate)
        public
    {
        _configure(bound(penalty, 0, 5_000), bound(floor, 8_000, 10_000), bound(rate, 0, 10_000));
        uint256 loanId = _openLoan(13.5e18, 1_000e6);
        skipTime(bound(wait, 20 days, 60 days));
        _setPrice(90e6);
        _liquidate(loanId);
        uint256 value = market.toAssets(1e30);
        _sellAndSettle(1, market.realization(1).floorValue);
        assertGe(market.toAssets(1e30), value);
        _assertSolvent();
    }

    function _configure(uint256 penaltyBps, uint256 floorBps, uint256 insuranceBps) private {
        MarketConfig memory config = market.config();
        config.liquidationPenaltyBps = uint16(penaltyBps);
        config.auctionMinBps = uint16(floorBps);
        config.protocolFeeBps = uint16(insuranceBps);
        vm.prank(issuer);
        market.setConfig(config);
    }
}
