// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract ConfigTest is LendingTest {
    function test_roles_everySettingNamesItsOwn() public {
        MarketConfig memory c = market.config();
        vm.startPrank(stranger);
        _expectNotAuthorized(stranger, ISSUER_ROLE);
        market.setConfig(c);
        _expectNotAuthorized(stranger, ISSUER_ROLE);
        market.setTermConfig(0, 1 days, 0, 0);
        _expectNotAuthorized(stranger, ISSUER_ROLE);
        market.setReserveRatio(0);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.setAllowExtension(false);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.setIdentityGates(address(0), address(0));
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.setAuctionModule(stranger);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.setInsuranceFund(stranger);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.setVaultLiquidity(true);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.registerVault(stranger);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.deregisterVault(stranger);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.pause();
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.unpause();
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.grantRole(ISSUER_ROLE, stranger);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        market.revokeRole(ISSUER_ROLE, issuer);
        vm.stopPrank();
    }

    function test_roles_grantRevokeRenounce() public {
        vm.startPrank(admin);
        market.grantRole(LIQUIDATOR_ROLE, stranger);
        market.grantRole(LIQUIDATOR_ROLE, stranger);
        assertTrue(market.hasRole(LIQUIDATOR_ROLE, stranger));
        market.revokeRole(LIQUIDATOR_ROLE, stranger);
        market.revokeRole(LIQUIDATOR_ROLE, stranger);
        vm.stopPrank();
        assertFalse(market.hasRole(LIQUIDATOR_ROLE, stranger));
        vm.prank(issuer);
        market.renounceRole(ISSUER_ROLE);
        assertFalse(market.hasRole(ISSUER_ROLE, issuer));
    }

    function test_setConfig_bounds() public {
        MarketConfig memory c = market.config();
        c.collateralFactorBps = 9_001;
        _expect(c, "collateralFactor");
        c = market.config();
        c.collateralFactorBps = 999;
        _expect(c, "collateralFactor");
        c = market.config();
        c.liquidationThresholdBps = c.collateralFactorBps;
        _expect(c, "liquidationThreshold");
        c.liquidationThresholdBps = 9_501;
        _expect(c, "liquidationThreshold");
        c = market.config();
        c.liquidationPenaltyBps = 5_001;
        _expect(c, "liquidationPenalty");
        c = market.config();
        c.protocolFeeBps = 10_001;
        _expect(c, "protocolFeeRate");
        c = market.config();
        c.closeFactorBps = 999;
        _expect(c, "closeFactor");
        c.closeFactorBps = 5_001;
        _expect(c, "closeFactor");
        c = market.config();
        c.auctionDuration = 599;
        _expect(c, "auctionDuration");
        c = market.config();
        c.auctionStartBps = 20_001;
        _expect(c, "auctionStartPremium");
        c = market.config();
        c.auctionMinBps = 7_999;
        _expect(c, "auctionMinPremium");
        c = market.config();
        c.useDutchAuction = true;
        vm.prank(issuer);
        vm.expectRevert(IMarketErrors.AuctionModuleNotSet.selector);
        market.setConfig(c);
        c = market.config();
        (c.liquidationThresholdBps, c.collateralFactorBps) = (7_499, 5_000);
        vm.prank(issuer);
        vm.expectRevert(
            abi.encodeWithSelector(IMarketErrors.ConfigChangeTooLarge.selector, bytes32("liquidationThreshold"))
        );
        market.setConfig(c);
        c.liquidationThresholdBps = 7_500;
        vm.prank(issuer);
        market.setConfig(c);
        assertEq(market.config().liquidationThresholdBps, 7_500);
    }

    function test_setTermConfig_bounds() public {
        vm.startPrank(issuer);
        _expectTerm("maxLoanDuration");
        market.setTermConfig(1 days - 1, 3 days, 0, 0);
        _expectTerm("maxLoanDuration");
        market.setTermConfig(3650 days + 1, 3 days, 0, 0);
        _expectTerm("terminalDueDate");
        market.setTermConfig(0, 3 days, block.timestamp, 0);
        _expectTerm("termGracePeriod");
        market.setTermConfig(30 days, 1 days - 1, 0, 0);
        _expectTerm("termGracePeriod");
        market.setTermConfig(30 days, 30 days + 1, 0, 0);
        _expectTerm("termPenalty");
        market.setTermConfig(30 days, 3 days, 0, 501);
        _expectTerm("termPenalty");
        market.setTermConfig(0, 3 days, 0, 1);
        market.setTermConfig(30 days, 3 days, 0, 500);
        MarketConfig memory c = market.config();
        c.liquidationPenaltyBps = 499;
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidConfig.selector, bytes32("liquidationPenalty")));
        market.setConfig(c);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidConfig.selector, bytes32("reserveRatio")));
        market.setReserveRatio(5_001);
        vm.stopPrank();
    }

    function test_setTermConfig_leavesOpenLoansAlone() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 3 days, 0, 100);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        uint256 due = market.loan(loanId).dueAt;
        vm.prank(issuer);
        market.setTermConfig(10 days, 1 days, 0, 500);
        assertEq(market.loan(loanId).dueAt, due);
        assertEq(market.loan(loanId).gracePeriod, 3 days);
        assertEq(market.loan(loanId).termPenaltyBps, 100);
    }

    function test_pause_isIdempotent() public {
        vm.startPrank(admin);
        market.pause();
        market.pause();
        assertTrue(market.isPaused());
        market.unpause();
        market.unpause();
        assertFalse(market.isPaused());
        vm.stopPrank();
    }

    function test_pokeSnapshot_seedsTheSeries() public {
        vm.expectEmit(address(market));
        emit IMarketEvents.Snapshot(POOL, 0, POOL, POOL, 0, 1_000_000e18, 0, PRICE, 200e14);
        vm.prank(stranger);
        market.pokeSnapshot();
        assertTrue(market.isInstrumented() && market.stampsLoanTerms() && market.holdsVenueProceeds());
        assertEq(market.platformWallet(), platform);
    }

    function _expect(MarketConfig memory c, bytes32 field) private {
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidConfig.selector, field));
        market.setConfig(c);
    }

    function _expectTerm(bytes32 field) private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidTermConfig.selector, field));
    }
}
