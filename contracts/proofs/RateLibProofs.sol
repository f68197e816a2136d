// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode, RateTerms} from "../src/lending/interfaces/IInterestRateModel.sol";
import {InterestLib} from "../src/lending/libraries/InterestLib.sol";
import {RateLib} from "../src/lending/libraries/RateLib.sol";

/// @notice What holds for the rate of variable loans under all terms that a model accepts.
contract RateLibProofs {
    uint256 private constant MAX_AMOUNT = type(uint128).max;

    function _requireTerms(RateTerms memory terms) private pure {
        require(terms.baseBps <= 50_000 && terms.multiplierBps <= 50_000);
        require(terms.jumpBps <= 1_000_000 && terms.kinkBps <= 10_000);
        require(terms.floorBps <= terms.capBps && terms.capBps <= 50_000);
    }

    /// @custom:property RAT-01 No terms make a rate above 500 % a year, so every rate fits where the market keeps it.
    function rateIsCapped(RateTerms memory terms, uint256 borrowed, uint256 liquidity) external pure {
        _requireTerms(terms);
        require(borrowed <= MAX_AMOUNT && liquidity <= MAX_AMOUNT);
        uint256 rate = RateLib.rateDown(terms, borrowed, liquidity);
        assert(rate <= 5e18);
        assert(rate <= type(uint64).max);
    }

    /// @custom:property RAT-02 A clamped rate stays between floor and cap.
    function clampedRateStaysInItsBand(RateTerms memory terms, uint256 borrowed, uint256 liquidity) external pure {
        _requireTerms(terms);
        require(borrowed <= MAX_AMOUNT && liquidity <= MAX_AMOUNT && terms.mode == RateMode.CLAMPED);
        uint256 rate = RateLib.rateDown(terms, borrowed, liquidity);
        assert(rate >= terms.floorBps * InterestLib.WAD_PER_BPS);
        assert(rate <= terms.capBps * InterestLib.WAD_PER_BPS);
    }

    /// @custom:property RAT-03 Without a clamp a pool that lends nothing has the base rate.
    function idlePoolHasTheBaseRate(RateTerms memory terms, uint256 liquidity) external pure {
        _requireTerms(terms);
        require(liquidity <= MAX_AMOUNT && terms.mode != RateMode.CLAMPED);
        assert(RateLib.rateDown(terms, 0, liquidity) == terms.baseBps * InterestLib.WAD_PER_BPS);
    }

    /// @custom:property RAT-04 No rate reverts, not even when more is lent than there is.
    /// @custom:targets overflow underflow divByZero
    function nothingReverts(RateTerms memory terms, uint256 borrowed, uint256 liquidity) external pure {
        _requireTerms(terms);
        require(borrowed <= MAX_AMOUNT && liquidity <= MAX_AMOUNT);
        RateLib.rateDown(terms, borrowed, liquidity);
    }
}
