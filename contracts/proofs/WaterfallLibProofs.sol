// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {WaterfallLib} from "../src/lending/libraries/WaterfallLib.sol";

/// @notice What holds for every distribution of the cash of a realization.
contract WaterfallLibProofs {
    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_AMOUNT = type(uint128).max;

    function _requireBounded(uint256 cash, WaterfallLib.Rooms memory rooms) private pure {
        require(cash <= MAX_AMOUNT && rooms.claimOpen <= MAX_AMOUNT && rooms.advancedOpen <= MAX_AMOUNT);
        require(rooms.penaltyRoom <= MAX_AMOUNT && rooms.debtRoom <= MAX_AMOUNT && rooms.loanDebt <= MAX_AMOUNT);
    }

    /// @custom:property WTF-01 The legs add up to the cash: nothing is lost and no more is paid than was received.
    /// @custom:witness 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function legsAddUp(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(
            legs.toClaim + legs.toFund + legs.penalty + legs.debtApplied + legs.recovered + legs.surplus == cash
        );
    }

    /// @custom:property WTF-02 No leg is larger than its room.
    /// @custom:witness 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function legsStayInTheirRooms(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.toClaim <= rooms.claimOpen && legs.toFund <= rooms.advancedOpen);
        assert(legs.penalty <= rooms.penaltyRoom);
        assert(legs.debtApplied <= rooms.loanDebt && legs.debtApplied + legs.recovered <= rooms.debtRoom);
    }

    /// @custom:property WTF-03 Nobody is paid before the claim is whole.
    /// @custom:witness 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function claimComesFirst(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.toClaim == rooms.claimOpen || legs.toClaim == cash);
    }

    /// @custom:property WTF-04 The pool takes a penalty only after the insurance fund has its money back.
    /// @custom:witness 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function fundComesBeforePenalty(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.penalty == 0 || legs.toFund == rooms.advancedOpen);
        assert(legs.debtApplied + legs.recovered == 0 || legs.penalty == rooms.penaltyRoom);
    }

    /// @custom:property WTF-05 The borrower has a surplus only after every room is full.
    /// @custom:witness 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function surplusComesLast(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        if (legs.surplus == 0) return;
        assert(legs.toClaim == rooms.claimOpen && legs.toFund == rooms.advancedOpen);
        assert(legs.penalty == rooms.penaltyRoom && legs.debtApplied + legs.recovered == rooms.debtRoom);
    }

    /// @custom:property WTF-06 What is beyond all rooms is the borrower's, to the last unit.
    /// @custom:witness 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function excessIsTheBorrowers(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        uint256 kept = rooms.claimOpen + rooms.advancedOpen + rooms.penaltyRoom + rooms.debtRoom;
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.surplus == (cash > kept ? cash - kept : 0));
    }

    /// @custom:property WTF-07 The pool keeps something beyond the debt only after the loan owes nothing.
    /// @custom:witness 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function debtComesBeforeIncome(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.recovered == 0 || legs.debtApplied == rooms.loanDebt);
    }

    /// @custom:property WTF-08 More cash never shrinks a leg.
    /// @custom:witness 500, 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function legsGrowWithTheCash(uint256 less, uint256 more, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(more, rooms);
        require(less <= more);
        WaterfallLib.Legs memory a = WaterfallLib.split(less, rooms);
        WaterfallLib.Legs memory b = WaterfallLib.split(more, rooms);
        assert(a.toClaim <= b.toClaim && a.toFund <= b.toFund && a.penalty <= b.penalty);
        assert(a.debtApplied <= b.debtApplied && a.recovered <= b.recovered && a.surplus <= b.surplus);
    }

    /// @custom:property WTF-09 Cash that comes in two pieces ends where it would have ended in one.
    /// @custom:witness 500, 1_000, WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function piecesEndWhereTheWholeEnds(uint256 first, uint256 second, WaterfallLib.Rooms memory rooms)
        external
        pure
    {
        _requireBounded(first, rooms);
        require(second <= MAX_AMOUNT);
        WaterfallLib.Legs memory whole = WaterfallLib.split(first + second, rooms);
        WaterfallLib.Legs memory a = WaterfallLib.split(first, rooms);
        WaterfallLib.Legs memory b = WaterfallLib.split(
            second,
            WaterfallLib.Rooms(
                rooms.claimOpen - a.toClaim,
                rooms.advancedOpen - a.toFund,
                rooms.penaltyRoom - a.penalty,
                rooms.debtRoom - a.debtApplied - a.recovered,
                rooms.loanDebt - a.debtApplied
            )
        );
        assert(a.toClaim + b.toClaim == whole.toClaim && a.toFund + b.toFund == whole.toFund);
        assert(a.penalty + b.penalty == whole.penalty && a.surplus + b.surplus == whole.surplus);
        assert(a.debtApplied + b.debtApplied == whole.debtApplied && a.recovered + b.recovered == whole.recovered);
    }

    /// @custom:property WTF-10 Without cash nothing moves.
    /// @custom:witness WaterfallLib.Rooms(100, 200, 300, 50, 20)
    function nothingComesOfNothing(WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(0, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(0, rooms);
        assert(legs.toClaim == 0 && legs.toFund == 0 && legs.penalty == 0);
        assert(legs.debtApplied == 0 && legs.recovered == 0 && legs.surplus == 0);
    }

    /// @custom:property WTF-11 The penalty is at most its share of the amount, and no penalty is taken at 0 bps.
    /// @custom:witness 1_003, 500
    function penaltyIsItsShare(uint256 amount, uint256 penaltyBps) external pure {
        require(amount <= MAX_AMOUNT && penaltyBps <= BPS);
        uint256 penalty = WaterfallLib.penaltyDown(amount, penaltyBps);
        assert(penalty * BPS <= amount * penaltyBps && penalty <= amount);
        assert(penaltyBps != 0 || penalty == 0);
    }

    /// @custom:property WTF-12 The room beyond the claim exists for every part of the debt: it never underflows.
    /// @custom:witness 1_003, 5_000, 500
    function roomBeyondTheClaimExists(uint256 claim, uint256 totalDebt, uint256 penaltyBps) external pure {
        require(claim <= totalDebt && totalDebt <= MAX_AMOUNT && penaltyBps <= BPS);
        assert(
            totalDebt + WaterfallLib.penaltyDown(totalDebt, penaltyBps)
                >= claim + WaterfallLib.penaltyDown(claim, penaltyBps)
        );
    }

    /// @custom:property WTF-13 The fund is never asked for more than the claim misses after the sale.
    /// @custom:witness 1_003, 500, 600, false
    function gapIsWhatTheSaleMissed(uint256 claim, uint256 proceeds, uint256 floorValue, bool isCountersigned)
        external
        pure
    {
        require(claim <= MAX_AMOUNT && proceeds <= MAX_AMOUNT && floorValue <= MAX_AMOUNT);
        uint256 gap = WaterfallLib.coverableGap(claim, proceeds, floorValue, isCountersigned);
        assert(gap <= (claim > proceeds ? claim - proceeds : 0));
    }

    /// @custom:property WTF-14 Without a second signature the fund pays nothing for a sale below the floor value.
    /// @custom:witness 1_003, 500, 600
    function fundDoesNotPayBelowTheFloor(uint256 claim, uint256 proceeds, uint256 floorValue) external pure {
        require(claim <= MAX_AMOUNT && proceeds <= MAX_AMOUNT && floorValue <= MAX_AMOUNT);
        uint256 gap = WaterfallLib.coverableGap(claim, proceeds, floorValue, false);
        assert(gap <= (claim > floorValue ? claim - floorValue : 0));
    }

    /// @custom:property WTF-15 With a second signature sale and fund together make the claim whole.
    /// @custom:witness 1_003, 500, 600
    function countersignedGapMakesTheClaimWhole(uint256 claim, uint256 proceeds, uint256 floorValue) external pure {
        require(claim <= MAX_AMOUNT && proceeds <= claim && floorValue <= MAX_AMOUNT);
        assert(proceeds + WaterfallLib.coverableGap(claim, proceeds, floorValue, true) == claim);
    }
}
