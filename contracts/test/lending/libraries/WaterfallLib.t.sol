// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {WaterfallLib} from "../../../src/lending/libraries/WaterfallLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract WaterfallLibTest is BaseTest {
    function test_split_fillsTheRoomsInOrder() public pure {
        WaterfallLib.Rooms memory rooms = WaterfallLib.Rooms(100, 20, 5, 30, 18, 2);
        _assertLegs(99, rooms, [uint256(99), 0, 0, 0, 0, 0, 0]);
        _assertLegs(121, rooms, [uint256(100), 20, 1, 0, 0, 0, 0]);
        _assertLegs(145, rooms, [uint256(100), 20, 5, 20, 0, 0, 0]);
        _assertLegs(172, rooms, [uint256(100), 20, 5, 30, 17, 0, 0]);
        _assertLegs(175, rooms, [uint256(100), 20, 5, 30, 18, 2, 0]);
        _assertLegs(180, rooms, [uint256(100), 20, 5, 30, 18, 2, 5]);
    }

    function testFuzz_split_conservesEveryUnit(uint128 cash, uint128[6] memory r) public pure {
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, WaterfallLib.Rooms(r[0], r[1], r[2], r[3], r[4], r[5]));
        uint256 beyond = legs.debtApplied + legs.recovered + legs.lastPenalty;
        assertEq(legs.toClaim + legs.toFund + legs.penalty + beyond + legs.surplus, uint256(cash));
        assertLe(legs.debtApplied, r[3]);
        // A later room gets nothing while an earlier one is open.
        if (legs.toClaim < r[0]) assertEq(legs.toFund + legs.penalty + beyond + legs.surplus, 0);
        if (legs.surplus != 0) assertEq(beyond, uint256(r[3]) + r[4] + r[5]);
    }

    function test_penaltyRooms_claimFirstThenTheRest() public pure {
        _assertPenalties(0, 0, 25, 0);
        _assertPenalties(0, 10, 15, 0);
        _assertPenalties(300, 10, 15, 15);
        _assertPenalties(300, 30, 0, 10);
        // Nothing beyond the debt at the seizure bears a penalty.
        _assertPenalties(900, 0, 25, 25);
        _assertPenalties(900, 50, 0, 0);
    }

    function test_coverableGap_countsTheFloorValueAsPaid() public pure {
        assertEq(WaterfallLib.coverableGap(100, 40, 70, false), 30);
        assertEq(WaterfallLib.coverableGap(100, 80, 70, false), 20);
        assertEq(WaterfallLib.coverableGap(100, 40, 70, true), 60);
        assertEq(WaterfallLib.coverableGap(100, 0, 150, false), 0);
    }

    function _assertPenalties(uint256 beyond, uint256 kept, uint256 first, uint256 last) private pure {
        (uint256 penaltyRoom, uint256 lastPenaltyRoom) = WaterfallLib.penaltyRooms(500, beyond, 1_000, 500, kept);
        assertEq(penaltyRoom, first, "on the claim");
        assertEq(lastPenaltyRoom, last, "on the rest");
    }

    function _assertLegs(uint256 cash, WaterfallLib.Rooms memory rooms, uint256[7] memory expected) private pure {
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assertEq(legs.toClaim, expected[0], "claim");
        assertEq(legs.toFund, expected[1], "fund");
        assertEq(legs.penalty, expected[2], "penalty");
        assertEq(legs.debtApplied, expected[3], "debt");
        assertEq(legs.recovered, expected[4], "recovered");
        assertEq(legs.lastPenalty, expected[5], "last penalty");
        assertEq(legs.surplus, expected[6], "surplus");
    }
}
