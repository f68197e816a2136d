// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {FeeSplitLib} from "../../../src/lending/libraries/FeeSplitLib.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract RepayTest is LendingTest {
    function test_repay_revertsOnUnknownAndClosedLoansAndForNothing() public {
        uint256 loanId = _openLoan(100e18, 500e6);
        vm.startPrank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.InvalidAmount.selector, 0));
        market.repay(loanId, 0);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotFound.selector, 9));
        market.repay(9, 1);
        market.repay(loanId, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.LoanNotActive.selector, loanId));
        market.repay(loanId, 1);
    }

    function test_repay_settlesInterestThenPrincipal() public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        skipTime(100 days);
        uint256 interest = market.loan(loanId).interest;
        assertGt(interest, 0);
        _repay(loanId, interest - 1);
        assertEq(market.loan(loanId).principal, 50_000e6);
        assertEq(market.loan(loanId).interest, 1);
        vm.expectEmit(address(market));
        emit IMarketEvents.LoanRepaid(loanId, borrower, 10e6, 1);
        _repay(loanId, 10e6 + 1);
        assertEq(market.loan(loanId).principal, 50_000e6 - 10e6);
        _assertSolvent();
    }

    function test_repay_takesNoMoreThanCloses_andReleases() public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        skipTime(10 days);
        uint256 debt = _debt(loanId);
        _give(borrower, 10_000e6);
        vm.expectEmit(address(market));
        emit IMarketEvents.LoanClosed(loanId, 1_000e18);
        assertEq(_repay(loanId, type(uint256).max), debt);
        assertTrue(market.loan(loanId).status == LoanStatus.CLOSED);
        assertEq(token.balanceOf(borrower), 10_000e18);
        PoolView memory p = market.pool();
        assertEq(p.totalBorrowed, 0);
        assertEq(p.interestGross, 0);
        assertEq(p.totalCollateral, 0);
        assertEq(market.collateralOf(borrower), 0);
        _assertSolvent();
    }

    function test_repay_isOpenToAnyoneAndGoesOnWhilePausedAndStale() public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        vm.prank(admin);
        market.pause();
        skipTime(3 days);
        _give(stranger, 60_000e6);
        vm.startPrank(stranger);
        cash.approve(address(market), type(uint256).max);
        market.repay(loanId, type(uint256).max);
        vm.stopPrank();
        assertEq(token.balanceOf(borrower), 10_000e18);
    }

    function test_repay_splitsInterestToTheUnit() public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        skipTime(200 days);
        uint256 interest = market.loan(loanId).interest;
        (uint256 infrastructure, uint256 operator, uint256 distributor,, uint256 providers) =
            FeeSplitLib.splitInterest(interest, 0);
        vm.expectEmit(address(market));
        emit IMarketEvents.InterestSplit(infrastructure, operator, distributor, 0, providers);
        _repay(loanId, interest);
        PoolView memory p = market.pool();
        assertEq(p.infrastructureFees, infrastructure);
        assertEq(p.operatorFees, operator);
        assertEq(p.distributorFees, distributor);
        assertEq(p.cash, POOL - 50_000e6 + providers);
        _assertSolvent();
    }

    function test_repay_aStampedLoanPaysItsOwnRate() public {
        vm.startPrank(issuer);
        market.setTermConfig(365 days, 1 days, 0, 0);
        model.setRateMode(RateMode.FIXED, 0, 0, 650);
        vm.stopPrank();
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        vm.prank(issuer);
        model.setRateMode(RateMode.CURVE, 0, 0, 0);
        skipTime(108 days);
        assertEq(market.loan(loanId).interest, 961_643_836);
        _give(borrower, 1_000e6);
        _repay(loanId, type(uint256).max);
        assertEq(market.pool().interestGross, 0);
        _assertSolvent();
    }

    function test_repayWithPermit_needsNoApproval() public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        vm.prank(borrower);
        cash.approve(address(market), 0);
        uint256 deadline = block.timestamp + 60;
        (uint8 v, bytes32 r, bytes32 s) = _permit(1_000e6, deadline);
        vm.prank(borrower);
        assertEq(market.repayWithPermit(loanId, 1_000e6, deadline, v, r, s), 1_000e6);
        assertEq(market.loan(loanId).principal, 49_000e6);
    }

    function test_repayWithPermit_worksWhenSomebodyUsedThePermitFirst() public {
        uint256 loanId = _openLoan(1_000e18, 50_000e6);
        vm.prank(borrower);
        cash.approve(address(market), 0);
        uint256 deadline = block.timestamp + 60;
        (uint8 v, bytes32 r, bytes32 s) = _permit(1_000e6, deadline);
        cash.permit(borrower, address(market), 1_000e6, deadline, v, r, s);
        vm.prank(borrower);
        assertEq(market.repayWithPermit(loanId, 1_000e6, deadline, v, r, s), 1_000e6);
    }

    function testFuzz_repay_debtFallsByWhatWasPaidAndTheSharePriceNeverDoes(uint256 lent, uint256 time, uint256 paid)
        public
    {
        lent = bound(lent, 100e6, 700_000e6);
        uint256 loanId = _openLoan(10_000e18, lent);
        skipTime(bound(time, 0, 900 days));
        uint256 debt = _debt(loanId);
        paid = bound(paid, 1, debt);
        _give(borrower, debt);
        uint256 price = market.toAssets(1e30);
        assertEq(_repay(loanId, paid), paid);
        assertGe(market.toAssets(1e30), price);
        LoanView memory l = market.loan(loanId);
        assertEq(l.principal + l.interest, debt - paid);
        _assertSolvent();
    }

    function _permit(uint256 value, uint256 deadline) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash =
            keccak256(abi.encode(typeHash, borrower, address(market), value, cash.nonces(borrower), deadline));
        return vm.sign(borrowerKey, keccak256(abi.encodePacked("\x19\x01", cash.DOMAIN_SEPARATOR(), structHash)));
    }
}
