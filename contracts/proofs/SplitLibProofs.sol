// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ratio, SplitLib} from "../src/trading/libraries/SplitLib.sol";

/// @notice What holds for the balances of a vault after every split.
contract SplitLibProofs {
    uint256 private constant MAX_AMOUNT = type(uint128).max;

    /// @custom:property SPL-01 Free and committed together are the whole balance, rounded down once.
    function partsAreTheWhole(uint256 free, uint256 committed, uint128 numerator, uint128 denominator) external pure {
        require(denominator != 0 && free <= MAX_AMOUNT && committed <= MAX_AMOUNT - free);
        Ratio memory ratio = Ratio(numerator, denominator);
        (uint256 newFree, uint256 newCommitted,) = SplitLib.scaleParts(free, committed, 0, ratio);
        assert(newFree + newCommitted == (free + committed) * numerator / denominator);
    }

    /// @custom:property SPL-02 What is asked back stays a part of what is committed.
    function requestedStaysAPart(uint256 committed, uint256 requested, uint128 numerator, uint128 denominator)
        external
        pure
    {
        require(denominator != 0 && committed <= MAX_AMOUNT && requested <= committed);
        (, uint256 newCommitted, uint256 newRequested) =
            SplitLib.scaleParts(0, committed, requested, Ratio(numerator, denominator));
        assert(newRequested <= newCommitted);
    }

    /// @custom:property SPL-03 No part of a balance makes a split revert.
    /// @custom:targets underflow overflow divByZero
    function partsNeverRevert(
        uint256 free,
        uint256 committed,
        uint256 requested,
        uint128 numerator,
        uint128 denominator
    ) external pure {
        require(denominator != 0 && free <= MAX_AMOUNT && committed <= MAX_AMOUNT - free && requested <= committed);
        SplitLib.scaleParts(free, committed, requested, Ratio(numerator, denominator));
    }

    /// @custom:property SPL-04 Two balances together never become more than both at once.
    function balancesNeverOutgrowTheirSum(uint256 first, uint256 second, uint128 numerator, uint128 denominator)
        external
        pure
    {
        require(denominator != 0 && first <= MAX_AMOUNT && second <= MAX_AMOUNT - first);
        Ratio memory ratio = Ratio(numerator, denominator);
        uint256 both = SplitLib.scaleDown(first + second, ratio);
        assert(SplitLib.scaleDown(first, ratio) + SplitLib.scaleDown(second, ratio) <= both);
    }

    /// @custom:property SPL-05 The books never promise more than is held.
    function booksAreHeld(uint256 booked, uint256 held, uint128 numerator, uint128 denominator) external pure {
        require(denominator != 0 && booked <= MAX_AMOUNT && held <= MAX_AMOUNT);
        (uint256 newBooked,) = SplitLib.follow(booked, held, Ratio(numerator, denominator));
        assert(newBooked <= held);
    }

    /// @custom:property SPL-06 While everything is still held, no balance falls.
    function nothingFallsThatIsHeld(uint256 booked, uint256 held, uint128 numerator, uint128 denominator)
        external
        pure
    {
        require(denominator != 0 && booked <= held && held <= MAX_AMOUNT);
        (uint256 newBooked,) = SplitLib.follow(booked, held, Ratio(numerator, denominator));
        assert(newBooked >= booked);
    }

    /// @custom:property SPL-07 A split that the vault went through is followed as it was told.
    function splitsAreFollowed(uint256 booked, uint256 held, uint128 numerator, uint128 denominator) external pure {
        require(denominator != 0 && booked <= MAX_AMOUNT && held <= MAX_AMOUNT);
        uint256 needed = booked * numerator / denominator;
        require(needed <= held && (numerator >= denominator || held < booked));
        (uint256 newBooked, bool isTold) = SplitLib.follow(booked, held, Ratio(numerator, denominator));
        assert(isTold && newBooked == needed);
    }

    /// @custom:property SPL-08 A ratio that is told and taken back, with nothing moved, takes nothing from the books.
    function blipsTakeNothing(uint256 booked, uint256 held, uint128 numerator, uint128 denominator) external pure {
        require(numerator != 0 && denominator != 0 && booked <= held && held <= MAX_AMOUNT);
        (uint256 between,) = SplitLib.follow(booked, held, Ratio(numerator, denominator));
        (uint256 afterwards,) = SplitLib.follow(between, held, Ratio(denominator, numerator));
        assert(afterwards >= booked && afterwards <= held);
    }
}
