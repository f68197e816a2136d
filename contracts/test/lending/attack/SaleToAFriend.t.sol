// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingTest} from "../../support/LendingTest.sol";

/// @notice The router operator reports a give-away sale so that the insurance fund pays for it.
contract SaleToAFriendAttackTest is LendingTest {
    function test_attack_aSaleFarBelowTheFloor() public {
        _fundReserve(10_000e6);
        // 1. A realization with collateral worth 3,491.25 at the floor, for a claim of 3,500.
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);
        // 2. The operator lets the friend have it for one unit.
        _sellAndSettle(1, 1);
        // 3. The fund pays only what even an honest sale at the floor would have missed.
        assertEq(market.realization(id).covered, 8.75e6);
        assertEq(cash.balanceOf(address(fund)), 10_000e6 - 8.75e6);
        _assertSolvent();
    }
}
