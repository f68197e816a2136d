// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {LoanStatus, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {ITrexToken} from "../../support/trex/ITrex.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

contract TrexFreezeSeizureTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;
    /// Half of 7,000 and its penalty of 5 %, at 80.
    uint256 private constant TAKEN = 45.9375e18;

    function test_liquidate_revertsWhileTheRouterIsNotVerified() public {
        registry.deleteIdentity(address(router));
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        vm.prank(liquidator);
        vm.expectRevert("Transfer not possible");
        market.liquidate(loanId, _noPrice());
        // Nothing moved, nothing is booked, and the borrower can still pay.
        _assertHolding(borrower, HELD, 100e18);
        assertEq(market.pool().realizationCounter, 0);
        _repay(loanId, 1_000e6);
        assertEq(_debt(loanId), 6_000e6);
        _registerHolder(address(router));
        _setPrice(70e6);
        _liquidate(loanId);
        assertEq(market.pool().realizationCounter, 1);
    }

    function test_liquidate_revertsWhileTheAdapterIsNoAgent() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        security.removeAgent(adapter);
        _setPrice(80e6);
        vm.prank(liquidator);
        vm.expectRevert("AgentRole: caller does not have the Agent role");
        market.liquidate(loanId, _noPrice());
        security.addAgent(adapter);
        _liquidate(loanId);
        _assertHolding(borrower, HELD - TAKEN, 100e18 - TAKEN);
    }

    function test_liquidate_unfreezesExactlyThenForces() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        vm.expectEmit(address(security));
        emit ITrexToken.TokensUnfrozen(borrower, TAKEN);
        vm.expectEmit(address(security));
        emit ITrexToken.Transfer(borrower, address(router), TAKEN);
        _liquidate(loanId);
        _assertHolding(borrower, HELD - TAKEN, 100e18 - TAKEN);
        _assertHolding(address(router), TAKEN, 0);
        assertEq(market.loan(loanId).collateral, 100e18 - TAKEN);
    }

    function testFuzz_liquidate_leavesFreeAndOtherwiseFrozenTokensAlone(uint256 free, uint256 others) public {
        others = bound(others, 0, HELD - 100e18 - 1);
        free = bound(free, 0, HELD - 100e18 - others - 1);
        uint256 loanId = _openLoan(100e18, 7_000e6);
        vm.prank(transferAgent);
        security.freezePartialTokens(borrower, others);
        vm.startPrank(borrower);
        security.transfer(buyer, HELD - 100e18 - others - free);
        vm.stopPrank();
        _setPrice(80e6);
        _liquidate(loanId);
        uint256 frozen = others + 100e18 - TAKEN;
        _assertHolding(borrower, frozen + free, frozen);
        assertEq(FreezeAdapter(adapter).lockedOf(borrower), 100e18 - TAKEN);
    }

    function test_liquidate_leavesTheSecondLoanOfTheHolderAlone() public {
        uint256 first = _openLoan(100e18, 7_000e6);
        uint256 second = _openLoan(300e18, 7_000e6);
        _setPrice(80e6);
        _liquidate(first);
        _assertHolding(borrower, HELD - TAKEN, 400e18 - TAKEN);
        (, uint256 pledged) = FreezeAdapter(adapter).pledgeOf(second);
        assertEq(pledged, 300e18);
        _repay(second, type(uint256).max);
        _assertHolding(borrower, HELD - TAKEN, 100e18 - TAKEN);
        _sellAndSettle(1, 3_675e6);
        _repay(first, type(uint256).max);
        _assertHolding(borrower, HELD - TAKEN, 0);
        _assertSolvent();
    }

    function test_liquidate_wholePositionAtTermReturnsTheRest() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 100);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        skipTime(32 days);
        _setPrice(PRICE);
        uint256 id = _liquidate(loanId);
        uint256 taken = security.balanceOf(address(router));
        assertTrue(market.realization(id).isTerm);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        _assertHolding(borrower, HELD - taken, 0);
    }

    /// A pause stops the sale, not the seizure.
    function test_pausedToken_seizureGoesOnAndTheSaleWaits() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        vm.prank(transferAgent);
        security.pause();
        _liquidate(loanId);
        vm.prank(seller);
        vm.expectRevert("Pausable: paused");
        router.withdrawCollateralForSale(1, TAKEN);
        vm.prank(transferAgent);
        security.unpause();
        _sellAndSettle(1, 3_675e6);
        _assertHolding(recipient, TAKEN, 0);
    }

    function test_frozenWalletWithoutIdentity_isSeizedAllTheSame() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        registry.deleteIdentity(borrower);
        vm.prank(transferAgent);
        security.setAddressFrozen(borrower, true);
        _setPrice(80e6);
        _liquidate(loanId);
        _assertHolding(borrower, HELD - TAKEN, 100e18 - TAKEN);
    }

    function test_auction_needsVerifiedVenueAndBidder() public {
        _wireVenue();
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        vm.prank(liquidator);
        vm.expectRevert("Transfer not possible");
        market.liquidate(loanId, _noPrice());
        _registerHolder(address(venue));
        uint256 id = _liquidate(loanId);
        _assertHolding(address(venue), 50e18, 0);
        _assertHolding(borrower, HELD - 50e18, 50e18);
        _give(stranger, 100_000e6);
        vm.startPrank(stranger);
        cash.approve(address(venue), type(uint256).max);
        vm.expectRevert("Transfer not possible");
        venue.bidOnAuction(1, 1e18, type(uint256).max);
        vm.stopPrank();
        vm.prank(buyer);
        venue.bidOnAuction(1, 50e18, type(uint256).max);
        _assertHolding(buyer, 50e18, 0);
        assertTrue(market.realization(id).status == RealizationStatus.SETTLED);
        _assertSolvent();
    }

    function test_auction_whatIsNotSoldGoesToTheRouter() public {
        _wireVenue();
        _registerHolder(address(venue));
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        vm.prank(buyer);
        venue.bidOnAuction(1, 20e18, type(uint256).max);
        skipTime(1 hours);
        venue.settleExpiredAuction(1);
        _assertHolding(address(router), 30e18, 0);
        _sellAndSettle(1, 1_500e6);
        _assertHolding(recipient, 30e18, 0);
        _assertSolvent();
    }
}
