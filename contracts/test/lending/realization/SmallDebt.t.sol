// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A debt too small to be lent is claimed whole: at the minimum of its opening, or a lower one of today.
contract SmallDebtTest is LendingTest {
    function test_liquidate_aHigherMinimumDoesNotTouchOpenLoans() public {
        uint256 loanId = _openLoan(20e18, 1_000e6);
        _setMinimum(1_000_000_000e6);
        _setPrice(57e6);
        uint256 id = _liquidate(loanId);
        assertEq(market.realization(id).claim, 500e6);
        assertEq(market.loan(loanId).principal, 500e6);
    }

    function test_liquidate_aLowerMinimumAppliesAtOnce() public {
        uint256 loanId = _openLoan(2e18, 100e6);
        _setMinimum(50e6);
        _setPrice(57e6);
        uint256 id = _liquidate(loanId);
        assertEq(market.realization(id).claim, 50e6);
    }

    function test_liquidate_claimsASmallDebtWhole() public {
        uint256 loanId = _openLoan(2e18, 100e6);
        _setPrice(57e6);
        uint256 id = _liquidate(loanId);
        assertEq(market.realization(id).claim, 100e6);
    }

    function testFuzz_liquidate_neverWholeAboveTheMinimumOfTheOpening(uint256 stamped, uint256 later) public {
        stamped = bound(stamped, 0, 900e6);
        _setMinimum(stamped);
        uint256 loanId = _openLoan(20e18, 1_000e6);
        _setMinimum(bound(later, 0, type(uint128).max));
        _setPrice(57e6);
        assertEq(market.realization(_liquidate(loanId)).claim, 500e6);
    }

    function _setMinimum(uint256 amount) private {
        MarketConfig memory config = market.config();
        config.minBorrowAmount = uint128(amount);
        vm.prank(issuer);
        market.setConfig(config);
    }
}
