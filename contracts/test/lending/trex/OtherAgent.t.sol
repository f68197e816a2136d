// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LoanStatus, Realization} from "../../../src/lending/interfaces/MarketTypes.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice Another agent of the token acts on pledged tokens. It is reported as soon as the market touches the pledge,
/// and nothing else breaks.
contract TrexOtherAgentTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;

    function test_unfrozen_releaseSaysSoAndLeavesTheOtherLoansShare() public {
        uint256 first = _openLoan(100e18, 5_000e6);
        uint256 second = _openLoan(100e18, 5_000e6);
        vm.prank(transferAgent);
        security.unfreezePartialTokens(borrower, 150e18);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(borrower, 200e18, 50e18);
        _repay(first, type(uint256).max);
        _assertHolding(borrower, HELD, 50e18);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(borrower, 100e18, 50e18);
        _repay(second, type(uint256).max);
        _assertHolding(borrower, HELD, 0);
    }

    function test_unfrozen_seizureStillFindsTheTokensAndSaysSo() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        vm.prank(transferAgent);
        security.unfreezePartialTokens(borrower, 100e18);
        _setPrice(80e6);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(borrower, 100e18, 0);
        _liquidate(loanId);
        _assertHolding(borrower, HELD - 45.9375e18, 0);
        _assertHolding(address(router), 45.9375e18, 0);
    }

    function test_unfrozenAndSold_liquidationBooksWhatIsLeft() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        vm.prank(transferAgent);
        security.unfreezePartialTokens(borrower, 100e18);
        vm.prank(borrower);
        security.transfer(buyer, HELD - 30e18);
        _setPrice(80e6);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(borrower, 100e18, 30e18);
        vm.expectEmit(address(market));
        emit IMarketEvents.CollateralMissing(loanId, 100e18, 30e18);
        Realization memory r = market.realization(_liquidate(loanId));
        _assertHolding(address(router), 30e18, 0);
        _assertHolding(borrower, 0, 0);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        // 30 tokens at 80 pay 2,285.714285 and the penalty on it; the rest of the debt is nobody's.
        assertEq(r.claim, 2_285.714285e6);
        _assertSolvent();
    }

    function testFuzz_burned_onlyWhatIsMissingIsWrittenOff(uint256 burned) public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        uint256 other = _openLoan(1_000e18, 5_000e6);
        burned = bound(burned, 1, HELD);
        vm.prank(transferAgent);
        security.burn(borrower, burned);
        _setPrice(80e6);
        _liquidate(loanId);
        uint256 left = HELD - burned;
        uint256 missing = left < 1_100e18 ? 1_100e18 - left : 0;
        if (missing > 100e18) missing = 100e18;
        uint256 held = security.balanceOf(address(router));
        (, uint256 pledged) = FreezeAdapter(adapter).pledgeOf(loanId);
        assertEq(market.loan(loanId).collateral, pledged);
        assertEq(pledged + held, 100e18 - missing);
        assertEq(market.loan(other).collateral, 1_000e18);
        assertEq(market.pool().totalCollateral, 1_000e18 + pledged);
        _assertSolvent();
    }

    function test_forcedAway_repaymentGoesThroughAndSaysSo() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, buyer, HELD);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(borrower, 100e18, 0);
        _repay(loanId, type(uint256).max);
        assertEq(FreezeAdapter(adapter).lockedOf(borrower), 0);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
    }

    function test_forcedAway_theHolderCanPledgeNewTokens() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, buyer, HELD);
        _giveCollateral(borrower, 200e18);
        vm.prank(borrower);
        market.addCollateral(loanId, 100e18);
        assertEq(market.loan(loanId).collateral, 200e18);
        _assertHolding(borrower, 200e18, 100e18);
    }

    /// What an agent froze on top belongs to that agent's reason, not to the loan.
    function test_frozenOnTop_staysAfterTheLoanIsGone() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.prank(transferAgent);
        security.freezePartialTokens(borrower, 700e18);
        _repay(loanId, type(uint256).max);
        _assertHolding(borrower, HELD, 700e18);
    }

    /* THE ADAPTER'S ROLE */

    function test_roleRevoked_partialRepaymentAndLiquidityGoOn() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        security.removeAgent(adapter);
        _repay(loanId, 4_000e6);
        assertEq(_debt(loanId), 1_000e6);
        uint256 shares = market.sharesOf(lender);
        vm.prank(lender);
        market.removeLiquidity(shares / 2);
        _assertSolvent();
    }

    function test_roleRevoked_givenBackEverythingGoesOn() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        security.removeAgent(adapter);
        security.addAgent(adapter);
        _repay(loanId, type(uint256).max);
        _assertHolding(borrower, HELD, 0);
    }
}
