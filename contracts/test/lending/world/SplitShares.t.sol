// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {ICollateralAdapter} from "../../../src/lending/interfaces/ICollateralAdapter.sol";
import {CollateralMode} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {StockWorld} from "../../support/StockWorld.sol";

/// @notice A split of the collateral is no loss and no gain to a loan on it: 5,000 lent on 100 shares at 100.
abstract contract SplitSharesTest is StockWorld {
    uint256 internal loanId;

    function setUp() public override {
        super.setUp();
        loanId = _openLoan(100e18, 5_000e6);
    }

    /// @dev What the adapter still has of the borrower's.
    function _held() internal view virtual returns (uint256);

    function test_split_leavesTheHealthWhereItWas() public {
        assertEq(market.healthFactor(loanId), 1.7e18);
        _split(2, 1);
        _setPrice(50e6);
        _repay(loanId, 1e6);
        assertEq(market.loan(loanId).collateral, 200e18);
        assertGe(market.healthFactor(loanId), 1.7e18);
        assertEq(market.pool().totalCollateral, 200e18);
        assertEq(market.collateralOf(borrower), 200e18);
        vm.prank(liquidator);
        vm.expectPartialRevert(IMarketErrors.PriceBeforeSplit.selector);
        market.liquidate(loanId, _noPrice());
        _setPrice(50e6);
        vm.prank(liquidator);
        vm.expectPartialRevert(IMarketErrors.LoanStillHealthy.selector);
        market.liquidate(loanId, _noPrice());
    }

    function test_split_thePriceFromBeforeValuesNothingAfterIt() public {
        _split(2, 1);
        vm.startPrank(borrower);
        vm.expectPartialRevert(IMarketErrors.PriceBeforeSplit.selector);
        market.borrowMore(loanId, 1e6, _noPrice());
        vm.expectPartialRevert(IMarketErrors.PriceBeforeSplit.selector);
        market.withdrawCollateral(loanId, 100e18, _noPrice());
        vm.expectPartialRevert(IMarketErrors.PriceBeforeSplit.selector);
        market.openLoan(10e18, 500e6, _noPrice());
        market.repay(loanId, 1_000e6);
        vm.stopPrank();
        // A price of the second in which the split was noticed may be of before it.
        skipTime(1);
        _setPrice(50e6);
        vm.prank(borrower);
        market.withdrawCollateral(loanId, 10e18, _noPrice());
        assertEq(market.loan(loanId).collateral, 190e18);
        uint256 later = _openLoan(20e18, 500e6);
        assertEq(market.loan(later).collateral, 20e18);
    }

    function test_split_aFullRepaymentGivesEverythingBack() public {
        uint256 free = stock.transferableBalance(borrower);
        _split(2, 1);
        _give(borrower, 100e6);
        vm.expectEmit(address(market));
        emit IMarketEvents.CollateralSplit(loanId, 100e18, 200e18);
        _repay(loanId, type(uint256).max);
        assertEq(stock.transferableBalance(borrower), 2 * free + 200e18);
        assertEq(_held(), 0);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
    }

    function test_split_aRealLossIsStillRealized() public {
        _split(2, 1);
        _setPrice(50e6);
        _repay(loanId, 1e6);
        skipTime(1 hours);
        _setPrice(28e6);
        uint256 id = _liquidate(loanId);
        assertEq(market.realization(id).penaltyBps, 500);
        assertGt(stock.balanceOf(address(router)), 0);
        assertEq(stock.balanceOf(address(router)) + market.loan(loanId).collateral, 200e18);
        assertEq(ICollateralAdapter(adapter).pledgedNow(loanId), market.loan(loanId).collateral);
    }

    function test_split_ofThreeForTwoRoundsDown() public {
        vm.prank(borrower);
        market.addCollateral(loanId, 1);
        _split(3, 2);
        _repay(loanId, 1e6);
        assertEq(market.loan(loanId).collateral, 150e18 + 1);
        _split(3, 2);
        vm.prank(borrower);
        market.addCollateral(loanId, 7);
        assertEq(market.loan(loanId).collateral, 225e18 + 1 + 7);
        assertGe(_held(), 225e18 + 1 + 7);
    }

    function test_split_isSeenInReadsBeforeAnybodyActs() public {
        _split(2, 1);
        _setPrice(50e6);
        assertEq(market.loan(loanId).collateral, 200e18);
        assertEq(market.healthFactor(loanId), 1.7e18 * 5_000e6 / _debt(loanId));
    }

    function test_split_broughtInByOneLoanIsSeenInAllOthers() public {
        uint256 other = _openLoan(50e18, 1_000e6);
        _split(2, 1);
        _repay(other, 1e6);
        _setPrice(50e6);
        assertEq(market.loan(loanId).collateral, 200e18);
        assertEq(market.healthFactor(loanId), 1.7e18 * 5_000e6 / _debt(loanId));
    }

    function test_split_underWayStopsWhatNeedsAPriceAndNoRepayment() public {
        _giveCollateral(recipient, 1e18);
        vm.prank(company);
        stock.stockSplit(2, 1, 1);
        assertGt(stock.splitHoldersLeft(), 0);
        vm.prank(liquidator);
        vm.expectPartialRevert(IMarketErrors.PriceBeforeSplit.selector);
        market.liquidate(loanId, _noPrice());
        _give(borrower, 100e6);
        _repay(loanId, type(uint256).max);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        stock.continueSplit(type(uint256).max);
        _afterASplitUnderWay();
    }

    function _afterASplitUnderWay() internal virtual;
}

contract SplitSharesInCustodyTest is SplitSharesTest {
    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    function _held() internal view override returns (uint256) {
        return stock.balanceOf(adapter);
    }

    /// The token lets nothing move during a split: what waits in escrow grows with it.
    function _afterASplitUnderWay() internal override {
        vm.prank(borrower);
        assertEq(CustodyAdapter(adapter).claimEscrowedCollateral(), 200e18);
        assertEq(stock.balanceOf(adapter), 0);
        assertEq(CustodyAdapter(adapter).totalEscrowed(), 0);
    }
}

contract SplitSharesInTheWalletTest is SplitSharesTest {
    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.FREEZE;
    }

    function _held() internal view override returns (uint256) {
        return stock.frozenBy(adapter, borrower);
    }

    function _afterASplitUnderWay() internal override {
        // Unfreezing was refused: anyone does it when the split is over. The adapter has not seen the split, the token has.
        FreezeAdapter(adapter).releaseDeferred(borrower);
        assertEq(stock.frozenBy(adapter, borrower), 0);
    }
}
