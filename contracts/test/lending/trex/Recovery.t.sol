// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice The token's agent recovers a lost wallet; loan and pledge follow it, but only to the same identity.
contract TrexRecoveryTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 7_000e6);
    }

    function _freezer() private view returns (FreezeAdapter) {
        return FreezeAdapter(adapter);
    }

    function test_rebind_revertsWhileTheWalletHoldsTokens() public {
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.WalletNotRecovered.selector, borrower, HELD));
        market.rebindPledge(loanId, newWallet);
    }

    function test_rebind_revertsForAWalletOfAnotherIdentity() public {
        _recover(borrower, newWallet, borrowerIdentity);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, buyer));
        market.rebindPledge(loanId, buyer);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, stranger));
        market.rebindPledge(loanId, stranger);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, borrower));
        market.rebindPledge(loanId, borrower);
    }

    /// The token lets its agent name any identity in a recovery; the pledge does not follow to another one.
    function test_rebind_revertsAfterARecoveryToAnotherIdentity() public {
        _recover(borrower, newWallet, _createIdentity());
        assertTrue(registry.isVerified(newWallet));
        _assertHolding(newWallet, HELD, 100e18);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, newWallet));
        market.rebindPledge(loanId, newWallet);
        assertEq(market.loan(loanId).borrower, borrower);
    }

    /// The token does not say who took whose place: the repayment counts, and somebody names the new wallet afterwards.
    function test_repay_withoutARebindIsReleasedInTheNewWallet() public {
        _recover(borrower, newWallet, borrowerIdentity);
        _give(lender, 10_000e6);
        vm.prank(lender);
        market.repay(loanId, type(uint256).max);
        assertEq(_freezer().deferredReleaseOf(borrower), 100e18);
        _assertHolding(newWallet, HELD, 100e18);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.WalletRecovered.selector, borrower));
        _freezer().releaseDeferred(borrower);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, buyer));
        _freezer().releaseRecovered(borrower, buyer);
        vm.prank(stranger);
        assertEq(_freezer().releaseRecovered(borrower, newWallet), 100e18);
        _assertHolding(newWallet, HELD, 0);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NothingDeferred.selector, borrower));
        _freezer().releaseRecovered(borrower, newWallet);
    }

    function test_rebind_revertsForALoanThatIsClosed() public {
        _repay(loanId, type(uint256).max);
        _recover(borrower, newWallet, borrowerIdentity);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotActive.selector, loanId));
        market.rebindPledge(loanId, newWallet);
    }

    function test_rebind_movesLoanAndPledgeToTheRecoveredWallet() public {
        _recover(borrower, newWallet, borrowerIdentity);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.PledgeRebound(loanId, borrower, newWallet, 100e18);
        vm.expectEmit(address(market));
        emit IMarketEvents.LoanRebound(loanId, borrower, newWallet);
        vm.prank(stranger);
        market.rebindPledge(loanId, newWallet);
        assertEq(market.loan(loanId).borrower, newWallet);
        assertEq(market.collateralOf(borrower), 0);
        assertEq(market.collateralOf(newWallet), 100e18);
        assertEq(_freezer().lockedOf(borrower), 0);
        assertEq(_freezer().lockedOf(newWallet), 100e18);
        // The token froze it there already; it is not frozen twice.
        _assertHolding(newWallet, HELD, 100e18);
    }

    function test_rebind_theNewWalletIsTheBorrowerInEverything() public {
        _recover(borrower, newWallet, borrowerIdentity);
        market.rebindPledge(loanId, newWallet);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotBorrower.selector, loanId, borrower));
        market.addCollateral(loanId, 1);
        vm.startPrank(newWallet);
        market.addCollateral(loanId, 20e18);
        market.withdrawCollateral(loanId, 10e18, _noPrice());
        vm.stopPrank();
        _assertHolding(newWallet, HELD, 110e18);
        // Anyone pays; the pledge goes to where it is now.
        _repay(loanId, type(uint256).max);
        _assertHolding(newWallet, HELD, 0);
    }

    function test_rebind_bothLoansOfTheHolderOneAfterTheOther() public {
        uint256 second = _openLoan(300e18, 5_000e6);
        _recover(borrower, newWallet, borrowerIdentity);
        market.rebindPledge(second, newWallet);
        assertEq(_freezer().lockedOf(borrower), 100e18);
        market.rebindPledge(loanId, newWallet);
        assertEq(_freezer().lockedOf(newWallet), 400e18);
        _assertHolding(newWallet, HELD, 400e18);
        _setPrice(80e6);
        _liquidate(loanId);
        _assertHolding(newWallet, HELD - 45.9375e18, 400e18 - 45.9375e18);
        (, uint256 pledged) = _freezer().pledgeOf(second);
        assertEq(pledged, 300e18);
    }

    /// An agent that moves tokens by hand leaves them free: the pledge is frozen again where it went.
    function test_rebind_freezesWhatAHandMadeRecoveryLeftFree() public {
        registry.registerIdentity(newWallet, borrowerIdentity, 276);
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, newWallet, HELD);
        _assertHolding(newWallet, HELD, 0);
        market.rebindPledge(loanId, newWallet);
        _assertHolding(newWallet, HELD, 100e18);
    }

    function test_rebind_saysWhenTheNewWalletHasTooLittle() public {
        registry.registerIdentity(newWallet, borrowerIdentity, 276);
        vm.startPrank(transferAgent);
        security.forcedTransfer(borrower, newWallet, 60e18);
        security.burn(borrower, HELD - 60e18);
        vm.stopPrank();
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(newWallet, 100e18, 60e18);
        market.rebindPledge(loanId, newWallet);
        _assertHolding(newWallet, 60e18, 60e18);
        _setPrice(80e6);
        vm.expectEmit(address(market));
        emit IMarketEvents.CollateralMissing(loanId, 100e18, 60e18);
        _liquidate(loanId);
        _assertSolvent();
    }

    function test_rebind_againAfterASecondRecovery() public {
        address third = makeAddress("third wallet");
        _recover(borrower, newWallet, borrowerIdentity);
        market.rebindPledge(loanId, newWallet);
        _recover(newWallet, third, borrowerIdentity);
        market.rebindPledge(loanId, third);
        assertEq(market.loan(loanId).borrower, third);
        _repay(loanId, type(uint256).max);
        _assertHolding(third, HELD, 0);
    }

    function test_recoveredButNotRebound_repaymentStillCloses() public {
        _recover(borrower, newWallet, borrowerIdentity);
        _repay(loanId, type(uint256).max);
        assertEq(_freezer().lockedOf(borrower), 0);
        // The token froze it in the new wallet on its own; its agent is the one to undo that.
        _assertHolding(newWallet, HELD, 100e18);
    }
}
