// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {ICollateralAdapter} from "../../../src/lending/interfaces/ICollateralAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LoanStatus, Realization} from "../../../src/lending/interfaces/MarketTypes.sol";
import {FreezeWorld} from "../../support/FreezeWorld.sol";

contract FreezeTest is FreezeWorld {
    address private newWallet = makeAddress("new wallet");

    function _freezer() private view returns (FreezeAdapter) {
        return FreezeAdapter(adapter);
    }

    function test_life_openAddWithdrawRepay_staysInTheWallet() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        assertEq(security.balanceOf(borrower), 10_000e18);
        assertEq(security.getFrozenTokens(borrower), 100e18);
        assertEq(_freezer().lockedOf(borrower), 100e18);
        vm.startPrank(borrower);
        market.addCollateral(loanId, 50e18);
        market.withdrawCollateral(loanId, 20e18, _noPrice());
        vm.stopPrank();
        assertEq(security.getFrozenTokens(borrower), 130e18);
        _repay(loanId, type(uint256).max);
        assertEq(security.getFrozenTokens(borrower), 0);
        assertEq(_freezer().lockedOf(borrower), 0);
    }

    function test_open_revertsWhenTheFreeBalanceIsShort() public {
        _openLoan(9_000e18, 5_000e6);
        vm.prank(borrower);
        vm.expectRevert();
        market.openLoan(1_001e18, 5_000e6, _noPrice());
    }

    function test_seizure_takesExactlyThePledge() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _openLoan(200e18, 5_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        uint256 taken = security.balanceOf(address(router));
        assertEq(taken, 45.9375e18);
        assertEq(security.getFrozenTokens(borrower), 300e18 - taken);
        assertEq(security.balanceOf(borrower), 10_000e18 - taken);
        _sellAndSettle(1, 3_675e6);
        assertEq(security.balanceOf(recipient), taken);
        _assertSolvent();
    }

    function test_adapter_onlyTheMarketAndOnlyToRouterOrVenue() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        bytes memory refused = abi.encodeWithSelector(ICollateralAdapter.NotMarket.selector, address(this));
        vm.expectRevert(refused);
        _freezer().lock(1, borrower, 1);
        vm.expectRevert(refused);
        _freezer().release(1, 1);
        vm.expectRevert(refused);
        _freezer().seize(1, 1, address(router));
        vm.expectRevert(refused);
        _freezer().setPledgee(address(this));
        vm.expectRevert(refused);
        _freezer().reconcile(1);
        vm.expectRevert(refused);
        _freezer().rebind(1, newWallet);
        vm.startPrank(address(market));
        vm.expectRevert(abi.encodeWithSelector(ICollateralAdapter.RecipientNotAllowed.selector, stranger));
        _freezer().seize(loanId, 1, stranger);
        vm.expectRevert(abi.encodeWithSelector(ICollateralAdapter.RecipientNotAllowed.selector, address(0)));
        _freezer().seize(loanId, 1, address(0));
        // No more than all loans of the holder have locked.
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        _freezer().seize(loanId, 100e18 + 1, address(router));
        vm.expectRevert(abi.encodeWithSelector(ICollateralAdapter.PledgeeAlreadySet.selector, agent));
        _freezer().setPledgee(stranger);
        vm.stopPrank();
    }

    function test_anotherAgentUnfreezes_releaseStillSucceedsAndSaysSo() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        uint256 other = _openLoan(100e18, 5_000e6);
        vm.prank(transferAgent);
        security.unfreezePartialTokens(borrower, 150e18);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.FreezeShortfall(borrower, 200e18, 50e18);
        _repay(loanId, type(uint256).max);
        // What the other loan still has frozen stays frozen.
        assertEq(security.getFrozenTokens(borrower), 50e18);
        assertEq(market.loan(other).collateral, 100e18);
    }

    function test_anotherAgentTakesCollateral_liquidationBooksWhatIsLeft() public {
        uint256 loanId = _openLoan(10_000e18, 600_000e6);
        registry.registerIdentity(stranger, address(this), 276);
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, stranger, 4_000e18);
        _setPrice(70e6);
        vm.expectEmit(address(market));
        emit IMarketEvents.CollateralMissing(loanId, 10_000e18, 6_000e18);
        uint256 id = _liquidate(loanId);
        Realization memory r = market.realization(id);
        assertEq(r.claim, 300_000e6);
        assertEq(market.loan(loanId).collateral + security.balanceOf(address(router)), 6_000e18);
        _assertSolvent();
    }

    function test_anotherAgentTakesEverything_theFundIsAskedOnTheTermPathToo() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 0);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _fundReserve(1_000e6);
        registry.registerIdentity(stranger, address(this), 276);
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, stranger, 10_000e18);
        skipTime(32 days);
        _setPrice(PRICE);
        Realization memory r = market.realization(_liquidate(loanId));
        assertEq(r.claim, 0);
        assertEq(r.advanced, 1_000e6);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertEq(market.pool().cash, POOL - 5_000e6 + 1_000e6);
        _assertSolvent();
    }

    function test_rebind_followsARecoveryOfTheSameIdentity() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.expectRevert(
            abi.encodeWithSelector(IFreezeAdapter.WalletNotRecovered.selector, borrower, uint256(10_000e18))
        );
        market.rebindPledge(loanId, newWallet);
        _recover(borrowerIdentity);
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, stranger));
        market.rebindPledge(loanId, stranger);
        market.rebindPledge(loanId, newWallet);
        assertEq(market.loan(loanId).borrower, newWallet);
        assertEq(market.collateralOf(newWallet), 100e18);
        assertEq(security.getFrozenTokens(newWallet), 100e18);
        (address holder, uint256 amount) = _freezer().pledgeOf(loanId);
        assertEq(holder, newWallet);
        assertEq(amount, 100e18);
        vm.prank(borrower);
        market.repay(loanId, type(uint256).max);
        assertEq(security.getFrozenTokens(newWallet), 0);
    }

    function test_rebind_refusesAnotherIdentity() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _recover(makeAddress("somebody else"));
        vm.expectRevert(abi.encodeWithSelector(IFreezeAdapter.NotSameIdentity.selector, borrower, newWallet));
        market.rebindPledge(loanId, newWallet);
    }

    /// A wallet that never pledged.
    function test_gas_openLoanFreezeFirst() public {
        _give(borrower, 1e6);
        vm.prank(borrower);
        market.openLoan(10e18, 500e6, _noPrice());
        assertLe(vm.snapshotGasLastCall("openLoan FREEZE first"), 300_000);
    }

    function test_gas_openLoanFreezeRepeat() public {
        _giveCollateral(borrower, 1e18);
        _openLoan(100e18, 5_000e6);
        skipTime(1 hours);
        vm.prank(borrower);
        market.openLoan(10e18, 500e6, _noPrice());
        assertLe(vm.snapshotGasLastCall("openLoan FREEZE repeat"), 250_000);
    }

    function _recover(address identity) private {
        registry.registerIdentity(newWallet, identity, 276);
        vm.prank(transferAgent);
        security.forcedTransfer(borrower, newWallet, 10_000e18);
    }
}
