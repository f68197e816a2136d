// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TokenFactsLib} from "../libraries/TokenFactsLib.sol";
import {ISplitFollower} from "./interfaces/ISplitFollower.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title SplitFollower
/// @dev Amounts are kept in the shares of the splits known when they were written, with how many those were; they are
/// converted when they are next needed, rounded down.
abstract contract SplitFollower is ISplitFollower {
    /* TYPES */

    struct Step {
        uint256 numerator;
        uint256 denominator;
    }

    /* IMMUTABLES */

    /// @inheritdoc ISplitFollower
    bool public immutable followsSplits;
    address private immutable _share;

    /* STORAGE */

    /// @inheritdoc ISplitFollower
    uint256 public splitAt;
    uint128 private _numerator;
    uint128 private _denominator;
    Step[] private _steps;

    /* CONSTRUCTOR */

    constructor(address share) {
        _share = share;
        (uint256 numerator, uint256 denominator) = TokenFactsLib.splitRatio(share);
        (bool isAnswered,) = TokenFactsLib.splitState(share);
        followsSplits = isAnswered && numerator != 0;
        // forge-lint: disable-next-line(unsafe-typecast)
        if (followsSplits) (_numerator, _denominator) = (uint128(numerator), uint128(denominator));
    }

    /* INTERNAL */

    /// @notice Takes a finished split into the books.
    /// @return isKnown False while a split is under way, or when the token tells something that cannot be followed.
    function _follow() internal returns (bool isKnown) {
        Step memory step;
        uint256 numerator;
        uint256 denominator;
        (isKnown, step, numerator, denominator) = _pending();
        if (!isKnown || step.denominator == 0) return isKnown;
        // forge-lint: disable-next-line(unsafe-typecast)
        (_numerator, _denominator) = (uint128(numerator), uint128(denominator));
        _steps.push(step);
        splitAt = block.timestamp;
        _scaleTotals(step);
        emit SplitFollowed(step.numerator, step.denominator);
    }

    /// @dev Zero for a step: the books are up to date.
    function _pending() private view returns (bool isKnown, Step memory step, uint256 numerator, uint256 denominator) {
        (, bool isUnderWay) = TokenFactsLib.splitState(_share);
        (numerator, denominator) = TokenFactsLib.splitRatio(_share);
        if (isUnderWay || numerator == 0) return (false, step, 0, 0);
        if (numerator == _numerator && denominator == _denominator) return (true, step, 0, 0);
        step = _covered(Step(numerator * _denominator, denominator * _numerator));
        // Shares are merged by nobody whom we know; a ratio that falls may as well be a mistake that is taken back.
        isKnown = step.numerator > step.denominator;
    }

    /// @dev The step as far as what it is said to have made is really there: two splits in a row rounded twice.
    function _covered(Step memory step) internal view virtual returns (Step memory);

    function _scaleTotals(Step memory step) internal virtual;

    /* VIEWS */

    /// @inheritdoc ISplitFollower
    function splitsKnown(uint256 numerator, uint256 denominator) external view returns (bool) {
        return numerator == _numerator && denominator == _denominator;
    }

    function _splitCount() internal view returns (uint256) {
        return _steps.length;
    }

    /// @notice An amount that was written after `from` splits, as of now.
    function _scaled(uint256 amount, uint256 from) internal view returns (uint256) {
        uint256 count = _steps.length;
        for (; from < count; ++from) {
            amount = _scaleDown(amount, _steps[from]);
        }
        return amount;
    }

    /// @notice An amount as of the books, with a split that they do not know of yet.
    function _projected(uint256 amount) internal view returns (uint256) {
        (bool isKnown, Step memory step,,) = _pending();
        return isKnown && step.denominator != 0 ? _scaleDown(amount, step) : amount;
    }

    function _scaleDown(uint256 amount, Step memory step) internal pure returns (uint256) {
        return Math.mulDiv(amount, step.numerator, step.denominator);
    }
}
