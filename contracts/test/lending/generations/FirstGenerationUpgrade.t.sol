// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IServedUpgrade} from "../../../src/base/interfaces/IServedUpgrade.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LoanStatus, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {FirstGenerationWorld} from "./FirstGenerationWorld.sol";

/// @notice A running market of the first generation moves onto the current one.
contract FirstGenerationUpgradeTest is FirstGenerationWorld {
    uint256 private live;
    uint256 private auctioned;
    uint256 private record;

    function setUp() public override {
        super.setUp();
        _wireVenue();
        live = _openLoan(8_000e18, 400_000e6);
        auctioned = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        record = _liquidate(auctioned);
        vm.prank(buyer);
        venue.bidOnAuction(1, 10e18, type(uint256).max);
        skipTime(600);
    }

    function test_upgrade_onlyByTheAdminToWhatIsServed() public {
        factory.setImplementation("market", suite.market);
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        vm.prank(stranger);
        market.upgradeToAndCall(suite.market, "");
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotServed.selector, suite.router, suite.market));
        market.upgradeToAndCall(suite.router, "");
    }

    function test_upgrade_leavesEveryFigureAsItWas() public {
        PoolView memory pool = market.pool();
        LoanView memory loan = market.loan(live);
        uint256 held = market.realization(record).held;
        uint256 shares = market.sharesOf(provider);
        _upgradeMarket();
        assertEq(keccak256(abi.encode(market.pool())), keccak256(abi.encode(pool)));
        assertEq(keccak256(abi.encode(market.loan(live))), keccak256(abi.encode(loan)));
        assertEq(market.realization(record).held, held);
        assertTrue(market.loan(auctioned).status == LoanStatus.IN_AUCTION);
        assertEq(market.pool().openAuctions, 1);
        assertEq(market.sharesOf(provider), shares);
        assertEq(market.vaults()[0], address(vault));
        assertEq(market.parts().borrowerRegistry, address(register));
        assertTrue(market.hasRole(ADMIN_ROLE, admin) && market.hasRole(ISSUER_ROLE, issuer));
        assertEq(market.version(), 3);
        _assertSolvent();
    }

    function test_upgrade_startsTheHistoryInTheSameTransaction() public {
        factory.setImplementation("market", suite.market);
        vm.expectEmit(false, false, false, false, address(market));
        emit IMarketEvents.Snapshot(0, 0, 0, 0, 0, 0, 0, 0, 0);
        vm.prank(admin);
        market.upgradeToAndCall(suite.market, abi.encodeWithSignature("pokeSnapshot()"));
        assertTrue(_answers(address(market), "isInstrumented()"));
        assertTrue(_answers(address(market), "stampsLoanTerms()"));
        assertTrue(_answers(address(market), "holdsVenueProceeds()"));
    }

    function test_upgrade_isNotUndone() public {
        address first = factory.servedImplementation("market");
        _upgradeMarket();
        factory.setImplementation("market", first);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IServedUpgrade.NotAnUpgrade.selector, 3, 1));
        market.upgradeToAndCall(first, "");
    }

    function test_afterwards_onlyOperatorAndVaultsDeposit() public {
        _upgradeMarket();
        _give(provider, 1_000e6);
        _give(lender, 1_000e6);
        vm.prank(provider);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotProvider.selector, provider));
        market.addLiquidity(1_000e6);
        vm.prank(lender);
        market.addLiquidity(1_000e6);
        _give(investor, 1_000e6);
        vm.prank(investor);
        vault.deposit(1_000e6, address(0));
        vm.prank(lender);
        vault.supply(address(market), 1_000e6);
        _assertSolvent();
    }

    function test_afterwards_thirdPartiesLeaveWithTheirInterest() public {
        _upgradeMarket();
        skipTime(100 days);
        _give(borrower, 100_000e6);
        _repay(live, type(uint256).max);
        uint256 shares = market.sharesOf(provider);
        vm.prank(provider);
        assertGt(market.removeLiquidity(shares), 500_000e6);
        assertEq(market.sharesOf(provider), 0);
        // The fixed shares credit every provider, third parties too, from the upgrade on.
        assertGt(market.distributorFeesPayable(provider), 0);
        market.sweepDistributorFees(provider);
        _assertSolvent();
    }

    function test_afterwards_theOpenAuctionEndsAsItWouldHave() public {
        _upgradeMarket();
        vm.prank(buyer);
        venue.bidOnAuction(1, type(uint256).max, type(uint256).max);
        assertTrue(market.realization(record).status == RealizationStatus.SETTLED);
        assertTrue(market.loan(auctioned).status == LoanStatus.ACTIVE);
        assertEq(market.pool().heldProceeds, 0);
        _assertSolvent();
    }

    function test_afterwards_anExpiredAuctionStillFindsTheRouter() public {
        _upgradeMarket();
        skipTime(1 hours);
        venue.settleExpiredAuction(1);
        _sellAndSettle(1, 2_000e6);
        assertTrue(market.realization(record).status == RealizationStatus.SETTLED);
        _assertSolvent();
    }

    function test_afterwards_interestSplitsByTheFixedShares() public {
        _upgradeMarket();
        uint256 operatorBefore = market.pool().operatorFees;
        skipTime(100 days);
        uint256 interest = market.loan(live).interest;
        _give(borrower, 100_000e6);
        _repay(live, type(uint256).max);
        uint256 remainder = interest - interest * 15 / 100;
        assertEq(market.pool().operatorFees - operatorBefore, remainder * 8 / 100);
        assertEq(market.pool().distributorFees, remainder * 5 / 100);
        _assertSolvent();
    }

    function test_afterwards_theVaultIsDrawnOn() public {
        vm.startPrank(lender);
        vault.withdraw(address(market), market.sharesOf(address(vault)));
        vault.setDrawCap(address(market), 500_000e6);
        vm.stopPrank();
        _upgradeMarket();
        vm.prank(admin);
        market.setVaultLiquidity(true);
        uint256 wanted = market.pool().borrowable + 100_000e6;
        uint256 idle = vault.idleAssets();
        _giveCollateral(borrower, 30_000e18);
        _setPrice(80e6);
        _openLoan(25_000e18, wanted);
        assertEq(vault.idleAssets(), idle - 100_000e6);
        _assertSolvent();
    }
}
