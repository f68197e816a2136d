// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AuctionPriceLib} from "../../../src/lending/libraries/AuctionPriceLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract AuctionPriceLibTest is BaseTest {
    function test_priceUp_fallsFromStartToFloor() public pure {
        assertEq(AuctionPriceLib.priceUp(100e6, 13_000, 9_500, 0, 3_600), 130e6);
        assertEq(AuctionPriceLib.priceUp(100e6, 13_000, 9_500, 1_800, 3_600), 112.5e6);
        assertEq(AuctionPriceLib.priceUp(100e6, 13_000, 9_500, 3_600, 3_600), 95e6);
        assertEq(AuctionPriceLib.priceUp(100e6, 13_000, 9_500, 9_999, 3_600), 95e6);
    }

    function testFuzz_priceUp_neverRisesAndStaysInTheBand(
        uint256 price,
        uint256 start,
        uint256 floor,
        uint256 t,
        uint256 u
    ) public pure {
        price = bound(price, 1, type(uint104).max);
        start = bound(start, 10_001, 20_000);
        floor = bound(floor, 8_000, 10_000);
        t = bound(t, 0, 90_000);
        u = bound(u, t, 90_000);
        uint256 early = AuctionPriceLib.priceUp(price, start, floor, t, 86_400);
        uint256 late = AuctionPriceLib.priceUp(price, start, floor, u, 86_400);
        assertLe(late, early);
        assertGe(late, AuctionPriceLib.floorPriceUp(price, floor));
        assertLe(early, AuctionPriceLib.priceUp(price, start, floor, 0, 86_400));
    }

    function testFuzz_costUp_roundsAgainstTheBidder(uint256 amount, uint256 price) public pure {
        amount = bound(amount, 0, type(uint96).max);
        price = bound(price, 0, type(uint104).max);
        uint256 cost = AuctionPriceLib.costUp(amount, price, 1e18);
        assertGe(cost * 1e18, amount * price);
        if (cost != 0) assertLt((cost - 1) * 1e18, amount * price);
    }
}
