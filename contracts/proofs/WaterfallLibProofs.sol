// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {WaterfallLib} from "../src/lending/libraries/WaterfallLib.sol";

/// @notice What holds for every distribution of the cash of a realization.
contract WaterfallLibProofs {
    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_AMOUNT = type(uint128).max;

    function _requireBounded(uint256 cash, WaterfallLib.Rooms memory rooms) private pure {
        require(cash <= MAX_AMOUNT && rooms.claimOpen <= MAX_AMOUNT && rooms.advancedOpen <= MAX_AMOUNT);
        require(rooms.penaltyRoom <= MAX_AMOUNT && rooms.loanDebt <= MAX_AMOUNT && rooms.lostOpen <= MAX_AMOUNT);
        require(rooms.lastPenaltyRoom <= MAX_AMOUNT);
    }

    function _split(uint256 cash, WaterfallLib.Rooms memory rooms)
        private
        pure
        returns (uint256, uint256, uint256, uint256, uint256, uint256, uint256)
    {
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        return
            (legs.toClaim, legs.toFund, legs.penalty, legs.debtApplied, legs.recovered, legs.lastPenalty, legs.surplus);
    }

    /// @custom:property WTF-01 The legs add up to the cash: nothing is lost and no more is paid than was received.
    function legsAddUp(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        uint256 beyond = legs.debtApplied + legs.recovered + legs.lastPenalty;
        assert(legs.toClaim + legs.toFund + legs.penalty + beyond + legs.surplus == cash);
    }

    /// @custom:property WTF-02 No leg is larger than its room.
    function legsStayInTheirRooms(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.toClaim <= rooms.claimOpen && legs.toFund <= rooms.advancedOpen);
        assert(legs.penalty <= rooms.penaltyRoom);
        assert(legs.debtApplied <= rooms.loanDebt && legs.recovered <= rooms.lostOpen);
        assert(legs.lastPenalty <= rooms.lastPenaltyRoom);
    }

    /// @custom:property WTF-03 Nobody is paid before the claim is whole.
    function claimComesFirst(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.toClaim == rooms.claimOpen || legs.toClaim == cash);
    }

    /// @custom:property WTF-04 The pool takes a penalty only after the insurance fund has its money back.
    function fundComesBeforePenalty(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.penalty == 0 || legs.toFund == rooms.advancedOpen);
        assert(legs.debtApplied + legs.recovered + legs.lastPenalty == 0 || legs.penalty == rooms.penaltyRoom);
    }

    /// @custom:property WTF-05 The borrower has a surplus only after every room is full.
    function surplusComesLast(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        require(legs.surplus != 0);
        assert(legs.toClaim == rooms.claimOpen && legs.toFund == rooms.advancedOpen);
        assert(legs.penalty == rooms.penaltyRoom && legs.debtApplied == rooms.loanDebt);
        assert(legs.recovered == rooms.lostOpen && legs.lastPenalty == rooms.lastPenaltyRoom);
    }

    /// @custom:property WTF-06 What is beyond all rooms is the borrower's, to the last unit.
    function excessIsTheBorrowers(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        uint256 kept = rooms.claimOpen + rooms.advancedOpen + rooms.penaltyRoom;
        kept += rooms.loanDebt + rooms.lostOpen + rooms.lastPenaltyRoom;
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.surplus == (cash > kept ? cash - kept : 0));
    }

    /// @custom:property WTF-07 The pool makes up for losses, and takes the last penalty, only after the loan owes nothing.
    function debtComesBeforeIncome(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        assert(legs.recovered == 0 || legs.debtApplied == rooms.loanDebt);
        assert(legs.lastPenalty == 0 || (legs.debtApplied == rooms.loanDebt && legs.recovered == rooms.lostOpen));
    }

    /// @custom:property WTF-08 More cash never shrinks a leg.
    function legsGrowWithTheCash(uint256 less, uint256 more, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(more, rooms);
        require(less <= more);
        // The solver forgets what is in a struct when another one of its type is written: hence the plain variables.
        (
            uint256 toClaim,
            uint256 toFund,
            uint256 penalty,
            uint256 applied,
            uint256 recovered,
            uint256 last,
            uint256 surplus
        ) = _split(less, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(more, rooms);
        assert(toClaim <= legs.toClaim && toFund <= legs.toFund && penalty <= legs.penalty);
        assert(applied <= legs.debtApplied && recovered <= legs.recovered);
        assert(last <= legs.lastPenalty && surplus <= legs.surplus);
    }

    /// @custom:property WTF-09 Cash that comes in two pieces ends where it would have ended in one.
    function piecesEndWhereTheWholeEnds(uint256 first, uint256 second, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(first, rooms);
        require(second <= MAX_AMOUNT);
        (
            uint256 toClaim,
            uint256 toFund,
            uint256 penalty,
            uint256 applied,
            uint256 recovered,
            uint256 last,
            uint256 surplus
        ) = _split(first + second, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(first, rooms);
        // A subtraction that reverts would hide the input from the last assertions.
        assert(toClaim >= legs.toClaim && toFund >= legs.toFund && penalty >= legs.penalty);
        assert(applied >= legs.debtApplied && recovered >= legs.recovered);
        assert(last >= legs.lastPenalty && surplus >= legs.surplus);
        toClaim -= legs.toClaim;
        toFund -= legs.toFund;
        penalty -= legs.penalty;
        applied -= legs.debtApplied;
        recovered -= legs.recovered;
        last -= legs.lastPenalty;
        surplus -= legs.surplus;
        rooms.claimOpen -= legs.toClaim;
        rooms.advancedOpen -= legs.toFund;
        rooms.penaltyRoom -= legs.penalty;
        rooms.loanDebt -= legs.debtApplied;
        rooms.lostOpen -= legs.recovered;
        rooms.lastPenaltyRoom -= legs.lastPenalty;
        legs = WaterfallLib.split(second, rooms);
        assert(toClaim == legs.toClaim && toFund == legs.toFund && penalty == legs.penalty);
        assert(applied == legs.debtApplied && recovered == legs.recovered);
        assert(last == legs.lastPenalty && surplus == legs.surplus);
    }

    /// @custom:property WTF-10 Without cash nothing moves.
    function nothingComesOfNothing(WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(0, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(0, rooms);
        assert(legs.toClaim == 0 && legs.toFund == 0 && legs.penalty == 0);
        assert(legs.debtApplied == 0 && legs.recovered == 0 && legs.lastPenalty == 0 && legs.surplus == 0);
    }

    /// @custom:property WTF-11 The penalty is at most its share of the amount, and no penalty is taken at 0 bps.
    function penaltyIsItsShare(uint256 amount, uint256 penaltyBps) external pure {
        require(amount <= MAX_AMOUNT && penaltyBps <= BPS);
        uint256 penalty = WaterfallLib.penaltyDown(amount, penaltyBps);
        assert(penalty * BPS <= amount * penaltyBps && penalty <= amount);
        assert(penaltyBps != 0 || penalty == 0);
    }

    /// @custom:property WTF-12 All penalties of a record together are at most the penalty on the debt at its seizure.
    function penaltiesStayWithinTheDebt(uint256 claim, uint256 beyond, uint256 debt, uint256 penaltyBps, uint256 kept)
        external
        pure
    {
        require(claim <= debt && debt <= MAX_AMOUNT && beyond <= MAX_AMOUNT && penaltyBps <= BPS);
        uint256 most = WaterfallLib.penaltyDown(debt, penaltyBps);
        require(kept <= most);
        (uint256 first, uint256 last) = WaterfallLib.penaltyRooms(claim, beyond, debt, penaltyBps, kept);
        assert(kept + first + last <= most);
    }

    /// @custom:property WTF-13 The fund is never asked for more than the claim misses after the sale.
    function gapIsWhatTheSaleMissed(uint256 claim, uint256 proceeds, uint256 floorValue, bool isCountersigned)
        external
        pure
    {
        require(claim <= MAX_AMOUNT && proceeds <= MAX_AMOUNT && floorValue <= MAX_AMOUNT);
        uint256 gap = WaterfallLib.coverableGap(claim, proceeds, floorValue, isCountersigned);
        assert(gap <= (claim > proceeds ? claim - proceeds : 0));
    }

    /// @custom:property WTF-14 Without a second signature the fund pays nothing for a sale below the floor value.
    function fundDoesNotPayBelowTheFloor(uint256 claim, uint256 proceeds, uint256 floorValue) external pure {
        require(claim <= MAX_AMOUNT && proceeds <= MAX_AMOUNT && floorValue <= MAX_AMOUNT);
        uint256 gap = WaterfallLib.coverableGap(claim, proceeds, floorValue, false);
        assert(gap <= (claim > floorValue ? claim - floorValue : 0));
    }

    /// @custom:property WTF-15 With a second signature sale and fund together make the claim whole.
    function countersignedGapMakesTheClaimWhole(uint256 claim, uint256 proceeds, uint256 floorValue) external pure {
        require(claim <= MAX_AMOUNT && proceeds <= claim && floorValue <= MAX_AMOUNT);
        assert(proceeds + WaterfallLib.coverableGap(claim, proceeds, floorValue, true) == claim);
    }

    /// @custom:property WTF-16 The borrower has a surplus only when the loan owes nothing and nobody lost anything on it.
    function surplusMeansTheLoanIsPaid(uint256 cash, WaterfallLib.Rooms memory rooms) external pure {
        _requireBounded(cash, rooms);
        WaterfallLib.Legs memory legs = WaterfallLib.split(cash, rooms);
        require(legs.surplus != 0);
        assert(legs.debtApplied == rooms.loanDebt && legs.recovered == rooms.lostOpen);
        assert(legs.toFund == rooms.advancedOpen);
    }

    /// @custom:property WTF-17 No penalty is kept beyond the claim for debt that this record neither wrote off nor paid.
    function nothingBeyondMeansNoLastPenalty(uint256 claim, uint256 debt, uint256 penaltyBps, uint256 kept)
        external
        pure
    {
        require(claim <= debt && debt <= MAX_AMOUNT && penaltyBps <= BPS && kept <= MAX_AMOUNT);
        (, uint256 last) = WaterfallLib.penaltyRooms(claim, 0, debt, penaltyBps, kept);
        assert(last == 0);
    }

    /// @custom:property WTF-18 No room reverts, whatever was kept before.
    /// @custom:targets overflow underflow divByZero
    function noRoomReverts(uint256 claim, uint256 beyond, uint256 debt, uint256 penaltyBps, uint256 kept)
        external
        pure
    {
        require(claim <= debt && debt <= MAX_AMOUNT && beyond <= MAX_AMOUNT && penaltyBps <= BPS && kept <= MAX_AMOUNT);
        WaterfallLib.penaltyRooms(claim, beyond, debt, penaltyBps, kept);
    }
}
