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
        (, bool isUnderWay) = TokenFactsLib.splitState(_share);
        (uint256 numerator, uint256 denominator) = TokenFactsLib.splitRatio(_share);
        if (isUnderWay || numerator == 0) return false;
        if (numerator == _numerator && denominator == _denominator) return true;
        Step memory step = Step(numerator * _denominator, denominator * _numerator);
        // Shares are merged by nobody whom we know; a ratio that falls may as well be a mistake that is taken back.
        if (step.numerator <= step.denominator || !_isCovered(step)) return false;
        // forge-lint: disable-next-line(unsafe-typecast)
        (_numerator, _denominator) = (uint128(numerator), uint128(denominator));
        _steps.push(step);
        splitAt = block.timestamp;
        _scaleTotals(step);
        emit SplitFollowed(step.numerator, step.denominator);
        return true;
    }

    /// @dev Whether what the split is said to have made is really there.
    function _isCovered(Step memory step) internal view virtual returns (bool);

    function _scaleTotals(Step memory step) internal virtual;

    /* VIEWS */

    /// @inheritdoc ISplitFollower
    function splitsKnown(uint256 numerator, uint256 denominator) external view returns (bool) {
        return numerator == _numerator && denominator == _denominator;
    }

    /// @inheritdoc ISplitFollower
    function scaledSince(uint256 amount, uint256 from) external view returns (uint256) {
        return _scaled(amount, from);
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

    function _scaleDown(uint256 amount, Step memory step) internal pure returns (uint256) {
        return Math.mulDiv(amount, step.numerator, step.denominator);
    }
}
