// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {ILendingVault, MarketCap} from "../../../src/lending/interfaces/ILendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {LookAlikeMarket} from "../../support/hostile/VaultMarkets.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @notice Markets of a vault and how much they may hold of it.
contract VaultCapsTest is LendingTest {
    LendingVault private vault;
    LendingMarket private second;
    address private alice = makeAddress("alice");
    uint256 private start;

    function setUp() public override {
        super.setUp();
        vault = _makeVault(lender, 100_000e6);
        second = LendingMarket(_deployMarket());
        _adopt(second, lender);
        vm.startPrank(admin);
        market.registerVault(address(vault));
        second.registerVault(address(vault));
        vm.stopPrank();
        _give(alice, 500_000e6);
        vm.startPrank(alice);
        cash.approve(address(vault), type(uint256).max);
        vault.deposit(500_000e6, address(0));
        vm.stopPrank();
        start = block.timestamp;
    }

    /* CREATION */

    function test_create_refusals() public {
        MarketCap[] memory caps = new MarketCap[](1);
        caps[0] = MarketCap(address(new LookAlikeMarket(address(cash), lender)), 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotOfFactory.selector, caps[0].market));
        new LendingVault("V", "V", address(cash), lender, address(factory), caps);
        caps[0].market = address(market);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotOperators.selector, address(market)));
        new LendingVault("V", "V", address(cash), stranger, address(factory), caps);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.NotAFactory.selector, stranger));
        new LendingVault("V", "V", address(cash), lender, stranger, caps);
    }

    function test_create_namesItsMarketsWithoutAWait() public {
        assertEq(vault.drawCapOf(address(market)), 100_000e6);
        assertEq(vault.markets().length, 1);
        assertEq(vault.factory(), address(factory));
        assertEq(vault.version(), 2);
        vm.prank(lender);
        vault.supply(address(market), 100_000e6);
        assertEq(vault.idleAssets(), 400_000e6);
    }

    /* ANNOUNCEMENTS */

    function test_announce_refusals() public {
        address fake = address(new LookAlikeMarket(address(cash), lender));
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        vault.announceDrawCap(address(second), 1);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        vault.cancelAnnouncement(address(second));
        vm.startPrank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotOfFactory.selector, fake));
        vault.announceDrawCap(fake, 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.CapNotRaised.selector, address(market), 100_000e6));
        vault.announceDrawCap(address(market), 100_000e6);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.NothingAnnounced.selector, address(second)));
        vault.cancelAnnouncement(address(second));
        vm.stopPrank();
    }

    function test_raise_waitsFourteenDaysAndLapsesAfterFourteenMore() public {
        vm.startPrank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.CapNotAnnounced.selector, address(second), 1));
        vault.setDrawCap(address(second), 1);
        vm.expectEmit(address(vault));
        emit ILendingVault.DrawCapAnnounced(address(second), 300_000e6, start + 14 days);
        vault.announceDrawCap(address(second), 300_000e6);
        (uint256 cap, uint256 readyAt, uint256 lapsesAt) = vault.announcementOf(address(second));
        assertEq(cap, 300_000e6);
        assertEq(readyAt, start + 14 days);
        assertEq(lapsesAt, start + 28 days);
        vm.warp(start + 14 days - 1);
        vm.expectRevert(
            abi.encodeWithSelector(ILendingVault.AnnouncementPending.selector, address(second), start + 14 days)
        );
        vault.setDrawCap(address(second), 300_000e6);
        vm.warp(start + 28 days);
        vm.expectRevert(
            abi.encodeWithSelector(ILendingVault.AnnouncementLapsed.selector, address(second), start + 28 days)
        );
        vault.setDrawCap(address(second), 300_000e6);
        vm.warp(start + 28 days - 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.CapNotAnnounced.selector, address(second), 300_000e6 + 1));
        vault.setDrawCap(address(second), 300_000e6 + 1);
        vault.setDrawCap(address(second), 300_000e6);
        assertEq(vault.drawCapOf(address(second)), 300_000e6);
        assertEq(vault.markets().length, 2);
        // An announcement is used once.
        vault.setDrawCap(address(second), 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.CapNotAnnounced.selector, address(second), 2));
        vault.setDrawCap(address(second), 2);
        vm.stopPrank();
    }

    function test_raise_isForTheOwnerOfThatDay() public {
        vm.prank(lender);
        vault.announceDrawCap(address(second), 1);
        vm.warp(start + 14 days);
        vm.prank(lender);
        second.setOperatorFeeRecipient(stranger);
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotOperators.selector, address(second)));
        vault.setDrawCap(address(second), 1);
    }

    function test_lower_isAtOnceAndEndsWhatWasAnnounced() public {
        vm.startPrank(lender);
        vault.announceDrawCap(address(market), 200_000e6);
        vm.expectEmit(address(vault));
        emit ILendingVault.AnnouncementCancelled(address(market));
        vault.setDrawCap(address(market), 50_000e6);
        assertEq(vault.drawCapOf(address(market)), 50_000e6);
        (, uint256 readyAt,) = vault.announcementOf(address(market));
        assertEq(readyAt, 0);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotKnown.selector, address(second)));
        vault.setDrawCap(address(second), 0);
        vm.stopPrank();
    }

    function test_announce_isReplacedAndCancelled() public {
        vm.startPrank(lender);
        vault.announceDrawCap(address(market), 200_000e6);
        vm.warp(start + 13 days);
        vault.announceDrawCap(address(market), 300_000e6);
        (uint256 cap, uint256 readyAt,) = vault.announcementOf(address(market));
        assertEq(cap, 300_000e6);
        assertEq(readyAt, start + 27 days);
        vault.cancelAnnouncement(address(market));
        vm.warp(start + 27 days);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.CapNotAnnounced.selector, address(market), 300_000e6));
        vault.setDrawCap(address(market), 300_000e6);
        vm.stopPrank();
    }

    /* SUPPLY */

    function test_supply_staysWithinTheCap() public {
        vm.startPrank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotKnown.selector, address(second)));
        vault.supply(address(second), 1_000e6);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AmountOutOfRange.selector, 100_000e6 + 1, 100_000e6));
        vault.supply(address(market), 100_000e6 + 1);
        vault.supply(address(market), 60_000e6);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AmountOutOfRange.selector, 40_000e6 + 1, 40_000e6));
        vault.supply(address(market), 40_000e6 + 1);
        vault.setDrawCap(address(market), 0);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AmountOutOfRange.selector, 1, 0));
        vault.supply(address(market), 1);
        vm.stopPrank();
    }

    function test_supply_isNotForAMarketThatWasHandedOn() public {
        vm.startPrank(lender);
        market.setOperatorFeeRecipient(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotOperators.selector, address(market)));
        vault.supply(address(market), 1_000e6);
        vm.stopPrank();
    }

    /* REMOVAL */

    function test_remove_refusals() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        vault.removeMarket(address(market));
        vm.startPrank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketNotKnown.selector, address(second)));
        vault.removeMarket(address(second));
        vault.supply(address(market), 100_000e6);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.MarketHoldsMoney.selector, address(market), 100_000e6));
        vault.removeMarket(address(market));
        vm.stopPrank();
    }

    function test_remove_aMarketInWhichNothingIsLeft() public {
        vm.startPrank(lender);
        vault.announceDrawCap(address(second), 1);
        vm.warp(start + 14 days);
        vault.setDrawCap(address(second), 1);
        vault.supply(address(market), 100_000e6);
        vault.withdraw(address(market), market.sharesOf(address(vault)));
        vm.expectEmit(address(vault));
        emit ILendingVault.MarketRemoved(address(market), false);
        vault.removeMarket(address(market));
        vm.stopPrank();
        assertEq(vault.markets().length, 1);
        assertEq(vault.markets()[0], address(second));
        assertEq(vault.drawCapOf(address(market)), 0);
        assertEq(vault.drawableFor(address(market)), 0);
    }

    function test_remove_takesTheFeesAlong() public {
        // 1. Interest is paid, then the vault's money leaves: the fees of it still wait in the market.
        vm.prank(lender);
        vault.supply(address(market), 100_000e6);
        uint256 loanId = _openLoan(10_000e18, 700_000e6);
        skipTime(30 days);
        _give(borrower, 100_000e6);
        _repay(loanId, type(uint256).max);
        uint256 shares = market.sharesOf(address(vault));
        vm.startPrank(lender);
        vault.withdraw(address(market), shares);
        uint256 due = market.distributorFeesPayable(address(vault));
        assertGt(due, 0);
        // 2. The market goes, the fees are here.
        vault.removeMarket(address(market));
        vm.stopPrank();
        assertApproxEqAbs(vault.distributorFeesOf(address(0)), due, 1);
    }
}
