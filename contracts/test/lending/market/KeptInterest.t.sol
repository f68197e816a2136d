// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Interest that is not paid is kept as interest since an earlier index: whatever is drawn or paid, the debt changes
/// by exactly that.
contract KeptInterestTest is LendingTest {
    uint256 private constant UNIT = 1e18;

    function setUp() public override {
        super.setUp();
        _giveCollateral(borrower, 60e9 * UNIT);
        _give(borrower, 1e12 * UNIT);
    }

    function _makeCash() internal override returns (DemoCash) {
        return new DemoCash("Cash", "CASH", 18, address(this));
    }

    function _poolSize() internal pure override returns (uint256) {
        return 1e12 * UNIT;
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.initialPrice = 100 * UNIT;
    }

    function _assertThePoolCountsNoMore(uint256 loanId) private view {
        assertGe(market.loan(loanId).interest, market.pool().interestGross);
        _assertSolvent();
    }

    /// Up to far beyond what one step of the index is worth less than one unit of.
    function testFuzz_drawsAndPaymentsChangeTheDebtByTheirAmount(uint256 first, uint256 more, uint256 paid, uint32 wait)
        public
    {
        first = bound(first, 100 * UNIT, 1e11 * UNIT);
        more = bound(more, 1, 1e11 * UNIT);
        uint256 loanId = _openLoan(10e9 * UNIT, first);
        skipTime(bound(wait, 1, 365 days));
        _setPrice(100 * UNIT);
        uint256 debt = _debt(loanId);
        vm.prank(borrower);
        market.borrowMore(loanId, more, _noPrice());
        assertEq(_debt(loanId), debt + more);
        _assertThePoolCountsNoMore(loanId);

        skipTime(bound(wait, 1, 30 days));
        debt = _debt(loanId);
        uint256 interest = market.loan(loanId).interest;
        paid = bound(paid, 1, interest);
        _repay(loanId, paid);
        assertEq(_debt(loanId), debt - paid);
        assertEq(market.loan(loanId).principal, first + more);
        _assertThePoolCountsNoMore(loanId);

        _repay(loanId, type(uint256).max);
        assertEq(market.pool().totalBorrowed, 0);
        assertEq(market.pool().interestGross, 0);
        _assertSolvent();
    }

    function test_smallPayments_oneAfterTheOther() public {
        uint256 loanId = _openLoan(10e9 * UNIT, 1e10 * UNIT);
        for (uint256 i = 1; i <= 20; ++i) {
            skipTime(1 hours * i);
            uint256 debt = _debt(loanId);
            _repay(loanId, i * 1e17 + i);
            assertEq(_debt(loanId), debt - i * 1e17 - i);
            _assertThePoolCountsNoMore(loanId);
        }
    }
}
