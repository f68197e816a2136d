// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {WaterfallLib} from "../../../src/lending/libraries/WaterfallLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract WaterfallLibTest is BaseTest {
    function test_split_fillsTheRoomsInOrder() public pure {
        WaterfallLib.Rooms memory rooms = WaterfallLib.Rooms(100, 20, 5, 50, 30);
        _assertLegs(99, rooms, [uint256(99), 0, 0, 0, 0, 0]);
        _assertLegs(121, rooms, [uint256(100), 20, 1, 0, 0, 0]);
        _assertLegs(145, rooms, [uint256(100), 20, 5, 20, 0, 0]);
        _assertLegs(175, rooms, [uint256(100), 20, 5, 30, 20, 0]);
        _assertLegs(180, rooms, [uint256(100), 20, 5, 30, 20, 5]);
    }

    function testFuzz_split_conservesEveryUnit(uint128 cash, uint128[5] memory r) public pure {
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, WaterfallLib.Rooms(r[0], r[1], r[2], r[3], r[4]));
        assertEq(
            legs.toClaim + legs.toFund + legs.penalty + legs.debtApplied + legs.recovered + legs.surplus, uint256(cash)
        );
        assertLe(legs.debtApplied, r[4]);
        // A later room gets nothing while an earlier one is open.
        if (legs.toClaim < r[0]) assertEq(legs.toFund + legs.penalty + legs.debtApplied + legs.surplus, 0);
        if (legs.surplus != 0) assertEq(legs.debtApplied + legs.recovered, r[3]);
    }

    function test_coverableGap_countsTheFloorValueAsPaid() public pure {
        assertEq(WaterfallLib.coverableGap(100, 40, 70, false), 30);
        assertEq(WaterfallLib.coverableGap(100, 80, 70, false), 20);
        assertEq(WaterfallLib.coverableGap(100, 40, 70, true), 60);
        assertEq(WaterfallLib.coverableGap(100, 0, 150, false), 0);
    }

    function _assertLegs(uint256 cash, WaterfallLib.Rooms memory rooms, uint256[6] memory expected) private pure {
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assertEq(legs.toClaim, expected[0], "claim");
        assertEq(legs.toFund, expected[1], "fund");
        assertEq(legs.penalty, expected[2], "penalty");
        assertEq(legs.debtApplied, expected[3], "debt");
        assertEq(legs.recovered, expected[4], "recovered");
        assertEq(legs.surplus, expected[5], "surplus");
    }
}
