// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {ICollateralAdapter} from "../../../src/lending/interfaces/ICollateralAdapter.sol";
import {ICustodyAdapter} from "../../../src/lending/interfaces/ICustodyAdapter.sol";
import {IFreezeAdapter} from "../../../src/lending/interfaces/IFreezeAdapter.sol";
import {CollateralMode} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {StockWorld} from "../../support/StockWorld.sol";

/// @notice The borrower lost its key. Register and company know its new wallet; the loan was opened with the old one.
contract LostWalletInCustodyTest is StockWorld {
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 5_000e6);
        _give(lender, 10_000e6);
    }

    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    /// @dev Somebody pays for the borrower, who has no key.
    function _payOff() private {
        vm.prank(lender);
        market.repay(loanId, type(uint256).max);
    }

    function test_escrow_isNobodysWithoutASuccessor() public {
        registry.revokeIdentity(borrower);
        _payOff();
        assertEq(CustodyAdapter(adapter).escrowOf(borrower), 100e18);
        vm.expectRevert(abi.encodeWithSelector(ICustodyAdapter.NoSuccessor.selector, borrower));
        CustodyAdapter(adapter).claimEscrowOfLostWallet(borrower);
    }

    function test_escrow_goesToTheWalletThatTookItsPlace() public {
        _recoverBorrower();
        uint256 held = stock.balanceOf(found);
        _payOff();
        assertEq(CustodyAdapter(adapter).escrowOf(borrower), 100e18);
        vm.prank(stranger);
        assertEq(CustodyAdapter(adapter).claimEscrowOfLostWallet(borrower), 100e18);
        assertEq(stock.balanceOf(found), held + 100e18);
        vm.expectRevert(abi.encodeWithSelector(ICustodyAdapter.NothingEscrowed.selector, borrower));
        CustodyAdapter(adapter).claimEscrowOfLostWallet(borrower);
    }

    function test_rebind_makesTheNewWalletTheBorrower() public {
        vm.expectRevert(ICollateralAdapter.RebindNotSupported.selector);
        market.rebindPledge(loanId, found);
        _recoverBorrower();
        vm.expectRevert(abi.encodeWithSelector(ICustodyAdapter.NoSuccessor.selector, borrower));
        market.rebindPledge(loanId, recipient);
        vm.prank(stranger);
        market.rebindPledge(loanId, found);
        assertEq(market.loan(loanId).borrower, found);
        assertEq(market.collateralOf(found), 100e18);
        uint256 held = stock.balanceOf(found);
        _payOff();
        assertEq(stock.balanceOf(found), held + 100e18);
    }

    function test_surplus_needsASuccessorAndSomethingThatWaits() public {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NoSuccessor.selector, borrower));
        market.claimSurplusOfLostWallet(borrower);
        _recoverBorrower();
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidAmount.selector, 0));
        market.claimSurplusOfLostWallet(borrower);
    }
}

contract LostWalletWithAFreezeTest is StockWorld {
    uint256 private loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 5_000e6);
        _give(lender, 10_000e6);
    }

    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.FREEZE;
    }

    function _payOff() private {
        vm.prank(lender);
        market.repay(loanId, type(uint256).max);
    }

    function test_repayment_freesTheSharesInTheNewWalletWithoutARebind() public {
        _recoverBorrower();
        assertEq(stock.frozenBy(adapter, found), 100e18);
        vm.expectEmit(adapter);
        emit IFreezeAdapter.RecoveredReleaseMade(borrower, found, 100e18);
        _payOff();
        assertEq(stock.frozenBy(adapter, found), 0);
        assertEq(FreezeAdapter(adapter).deferredReleaseOf(borrower), 0);
        assertEq(FreezeAdapter(adapter).lockedOf(borrower), 0);
    }

    function test_repayment_freesTheSharesAfterARebind() public {
        _recoverBorrower();
        market.rebindPledge(loanId, found);
        _payOff();
        assertEq(stock.frozenBy(adapter, found), 0);
    }

    function test_repayment_afterASplitFreesAllOfThem() public {
        _recoverBorrower();
        _split(2, 1);
        assertEq(stock.frozenBy(adapter, found), 200e18);
        _payOff();
        assertEq(stock.frozenBy(adapter, found), 0);
    }

    function test_repayment_leavesWhatTheNewWalletPledgedItself() public {
        _recoverBorrower();
        _give(found, 10e6);
        vm.startPrank(found);
        uint256 own = market.openLoan(30e18, 1_000e6, _noPrice());
        vm.stopPrank();
        _payOff();
        assertEq(stock.frozenBy(adapter, found), 30e18);
        assertEq(market.loan(own).collateral, 30e18);
    }
}
