// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SplitReads} from "../../libraries/SplitReads.sol";
import {TokenReads} from "./TokenReads.sol";

/// @notice A token's splits so far, as one reduced ratio.
struct Ratio {
    uint128 numerator;
    uint128 denominator;
}

/// @notice Splits of tokens that tell their ratio.
library SplitLib {
    /* READS */

    /// @return isAnswered Whether the token told a ratio that can be one.
    function read(address token) internal view returns (bool isAnswered, Ratio memory ratio) {
        TokenReads.requireGas(TokenReads.GETTER_GAS);
        (uint256 numerator, uint256 denominator) = SplitReads.ratio(token, TokenReads.GETTER_GAS);
        if (denominator == 0) return (false, ratio);
        // forge-lint: disable-next-line(unsafe-typecast)
        return (true, reduced(uint128(numerator), uint128(denominator)));
    }

    /// @notice Whether some holders are converted and some are not, or the token does not say.
    function isUnderWay(address token) internal view returns (bool) {
        (bool isAnswered, uint256 left) = _holdersLeft(token);
        return !isAnswered || left != 0;
    }

    /// @notice Whether the token says that some holders are converted and some are not.
    function saysUnderWay(address token) internal view returns (bool) {
        (, uint256 left) = _holdersLeft(token);
        return left != 0;
    }

    function _holdersLeft(address token) private view returns (bool isAnswered, uint256 left) {
        TokenReads.requireGas(TokenReads.GETTER_GAS);
        return SplitReads.holdersLeft(token, TokenReads.GETTER_GAS);
    }

    /* RATIOS */

    /// @notice What happened between two readings. Zero when it cannot be told in 128 bits.
    function step(Ratio memory from, Ratio memory to) internal pure returns (Ratio memory) {
        // Crosswise first, so that the products stay as small as they can.
        Ratio memory upper = reduced(to.numerator, from.numerator);
        Ratio memory lower = reduced(from.denominator, to.denominator);
        uint256 numerator = uint256(upper.numerator) * lower.numerator;
        uint256 denominator = uint256(upper.denominator) * lower.denominator;
        uint256 shared = gcd(numerator, denominator);
        numerator /= shared;
        denominator /= shared;
        if (numerator > type(uint128).max || denominator > type(uint128).max) return Ratio(0, 0);
        // forge-lint: disable-next-line(unsafe-typecast)
        return Ratio(uint128(numerator), uint128(denominator));
    }

    function reduced(uint128 numerator, uint128 denominator) internal pure returns (Ratio memory) {
        // forge-lint: disable-next-line(unsafe-typecast)
        uint128 shared = uint128(gcd(numerator, denominator));
        return Ratio(numerator / shared, denominator / shared);
    }

    function isSame(Ratio memory a, Ratio memory b) internal pure returns (bool) {
        return a.numerator == b.numerator && a.denominator == b.denominator;
    }

    function gcd(uint256 a, uint256 b) internal pure returns (uint256) {
        while (b != 0) (a, b) = (b, a % b);
        return a;
    }

    /* BALANCES */

    /// @dev Amounts fit 128 bits, so the product fits.
    function scaleDown(uint256 amount, Ratio memory ratio) internal pure returns (uint256) {
        return amount * ratio.numerator / ratio.denominator;
    }

    /// @notice The parts of one balance after a split. The whole is rounded once; what rounding takes from the committed
    /// part is free.
    function scaleParts(uint256 free, uint256 committed, uint256 requested, Ratio memory ratio)
        internal
        pure
        returns (uint256 newFree, uint256 newCommitted, uint256 newRequested)
    {
        newCommitted = scaleDown(committed, ratio);
        newRequested = scaleDown(requested, ratio);
        newFree = scaleDown(free + committed, ratio) - newCommitted;
    }

    /// @notice How the books of a pool follow a split: as the token says, but never beyond what is held, and never down
    /// while all of it is still held.
    /// @return newBooked What the balances add up to, at most.
    /// @return isTold False: by another ratio than the token's, `newBooked` to `booked`.
    function follow(uint256 booked, uint256 held, Ratio memory told)
        internal
        pure
        returns (uint256 newBooked, bool isTold)
    {
        uint256 needed = scaleDown(booked, told);
        if (needed > held) return (held, false);
        // A token that says less and took nothing is mistaken, or was when it said more.
        if (needed < booked && held >= booked) return (booked, false);
        return (needed, true);
    }
}
