// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {ICollateralAdapter} from "../../../src/lending/interfaces/ICollateralAdapter.sol";
import {ICustodyAdapter} from "../../../src/lending/interfaces/ICustodyAdapter.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {BoundedTransferLib} from "../../../src/lending/libraries/BoundedTransferLib.sol";
import {ExactTransferLib} from "../../../src/libraries/ExactTransferLib.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {FeeToken, FreeToken, GatedToken, SilentToken} from "../../support/hostile/CollateralTokens.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

abstract contract CustodyTokenTest is LendingTest {
    function _giveCollateral(address to, uint256 amount) internal override {
        FreeToken(address(token)).mint(to, amount);
    }
}

contract FeeTokenCustodyTest is CustodyTokenTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new FeeToken(18);
    }

    function test_pledge_isRefusedWhenLessArrives() public {
        FeeToken(address(token)).setOn(true);
        vm.prank(borrower);
        vm.expectRevert(
            abi.encodeWithSelector(ExactTransferLib.ReceivedOtherAmount.selector, address(token), 100e18, 99e18)
        );
        market.openLoan(100e18, 5_000e6, _noPrice());
    }

    /// The fee comes out of what the holder receives: what left the adapter is what the books say.
    function test_return_takesExactlyThePledgeFromTheAdapter() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        FeeToken(address(token)).setOn(true);
        _repay(loanId, type(uint256).max);
        assertEq(token.balanceOf(adapter), 0);
        assertEq(token.balanceOf(borrower), 9_900e18 + 99e18);
    }
}

contract SilentTokenCustodyTest is CustodyTokenTest {
    function _makeCollateral() internal override returns (IERC20) {
        return IERC20(address(new SilentToken()));
    }

    function test_life_worksWithoutReturnValues() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        _sellAndSettle(1, 3_675e6);
        _give(borrower, 10e6);
        _repay(loanId, type(uint256).max);
        assertEq(token.balanceOf(adapter), 0);
        assertEq(token.balanceOf(recipient) + token.balanceOf(borrower), 10_000e18);
        _assertSolvent();
    }
}

contract GatedTokenCustodyTest is CustodyTokenTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new GatedToken(18);
    }

    function _gate() private view returns (GatedToken) {
        return GatedToken(address(token));
    }

    function _custody() private view returns (CustodyAdapter) {
        return CustodyAdapter(adapter);
    }

    function test_return_isEscrowedWhileTheTokenRefusesAndClaimedLater() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _gate().setBlocked(borrower, true);
        _gate().setLoud(true);
        vm.expectEmit(adapter);
        emit ICustodyAdapter.CollateralEscrowed(borrower, 100e18);
        _repay(loanId, type(uint256).max);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertEq(_custody().escrowOf(borrower), 100e18);
        assertEq(_custody().totalEscrowed(), 100e18);
        vm.prank(borrower);
        vm.expectRevert();
        _custody().claimEscrowedCollateral();
        assertEq(_custody().escrowOf(borrower), 100e18);
        _gate().setBlocked(borrower, false);
        vm.prank(borrower);
        assertEq(_custody().claimEscrowedCollateral(), 100e18);
        assertEq(token.balanceOf(borrower), 10_000e18);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(ICustodyAdapter.NothingEscrowed.selector, borrower));
        _custody().claimEscrowedCollateral();
    }

    function test_return_cannotBeForcedIntoEscrowByStarvingTheToken() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        bytes memory repay = abi.encodeCall(market.repay, (loanId, type(uint256).max));
        bool isSaid;
        for (uint256 gas = 20_000; gas < 200_000; gas += 500) {
            uint256 state = vm.snapshotState();
            vm.prank(borrower);
            (bool success, bytes memory reason) = address(market).call{gas: gas}(repay);
            if (success) assertEq(_custody().totalEscrowed(), 0);
            else if (bytes4(reason) == BoundedTransferLib.TransferNeedsMoreGas.selector) isSaid = true;
            vm.revertToState(state);
        }
        assertTrue(isSaid);
    }

    /// The interface sends repayments with 600,000.
    function test_return_isEscrowedWithinTheGasOfARepayment() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        _gate().setBlocked(borrower, true);
        vm.startPrank(borrower);
        vm.expectPartialRevert(BoundedTransferLib.TransferNeedsMoreGas.selector);
        market.repay{gas: 450_000}(loanId, type(uint256).max);
        market.repay{gas: 600_000}(loanId, type(uint256).max);
        vm.stopPrank();
        assertEq(_custody().escrowOf(borrower), 100e18);
    }

    function test_seizure_waitsWhileTheTokenIsPaused() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _gate().setPaused(true);
        vm.expectRevert();
        _liquidate(loanId);
        _gate().setPaused(false);
        _liquidate(loanId);
        assertGt(token.balanceOf(address(router)), 0);
    }

    function test_rebind_isForFrozenCollateralOnly() public {
        uint256 loanId = _openLoan(100e18, 5_000e6);
        vm.expectRevert(ICollateralAdapter.RebindNotSupported.selector);
        market.rebindPledge(loanId, stranger);
    }

    function test_adapter_answersOnlyTheMarket() public {
        vm.expectRevert(abi.encodeWithSelector(ICollateralAdapter.NotMarket.selector, address(this)));
        _custody().reconcile(1);
        assertEq(_custody().lockedOf(borrower), 0);
        assertFalse(_custody().isFreeze());
        assertEq(_custody().pledgee(), agent);
    }
}
