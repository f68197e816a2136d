// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Somebody sends tokens to parts of the suite to bend their books.
contract DonationAttackTest is LendingTest {
    function test_attack_cashAndCollateralSentToEveryPart() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        uint256 rate = market.pool().borrowRateWad;
        uint256 price = market.toAssets(1e24);
        // 1. Gifts of both tokens to market, adapter and router.
        address[3] memory parts = [address(market), adapter, address(router)];
        for (uint256 i = 0; i < 3; ++i) {
            _give(parts[i], 10_000e6);
            _giveCollateral(parts[i], 10_000e18);
        }
        // 2. Neither share price nor rate nor capacity moves.
        market.syncRate();
        assertEq(market.toAssets(1e24), price);
        assertEq(market.pool().borrowRateWad, rate);
        assertEq(market.loan(loanId).collateral, 100e18);
        // 3. A realization routes exactly its own collateral, not the gift.
        _setPrice(80e6);
        _liquidate(loanId);
        assertEq(router.liquidation(1).collateralAmount, 45.9375e18);
        _sellAndSettle(1, 3_675e6);
        assertEq(token.balanceOf(address(router)), 10_000e18);
        assertEq(cash.balanceOf(address(router)), 10_000e6);
    }
}
