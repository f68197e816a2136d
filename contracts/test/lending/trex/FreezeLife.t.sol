// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {ITrexToken} from "../../support/trex/ITrex.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

contract TrexFreezeLifeTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;

    function _locked() private view returns (uint256) {
        return FreezeAdapter(adapter).lockedOf(borrower);
    }

    function test_open_revertsWhileTheAdapterIsNoAgent() public {
        security.removeAgent(adapter);
        vm.prank(borrower);
        vm.expectRevert("AgentRole: caller does not have the Agent role");
        market.openLoan(100e18, 5_000e6, _noPrice());
        security.addAgent(adapter);
        _openLoan(100e18, 5_000e6);
        _assertHolding(borrower, HELD, 100e18);
    }

    function test_open_revertsWhenTooLittleIsFree() public {
        vm.prank(transferAgent);
        security.freezePartialTokens(borrower, HELD - 100e18);
        vm.prank(borrower);
        vm.expectRevert("Amount exceeds available balance");
        market.openLoan(100e18 + 1, 5_000e6, _noPrice());
        _openLoan(100e18, 5_000e6);
        _assertHolding(borrower, HELD, HELD);
    }

    function test_open_freezesInTheWalletAndTheHolderCannotMoveIt() public {
        vm.expectEmit(address(security));
        emit ITrexToken.TokensFrozen(borrower, 100e18);
        _openLoan(100e18, 5_000e6);
        _assertHolding(borrower, HELD, 100e18);
        _assertHolding(adapter, 0, 0);
        vm.startPrank(borrower);
        vm.expectRevert("Insufficient Balance");
        security.transfer(buyer, HELD - 100e18 + 1);
        security.transfer(buyer, HELD - 100e18);
        vm.stopPrank();
        _assertHolding(borrower, 100e18, 100e18);
    }

    function test_withdraw_revertsBeyondTheLoansOwnPledge() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _openLoan(500e18, 5_000e6);
        vm.startPrank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InsufficientCollateral.selector, 101e18, 100e18));
        market.withdrawCollateral(loanId, 101e18, _noPrice());
        vm.stopPrank();
        _assertHolding(borrower, HELD, 600e18);
    }

    function testFuzz_life_everyStepMovesExactlyItsAmount(
        uint256 opened,
        uint256 added,
        uint256 withdrawn,
        uint256 others
    ) public {
        opened = bound(opened, 100e18, 4_000e18);
        added = bound(added, 1, 2_000e18);
        withdrawn = bound(withdrawn, 1, added);
        others = bound(others, 0, HELD - opened - added);
        vm.startPrank(transferAgent);
        security.freezePartialTokens(borrower, others);
        vm.stopPrank();
        uint256 loanId = _openLoan(opened, 5_000e6);
        _assertHolding(borrower, HELD, others + opened);
        vm.startPrank(borrower);
        market.addCollateral(loanId, added);
        _assertHolding(borrower, HELD, others + opened + added);
        market.withdrawCollateral(loanId, withdrawn, _noPrice());
        _assertHolding(borrower, HELD, others + opened + added - withdrawn);
        market.repay(loanId, 2_000e6);
        _assertHolding(borrower, HELD, others + opened + added - withdrawn);
        assertEq(_locked(), opened + added - withdrawn);
        market.repay(loanId, type(uint256).max);
        vm.stopPrank();
        _assertHolding(borrower, HELD, others);
        assertEq(_locked(), 0);
    }

    function test_closeLoan_releasesWhatASettlementLeft() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        _sellAndSettle(1, 8_000e6);
        _assertHolding(borrower, HELD - 45.9375e18, 54.0625e18);
        vm.prank(borrower);
        market.closeLoan(loanId);
        _assertHolding(borrower, HELD - 45.9375e18, 0);
    }

    function test_twoLoans_oneRepaidLeavesTheOtherFrozen() public {
        uint256 first = _openLoan(100e18, 5_000e6);
        uint256 second = _openLoan(300e18, 5_000e6);
        _assertHolding(borrower, HELD, 400e18);
        _repay(first, type(uint256).max);
        _assertHolding(borrower, HELD, 300e18);
        assertEq(market.collateralOf(borrower), 300e18);
        _repay(second, type(uint256).max);
        _assertHolding(borrower, HELD, 0);
        _assertSolvent();
    }

    /// Freezing and unfreezing are the agent's, pause or not.
    function test_pausedToken_pledgesAndReleasesGoOn() public {
        vm.prank(transferAgent);
        security.pause();
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.startPrank(borrower);
        market.addCollateral(loanId, 50e18);
        market.withdrawCollateral(loanId, 20e18, _noPrice());
        market.repay(loanId, type(uint256).max);
        vm.stopPrank();
        _assertHolding(borrower, HELD, 0);
    }

    /// A holder who lost its identity or its wallet's freedom still gets its pledge back.
    function test_holderLosesItsStanding_repaymentStillReleases() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        registry.deleteIdentity(borrower);
        vm.prank(transferAgent);
        security.setAddressFrozen(borrower, true);
        _repay(loanId, type(uint256).max);
        _assertHolding(borrower, HELD, 0);
    }
}
