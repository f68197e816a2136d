// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice The issuer takes the adapter's agent role away. Debts can be paid all the same; the pledge is unfrozen later.
contract TrexRoleRevokedTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;
    string private constant NO_AGENT = "AgentRole: caller does not have the Agent role";

    function _freezer() private view returns (FreezeAdapter) {
        return FreezeAdapter(adapter);
    }

    function _assertDeferred(uint256 amount) private view {
        assertEq(_freezer().deferredReleaseOf(borrower), amount);
    }

    function test_releaseDeferred_revertsWithoutOne() public {
        _openLoan(100e18, 5_000e6);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NothingDeferred.selector, borrower));
        _freezer().releaseDeferred(borrower);
    }

    function test_releaseDeferred_revertsUntilTheRoleIsBack() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        security.removeAgent(adapter);
        _repay(loanId, type(uint256).max);
        vm.expectRevert(bytes(NO_AGENT));
        _freezer().releaseDeferred(borrower);
        _assertDeferred(100e18);
    }

    function testFuzz_repay_closesAndDefersTheRelease(uint256 pledged) public {
        pledged = bound(pledged, 100e18, HELD);
        uint256 loanId = _openLoan(pledged, 5_000e6);
        security.removeAgent(adapter);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.ReleaseDeferred(borrower, pledged);
        _repay(loanId, type(uint256).max);
        assertEq(_debt(loanId), 0);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertEq(market.collateralOf(borrower), 0);
        assertEq(_freezer().lockedOf(borrower), 0);
        _assertHolding(borrower, HELD, pledged);
        security.addAgent(adapter);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.DeferredReleaseMade(borrower, pledged);
        vm.prank(stranger);
        assertEq(_freezer().releaseDeferred(borrower), pledged);
        _assertDeferred(0);
        _assertHolding(borrower, HELD, 0);
    }

    function test_withdrawAndClose_deferTheirReleasesToo() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        uint256 second = _openLoan(300e18, 5_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        _sellAndSettle(1, 8_000e6);
        security.removeAgent(adapter);
        vm.startPrank(borrower);
        market.closeLoan(loanId);
        market.withdrawCollateral(second, 50e18, _noPrice());
        vm.stopPrank();
        _assertDeferred(104.0625e18);
        assertEq(_freezer().lockedOf(borrower), 250e18);
        security.addAgent(adapter);
        _freezer().releaseDeferred(borrower);
        // The other loan's pledge stays.
        _assertHolding(borrower, HELD - 45.9375e18, 250e18);
        _repay(second, type(uint256).max);
        _assertHolding(borrower, HELD - 45.9375e18, 0);
    }

    function test_releaseDeferred_leavesOtherPledgesWhenAnotherAgentUnfroze() public {
        uint256 first = _openLoan(100e18, 5_000e6);
        _openLoan(300e18, 5_000e6);
        security.removeAgent(adapter);
        _repay(first, type(uint256).max);
        vm.prank(transferAgent);
        security.unfreezePartialTokens(borrower, 60e18);
        security.addAgent(adapter);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(borrower, 400e18, 340e18);
        _freezer().releaseDeferred(borrower);
        _assertHolding(borrower, HELD, 300e18);
        _assertDeferred(0);
    }

    function test_releaseDeferred_leavesWhatWasFrozenOnTop() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        security.removeAgent(adapter);
        _repay(loanId, type(uint256).max);
        vm.prank(transferAgent);
        security.freezePartialTokens(borrower, 700e18);
        security.addAgent(adapter);
        _freezer().releaseDeferred(borrower);
        _assertHolding(borrower, HELD, 700e18);
    }

    /// Whatever the gas: the repayment reverts, or the pledge is free.
    function test_release_isNeverDeferredByStarvingTheToken() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        for (uint256 gas = 20_000; gas < 300_000; gas += 1_000) {
            uint256 state = vm.snapshotState();
            vm.prank(borrower);
            (bool success,) = address(market).call{gas: gas}(abi.encodeCall(market.repay, (loanId, type(uint256).max)));
            if (success) _assertHolding(borrower, HELD, 0);
            vm.revertToState(state);
        }
    }

    /// The interface sends repayments with 600,000.
    function test_release_isDeferredWithinTheGasOfARepayment() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        security.removeAgent(adapter);
        vm.prank(borrower);
        market.repay{gas: 600_000}(loanId, type(uint256).max);
        _assertDeferred(100e18);
    }
}
