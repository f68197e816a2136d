// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {InterestLib} from "../src/lending/libraries/InterestLib.sol";

/// @notice What holds for the interest of every loan, of the pool, and for the rate curve.
contract InterestLibProofs {
    uint256 private constant MAX_AMOUNT = type(uint104).max;
    /// @dev What the market keeps of the sum of rate x seconds.
    uint256 private constant MAX_INDEX = type(uint112).max;
    uint256 private constant MAX_RATE = 5e18;
    uint256 private constant MAX_TIME = type(uint40).max;
    uint256 private constant WAD_YEAR = 1e18 * 365 days;

    /// @custom:property INT-01 Elapsed time and its start add up to now; a clock that steps back adds none.
    function elapsedIsTheDifference(uint256 since, uint256 timestamp) external pure {
        uint256 elapsed = InterestLib.elapsed(since, timestamp);
        assert(timestamp <= since ? elapsed == 0 : since + elapsed == timestamp);
    }

    /// @custom:property INT-02 A loan owes nothing for no time, and nothing without principal.
    function noTimeNoInterest(uint256 principal, uint256 delta) external pure {
        require(principal <= MAX_AMOUNT && delta <= MAX_INDEX);
        assert(InterestLib.loanInterestUp(principal, 0) == 0);
        assert(InterestLib.loanInterestUp(0, delta) == 0);
    }

    /// @custom:property INT-03 A loan owes the exact interest, rounded up by less than one unit.
    function loanInterestIsExactRoundedUp(uint256 principal, uint256 delta) external pure {
        require(principal <= MAX_AMOUNT && delta <= MAX_INDEX);
        uint256 interest = InterestLib.loanInterestUp(principal, delta);
        assert(interest * WAD_YEAR >= principal * delta);
        assert(interest * WAD_YEAR < principal * delta + WAD_YEAR);
    }

    /// @custom:property INT-04 Interest never falls with time.
    function loanInterestGrowsWithTime(uint256 principal, uint256 early, uint256 late) external pure {
        require(principal <= MAX_AMOUNT && early <= late && late <= MAX_INDEX);
        assert(InterestLib.loanInterestUp(principal, early) <= InterestLib.loanInterestUp(principal, late));
    }

    /// @custom:property INT-05 Interest never falls with the principal.
    function loanInterestGrowsWithPrincipal(uint256 less, uint256 more, uint256 delta) external pure {
        require(less <= more && more <= MAX_AMOUNT && delta <= MAX_INDEX);
        assert(InterestLib.loanInterestUp(less, delta) <= InterestLib.loanInterestUp(more, delta));
    }

    /// @custom:property INT-06 Settling a loan in between costs its borrower at most one unit and saves none.
    function settlingInBetweenCostsAtMostOne(uint256 principal, uint256 first, uint256 second) external pure {
        require(principal <= MAX_AMOUNT && first <= MAX_INDEX && second <= MAX_INDEX);
        uint256 pieces = InterestLib.loanInterestUp(principal, first) + InterestLib.loanInterestUp(principal, second);
        uint256 whole = InterestLib.loanInterestUp(principal, first + second);
        assert(whole <= pieces && pieces <= whole + 1);
    }

    /// @custom:property INT-07 Borrowing in two loans never owes less than in one.
    function twoLoansOweNoLess(uint256 first, uint256 second, uint256 delta) external pure {
        require(first <= MAX_AMOUNT && second <= MAX_AMOUNT && delta <= MAX_INDEX);
        assert(
            InterestLib.loanInterestUp(first, delta) + InterestLib.loanInterestUp(second, delta)
                >= InterestLib.loanInterestUp(first + second, delta)
        );
    }

    /// @custom:property INT-08 Any principal that is lent for any time at any rate owes at least one unit.
    function nothingIsLentForFree(uint256 principal, uint256 delta) external pure {
        require(principal >= 1 && principal <= MAX_AMOUNT && delta >= 1 && delta <= MAX_INDEX);
        assert(InterestLib.loanInterestUp(principal, delta) >= 1);
    }

    /// @custom:property INT-09 A year at 100 % owes exactly the principal.
    function oneYearAtOneHundredPercent(uint256 principal) external pure {
        require(principal <= MAX_AMOUNT);
        assert(InterestLib.loanInterestUp(principal, WAD_YEAR) == principal);
    }

    /// @custom:property INT-10 The pool earns nothing in no time, and nothing without loans.
    function poolEarnsNothingInNoTime(uint256 variable_, uint256 rate, uint256 stamped, uint256 time) external pure {
        require(variable_ <= MAX_AMOUNT && rate <= MAX_RATE && stamped <= type(uint120).max && time <= MAX_TIME);
        assert(InterestLib.poolInterestDown(variable_, rate, stamped, 0) == 0);
        assert(InterestLib.poolInterestDown(0, rate, 0, time) == 0);
    }

    /// @custom:property INT-11 What the pool earns never falls with time.
    function poolInterestGrowsWithTime(uint256 variable_, uint256 rate, uint256 stamped, uint256 early, uint256 late)
        external
        pure
    {
        require(variable_ <= MAX_AMOUNT && rate <= MAX_RATE && stamped <= type(uint120).max);
        require(early <= late && late <= MAX_TIME);
        assert(
            InterestLib.poolInterestDown(variable_, rate, stamped, early)
                <= InterestLib.poolInterestDown(variable_, rate, stamped, late)
        );
    }

    /// @custom:property INT-12 What the pool earns never falls with the rate.
    function poolInterestGrowsWithTheRate(uint256 variable_, uint256 low, uint256 high, uint256 stamped, uint256 time)
        external
        pure
    {
        require(variable_ <= MAX_AMOUNT && low <= high && high <= MAX_RATE && stamped <= type(uint120).max);
        require(time <= MAX_TIME);
        assert(
            InterestLib.poolInterestDown(variable_, low, stamped, time)
                <= InterestLib.poolInterestDown(variable_, high, stamped, time)
        );
    }

    /// @custom:property INT-13 Accruing in between never earns the pool more and costs it at most a billionth of a unit.
    function accruingInBetweenCostsAlmostNothing(
        uint256 variable_,
        uint256 rate,
        uint256 stamped,
        uint256 first,
        uint256 second
    ) external pure {
        require(variable_ <= MAX_AMOUNT && rate <= MAX_RATE && stamped <= type(uint120).max);
        require(first <= MAX_TIME && second <= MAX_TIME);
        uint256 pieces = InterestLib.poolInterestDown(variable_, rate, stamped, first)
            + InterestLib.poolInterestDown(variable_, rate, stamped, second);
        uint256 whole = InterestLib.poolInterestDown(variable_, rate, stamped, first + second);
        assert(pieces <= whole && whole <= pieces + 1);
    }

    /// @custom:property INT-14 The pool never books more than a variable loan owes.
    function poolBooksNoMoreThanAVariableLoanOwes(uint256 principal, uint256 rate, uint256 time) external pure {
        require(principal <= MAX_AMOUNT && rate <= MAX_RATE && time <= MAX_TIME);
        uint256 booked = InterestLib.poolInterestDown(principal, rate, 0, time);
        assert(booked <= InterestLib.loanInterestUp(principal, rate * time) * InterestLib.POOL_SCALE);
    }

    /// @custom:property INT-15 The pool never books more than a loan with its own rate owes.
    function poolBooksNoMoreThanAStampedLoanOwes(uint256 principal, uint256 rateBps, uint256 time) external pure {
        require(principal <= MAX_AMOUNT && rateBps <= 50_000 && time <= MAX_TIME);
        uint256 booked = InterestLib.poolInterestDown(0, 0, principal * rateBps, time);
        uint256 delta = rateBps * InterestLib.WAD_PER_BPS * time;
        assert(booked <= InterestLib.loanInterestUp(principal, delta) * InterestLib.POOL_SCALE);
    }

    /// @custom:property INT-16 The pool never books more than its loans owe together: one variable, one with its own rate.
    function poolBooksNoMoreThanItsLoansOwe(
        uint256 variable_,
        uint256 rate,
        uint256 stamped,
        uint256 rateBps,
        uint256 time
    ) external pure {
        require(variable_ <= MAX_AMOUNT && rate <= MAX_RATE && stamped <= MAX_AMOUNT && rateBps <= 50_000);
        require(time <= MAX_TIME);
        uint256 booked = InterestLib.poolInterestDown(variable_, rate, stamped * rateBps, time);
        uint256 owed = InterestLib.loanInterestUp(variable_, rate * time)
            + InterestLib.loanInterestUp(stamped, rateBps * InterestLib.WAD_PER_BPS * time);
        assert(booked <= owed * InterestLib.POOL_SCALE);
    }

    /// @custom:property INT-17 Utilization is 0 without liquidity or loans, 100 % when all is lent, never more.
    function utilizationStaysInItsBand(uint256 borrowed, uint256 liquidity) external pure {
        require(borrowed <= liquidity && liquidity <= MAX_AMOUNT);
        assert(InterestLib.utilizationDown(borrowed, liquidity) <= InterestLib.WAD);
        assert(InterestLib.utilizationDown(0, liquidity) == 0);
        assert(liquidity == 0 || InterestLib.utilizationDown(liquidity, liquidity) == InterestLib.WAD);
    }

    /// @custom:property INT-18 Utilization never falls when more is lent.
    function utilizationGrowsWithLoans(uint256 less, uint256 more, uint256 liquidity) external pure {
        require(less <= more && more <= MAX_AMOUNT && liquidity <= MAX_AMOUNT);
        assert(InterestLib.utilizationDown(less, liquidity) <= InterestLib.utilizationDown(more, liquidity));
    }

    function _requireCurve(uint256 base, uint256 multiplier, uint256 jump, uint256 kink) private pure {
        require(base <= 50_000 && multiplier <= 50_000 && jump <= 1_000_000 && kink <= 10_000);
    }

    /// @custom:property INT-19 The rate never falls with utilization up to the kink.
    function curveGrowsBelowTheKink(
        uint256 low,
        uint256 high,
        uint256 base,
        uint256 multiplier,
        uint256 jump,
        uint256 kink
    ) external pure {
        _requireCurve(base, multiplier, jump, kink);
        require(low <= high && high <= kink * 1e14);
        assert(
            InterestLib.curveRateDown(low, base, multiplier, jump, kink)
                <= InterestLib.curveRateDown(high, base, multiplier, jump, kink)
        );
    }

    /// @custom:property INT-20 The rate never falls with utilization from the kink on.
    function curveGrowsAboveTheKink(
        uint256 low,
        uint256 high,
        uint256 base,
        uint256 multiplier,
        uint256 jump,
        uint256 kink
    ) external pure {
        _requireCurve(base, multiplier, jump, kink);
        require(low <= high && low >= kink * 1e14 && high <= InterestLib.WAD);
        assert(
            InterestLib.curveRateDown(low, base, multiplier, jump, kink)
                <= InterestLib.curveRateDown(high, base, multiplier, jump, kink)
        );
    }

    /// @custom:property INT-21 The curve starts at the base rate and is exact at the kink.
    function curveAtItsEnds(uint256 base, uint256 multiplier, uint256 jump, uint256 kink) external pure {
        _requireCurve(base, multiplier, jump, kink);
        assert(InterestLib.curveRateDown(0, base, multiplier, jump, kink) == base * 1e14);
        assert(
            InterestLib.curveRateDown(kink * 1e14, base, multiplier, jump, kink)
                == (base * 1e4 + kink * multiplier) * 1e10
        );
    }

    /// @custom:property INT-22 No interest, utilization or rate reverts for the values that the market can hold.
    /// @custom:targets overflow underflow divByZero
    function nothingReverts(uint256 principal, uint256 delta, uint256 rate, uint256 stamped, uint256 time)
        external
        pure
    {
        require(principal <= MAX_AMOUNT && delta <= MAX_INDEX && rate <= MAX_RATE && time <= MAX_TIME);
        require(stamped <= type(uint120).max);
        InterestLib.loanInterestUp(principal, delta);
        InterestLib.poolInterestDown(principal, rate, stamped, time);
        InterestLib.utilizationDown(principal, delta);
        InterestLib.elapsed(principal, delta);
    }
}
