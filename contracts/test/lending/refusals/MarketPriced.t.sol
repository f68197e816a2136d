// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {DeployParams, PriceSource} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A market priced by an exchange: no auctions, and a register of borrowers for ever.
contract MarketPricedTest is LendingTest {
    DemoIdentityRegistry private register;

    function _prepareSuite() internal override {
        register = new DemoIdentityRegistry(address(this));
        register.addAgent(address(this));
        register.registerIdentity(borrower, address(this), 276);
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.priceSource = PriceSource.MARKET;
        p.borrowerRegistry = address(register);
    }

    function test_auctions_areRefused() public {
        venue = new DutchAuctionVenue(address(market), address(token), address(cash), 1e18);
        vm.prank(admin);
        vm.expectRevert(IMarketErrors.AuctionUnsupported.selector);
        market.setAuctionModule(address(venue));
        MarketConfig memory config = market.config();
        config.useDutchAuction = true;
        vm.prank(issuer);
        vm.expectRevert(IMarketErrors.AuctionUnsupported.selector);
        market.setConfig(config);
    }

    function test_register_cannotBeCleared() public {
        vm.startPrank(admin);
        vm.expectRevert(IMarketErrors.RegisterRequired.selector);
        market.setIdentityGates(address(0), address(register));
        DemoIdentityRegistry other = new DemoIdentityRegistry(admin);
        market.setIdentityGates(address(other), address(0));
        vm.stopPrank();
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotVerified.selector, borrower));
        market.openLoan(100e18, 5_000e6, _noPrice());
        vm.prank(admin);
        market.setIdentityGates(address(register), address(0));
        _openLoan(100e18, 5_000e6);
    }

    function test_floor_isHigherThanOnOtherMarkets() public {
        assertEq(market.config().auctionMinBps, 9_800);
        MarketConfig memory config = market.config();
        config.auctionMinBps = 9_799;
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidConfig.selector, bytes32("auctionMinPremium")));
        market.setConfig(config);
    }
}
