// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {VaultSharesLib} from "../../../src/lending/libraries/VaultSharesLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract VaultSharesLibTest is BaseTest {
    function test_shares_areOneAUnitAtFirst() public pure {
        assertEq(VaultSharesLib.toSharesDown(1_000e6, 0, 0), 1_000e6);
        assertEq(VaultSharesLib.toAssetsDown(1_000e6, 1_000e6, 1_000e6), 1_000e6);
    }

    function test_burnt_roundsAgainstTheRedeemer() public pure {
        assertEq(VaultSharesLib.burntUp(10, 3, 3), 10);
        assertEq(VaultSharesLib.burntUp(10, 1, 3), 4);
        assertEq(VaultSharesLib.burntUp(10, 2, 3), 7);
    }

    function testFuzz_roundTrip_isNoProfit(uint256 paid, uint256 assets, uint256 supply) public pure {
        paid = bound(paid, 0, type(uint104).max);
        assets = bound(assets, 0, type(uint104).max);
        supply = bound(supply, 0, type(uint128).max);
        uint256 shares = VaultSharesLib.toSharesDown(paid, assets, supply);
        // More shares than that no vault counts.
        if (shares > type(uint128).max) return;
        assertLe(VaultSharesLib.toAssetsDown(shares, assets + paid, supply + shares), paid);
    }

    function testFuzz_redemption_inTwoPaysNoMoreThanInOne(uint256 shares, uint256 part, uint256 assets, uint256 supply)
        public
        pure
    {
        assets = bound(assets, 0, type(uint104).max);
        supply = bound(supply, 2, type(uint128).max);
        shares = bound(shares, 2, supply);
        part = bound(part, 1, shares - 1);
        uint256 whole = VaultSharesLib.toAssetsDown(shares, assets, supply);
        uint256 first = VaultSharesLib.toAssetsDown(part, assets, supply);
        uint256 second = VaultSharesLib.toAssetsDown(shares - part, assets - first, supply - part);
        // What rounding left at the first may come back at the second.
        assertLe(first + second, whole + 1);
    }
}
