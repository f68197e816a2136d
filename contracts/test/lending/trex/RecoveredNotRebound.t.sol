// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice Between a recovery and the rebinding the pledge is not where the books say. It is not lost either.
contract TrexRecoveredNotReboundTest is TrexWorld {
    uint256 private constant FUND = 10_000e6;
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        _fundReserve(FUND);
        loanId = _openLoan(100e18, 7_000e6);
    }

    function _freezer() private view returns (FreezeAdapter) {
        return FreezeAdapter(adapter);
    }

    function _expectNotRebound() private {
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.PledgeNotRebound.selector, loanId, borrower));
    }

    function _tryLiquidate() private {
        vm.prank(liquidator);
        market.liquidate(loanId, _noPrice());
    }

    function _assertNothingLost() private view {
        assertEq(cash.balanceOf(address(fund)), FUND);
        assertTrue(market.loan(loanId).status == LoanStatus.ACTIVE);
        assertEq(market.loan(loanId).collateral, 100e18);
    }

    /* HEALTHY */

    function testFuzz_healthy_isNeverWrittenOff(uint256 price) public {
        price = bound(price, 83e6, 120e6);
        _recover(borrower, newWallet, borrowerIdentity);
        _setPrice(price);
        vm.expectPartialRevert(IMarketErrors.LoanStillHealthy.selector);
        _tryLiquidate();
        _assertNothingLost();
        market.rebindPledge(loanId, newWallet);
        assertApproxEqAbs(_debt(loanId), 7_000e6, 1e6);
    }

    function test_healthy_staysSoWhateverAnotherAgentTakes() public {
        vm.prank(transferAgent);
        security.burn(borrower, 10_000e18);
        vm.expectPartialRevert(IMarketErrors.LoanStillHealthy.selector);
        _tryLiquidate();
        _assertNothingLost();
    }

    /* UNHEALTHY */

    function test_unhealthy_isSeizedOnceItIsRebound() public {
        _recover(borrower, newWallet, borrowerIdentity);
        _setPrice(80e6);
        _expectNotRebound();
        _tryLiquidate();
        _assertNothingLost();
        market.rebindPledge(loanId, newWallet);
        _liquidate(loanId);
        _assertHolding(address(router), 45.9375e18, 0);
        assertEq(cash.balanceOf(address(fund)), FUND);
    }

    function test_overdue_isSeizedOnceItIsReboundToo() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 100);
        loanId = _openLoan(100e18, 5_000e6);
        _recover(borrower, newWallet, borrowerIdentity);
        skipTime(32 days);
        _setPrice(PRICE);
        _expectNotRebound();
        _tryLiquidate();
        market.rebindPledge(loanId, newWallet);
        _liquidate(loanId);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertGt(security.balanceOf(address(router)), 0);
    }

    /// A loss while the wallet is still the holder's is a loss at once.
    function test_unhealthy_aLossIsBookedAtOnce() public {
        vm.prank(transferAgent);
        security.burn(borrower, 10_000e18);
        _setPrice(80e6);
        vm.expectEmit(address(market));
        emit IMarketEvents.CollateralMissing(loanId, 100e18, 0);
        _tryLiquidate();
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
    }

    /// A wallet that only lost its identity still holds the pledge.
    function test_unhealthy_aWalletThatWasTakenOffTheRegisterIsSeized() public {
        registry.deleteIdentity(borrower);
        _setPrice(80e6);
        _tryLiquidate();
        _assertHolding(address(router), 45.9375e18, 0);
    }

    /* NOTICE */

    function test_notice_revertsWhileThePledgeIsThere() public {
        registry.deleteIdentity(borrower);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.WalletNotRecovered.selector, borrower, 10_000e18));
        _freezer().noticeRecovery(loanId);
    }

    function test_notice_revertsForALossOfARegisteredWallet() public {
        vm.prank(transferAgent);
        security.burn(borrower, 10_000e18);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.WalletNotRecovered.selector, borrower, 0));
        _freezer().noticeRecovery(loanId);
    }

    function test_notice_revertsForALoanThatDoesNotExist() public {
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.WalletNotRecovered.selector, address(0), 0));
        _freezer().noticeRecovery(7);
    }

    function test_notice_revertsForALoanThatIsClosed() public {
        uint256 second = _openLoan(100e18, 5_000e6);
        _repay(second, type(uint256).max);
        _recover(borrower, newWallet, borrowerIdentity);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.WalletNotRecovered.selector, borrower, 0));
        _freezer().noticeRecovery(second);
        _freezer().noticeRecovery(loanId);
    }

    function test_notice_revertsWhileAnotherOneRuns() public {
        _recover(borrower, newWallet, borrowerIdentity);
        uint256 until = block.timestamp + 3 days;
        _freezer().noticeRecovery(loanId);
        skipTime(6 days);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.RecoveryAlreadyNoticed.selector, loanId, until));
        _freezer().noticeRecovery(loanId);
        skipTime(1);
        _freezer().noticeRecovery(loanId);
    }

    function test_notice_endsWithTheRebinding() public {
        _recover(borrower, newWallet, borrowerIdentity);
        _freezer().noticeRecovery(loanId);
        market.rebindPledge(loanId, newWallet);
        assertEq(_freezer().rebindUntil(loanId), 0);
    }

    /// The token lets its agent recover to another identity. The pledge cannot follow: in the end it is a loss.
    function testFuzz_notice_afterItWhatIsMissingIsLost(uint256 waited) public {
        waited = bound(waited, 1, 6 days);
        _recover(borrower, newWallet, _createIdentity());
        vm.expectEmit(adapter);
        emit IFreezeAdapter.RecoveryNoticed(loanId, borrower, block.timestamp + 3 days);
        vm.prank(stranger);
        _freezer().noticeRecovery(loanId);
        skipTime(waited - 1);
        _setPrice(80e6);
        if (block.timestamp <= _freezer().rebindUntil(loanId)) {
            _expectNotRebound();
            _tryLiquidate();
            return;
        }
        _tryLiquidate();
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertEq(market.loan(loanId).collateral, 0);
        _assertSolvent();
    }

    function test_notice_ofLongAgoDoesNotServe() public {
        _recover(borrower, newWallet, borrowerIdentity);
        _freezer().noticeRecovery(loanId);
        skipTime(6 days + 1);
        _setPrice(80e6);
        _expectNotRebound();
        _tryLiquidate();
        market.rebindPledge(loanId, newWallet);
        _tryLiquidate();
        assertGt(security.balanceOf(address(router)), 0);
    }
}
