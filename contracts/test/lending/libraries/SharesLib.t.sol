// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SharesLib} from "../../../src/lending/libraries/SharesLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract SharesLibTest is BaseTest {
    uint256 private constant MAX_ASSETS = type(uint104).max;

    function test_offset_makesOneWholeUnitOneWholeShare() public pure {
        assertEq(SharesLib.toSharesDown(1e6, 0, 0, SharesLib.offset(6)), 1e18);
        assertEq(SharesLib.toSharesDown(1e18, 0, 0, SharesLib.offset(18)), 1e18);
    }

    function testFuzz_conversion_neverGivesBackMoreThanWasPaid(uint256 paid, uint256 assets, uint256 shares)
        public
        pure
    {
        paid = bound(paid, 0, MAX_ASSETS);
        assets = bound(assets, 0, MAX_ASSETS);
        shares = bound(shares, 0, type(uint128).max);
        uint256 minted = SharesLib.toSharesDown(paid, assets, shares, 1e12);
        // The pool keeps shares in 128 bits and refuses a deposit that would mint more.
        vm.assume(minted <= type(uint128).max);
        assertLe(SharesLib.toAssetsDown(minted, assets + paid, shares + minted, 1e12), paid);
    }

    function testFuzz_deposit_neverLowersTheSharePrice(uint256 paid, uint256 assets, uint256 shares) public pure {
        paid = bound(paid, 0, type(uint96).max);
        assets = bound(assets, 0, type(uint96).max);
        shares = bound(shares, 0, type(uint112).max);
        uint256 minted = SharesLib.toSharesDown(paid, assets, shares, 1e12);
        vm.assume(minted <= type(uint128).max);
        // (assets + paid + 1) / (shares + minted + offset) >= (assets + 1) / (shares + offset)
        assertGe((assets + paid + 1) * (shares + 1e12), (assets + 1) * (shares + minted + 1e12));
    }

    function test_isWipedOut_onlyWhenNothingIsLeftForTheShares() public pure {
        assertFalse(SharesLib.isWipedOut(0, 0, 1e12));
        assertTrue(SharesLib.isWipedOut(0, 1e18, 1e12));
        assertFalse(SharesLib.isWipedOut(1, 1e18, 1e12));
        assertTrue(SharesLib.isWipedOut(1, 1e18 + 1, 1e12));
    }
}
