// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {ICollateralAdapter} from "../../../src/lending/interfaces/ICollateralAdapter.sol";
import {ICustodyAdapter} from "../../../src/lending/interfaces/ICustodyAdapter.sol";
import {CollateralMode} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

contract TrexCustodyTest is TrexWorld {
    uint256 private constant HELD = 10_000e18;

    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    function _custody() private view returns (CustodyAdapter) {
        return CustodyAdapter(adapter);
    }

    function test_open_revertsWhileTheAdapterIsNotVerified() public {
        registry.deleteIdentity(adapter);
        vm.prank(borrower);
        vm.expectRevert("Transfer not possible");
        market.openLoan(100e18, 5_000e6, _noPrice());
        _registerHolder(adapter);
        _openLoan(100e18, 5_000e6);
        _assertHolding(adapter, 100e18, 0);
    }

    function test_open_revertsWhileTheTokenIsPausedOrThePartIsFrozen() public {
        vm.prank(transferAgent);
        security.pause();
        vm.prank(borrower);
        vm.expectRevert("Pausable: paused");
        market.openLoan(100e18, 5_000e6, _noPrice());
        vm.startPrank(transferAgent);
        security.unpause();
        security.freezePartialTokens(borrower, HELD - 99e18);
        vm.stopPrank();
        vm.prank(borrower);
        vm.expectRevert("Insufficient Balance");
        market.openLoan(100e18, 5_000e6, _noPrice());
    }

    function testFuzz_life_custodyHoldsExactlyWhatIsPledged(uint256 opened, uint256 added, uint256 withdrawn) public {
        opened = bound(opened, 100e18, 5_000e18);
        added = bound(added, 1, 5_000e18);
        withdrawn = bound(withdrawn, 1, added);
        uint256 loanId = _openLoan(opened, 5_000e6);
        vm.startPrank(borrower);
        market.addCollateral(loanId, added);
        market.withdrawCollateral(loanId, withdrawn, _noPrice());
        vm.stopPrank();
        _assertHolding(adapter, opened + added - withdrawn, 0);
        _repay(loanId, 1_000e6);
        _assertHolding(adapter, opened + added - withdrawn, 0);
        _repay(loanId, type(uint256).max);
        _assertHolding(adapter, 0, 0);
        _assertHolding(borrower, HELD, 0);
    }

    function test_liquidate_revertsWhileTheRouterIsNotVerified() public {
        registry.deleteIdentity(address(router));
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        vm.prank(liquidator);
        vm.expectRevert("Transfer not possible");
        market.liquidate(loanId, _noPrice());
        _registerHolder(address(router));
        _liquidate(loanId);
        _assertHolding(address(router), 45.9375e18, 0);
        _assertHolding(adapter, 54.0625e18, 0);
    }

    function test_return_blockedByTheRegisterIsEscrowedAndClaimedLater() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        registry.deleteIdentity(borrower);
        vm.expectEmit(adapter);
        emit ICustodyAdapter.CollateralEscrowed(borrower, 100e18);
        _repay(loanId, type(uint256).max);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        _assertHolding(adapter, 100e18, 0);
        vm.prank(borrower);
        vm.expectRevert("Transfer not possible");
        _custody().claimEscrowedCollateral();
        assertEq(_custody().escrowOf(borrower), 100e18);
        registry.registerIdentity(borrower, borrowerIdentity, 276);
        vm.prank(borrower);
        assertEq(_custody().claimEscrowedCollateral(), 100e18);
        _assertHolding(borrower, HELD, 0);
        _assertHolding(adapter, 0, 0);
        assertEq(_custody().totalEscrowed(), 0);
    }

    function test_return_ofSeveralLoansAddsUpInEscrow() public {
        uint256 first = _openLoan(100e18, 5_000e6);
        uint256 second = _openLoan(200e18, 5_000e6);
        vm.prank(transferAgent);
        security.setAddressFrozen(borrower, true);
        _repay(first, type(uint256).max);
        vm.prank(borrower);
        market.withdrawCollateral(second, 50e18, _noPrice());
        assertEq(_custody().escrowOf(borrower), 150e18);
        _assertHolding(adapter, 300e18, 0);
        vm.prank(transferAgent);
        security.setAddressFrozen(borrower, false);
        vm.prank(borrower);
        _custody().claimEscrowedCollateral();
        _assertHolding(adapter, 150e18, 0);
        _repay(second, type(uint256).max);
        _assertHolding(borrower, HELD, 0);
    }

    function test_return_whileTheTokenIsPausedIsEscrowed() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.prank(transferAgent);
        security.pause();
        _repay(loanId, type(uint256).max);
        assertEq(_custody().escrowOf(borrower), 100e18);
        vm.prank(transferAgent);
        security.unpause();
        vm.prank(borrower);
        _custody().claimEscrowedCollateral();
        _assertHolding(borrower, HELD, 0);
    }

    function test_return_ofTheRestOfATermRealizationIsEscrowedToo() public {
        vm.prank(issuer);
        market.setTermConfig(30 days, 1 days, 0, 0);
        uint256 loanId = _openLoan(100e18, 5_000e6);
        registry.deleteIdentity(borrower);
        skipTime(32 days);
        _setPrice(PRICE);
        _liquidate(loanId);
        uint256 taken = security.balanceOf(address(router));
        assertEq(_custody().escrowOf(borrower), 100e18 - taken);
        _assertHolding(adapter, 100e18 - taken, 0);
    }

    /// Each topic makes a transfer dearer by some 59,000 gas: what the return may not spend, the holder's own call may.
    function test_return_toAHolderWithManyClaimsIsNeverLost() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _requireTopics(15);
        _addClaims(borrowerIdentity);
        _repay(loanId, type(uint256).max);
        uint256 escrowed = _custody().escrowOf(borrower);
        assertEq(security.balanceOf(borrower) + escrowed, HELD);
        if (escrowed != 0) {
            vm.prank(borrower);
            _custody().claimEscrowedCollateral();
        }
        _assertHolding(borrower, HELD, 0);
    }

    function test_rebind_isNotForCustody() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.expectRevert(ICollateralAdapter.RebindNotSupported.selector);
        market.rebindPledge(loanId, newWallet);
    }
}
