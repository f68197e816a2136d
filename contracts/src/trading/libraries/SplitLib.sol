// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITokenDialects} from "../interfaces/ITokenDialects.sol";
import {TokenReads} from "./TokenReads.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice A token's splits so far, as one reduced ratio.
struct Ratio {
    uint128 numerator;
    uint128 denominator;
}

/// @notice Splits of tokens that tell their ratio.
library SplitLib {
    /// @return isAnswered Whether the token told a ratio that can be one.
    function read(address token) internal view returns (bool isAnswered, Ratio memory ratio) {
        bytes memory answer;
        (isAnswered, answer) =
            TokenReads.words(token, abi.encodeCall(ITokenDialects.splitRatio, ()), TokenReads.GETTER_GAS, 2, 2);
        if (!isAnswered) return (false, ratio);
        (uint256 numerator, uint256 denominator) = abi.decode(answer, (uint256, uint256));
        if (numerator == 0 || denominator == 0) return (false, ratio);
        if (numerator > type(uint128).max || denominator > type(uint128).max) return (false, ratio);
        // forge-lint: disable-next-line(unsafe-typecast)
        ratio = reduced(uint128(numerator), uint128(denominator));
    }

    /// @notice Whether some holders are converted and some are not.
    function isUnderWay(address token) internal view returns (bool) {
        return !TokenReads.isFalse(token, abi.encodeCall(ITokenDialects.splitHoldersLeft, ()));
    }

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

    function scaleDown(uint256 amount, Ratio memory ratio) internal pure returns (uint256) {
        return Math.mulDiv(amount, ratio.numerator, ratio.denominator);
    }

    function reduced(uint128 numerator, uint128 denominator) internal pure returns (Ratio memory) {
        // forge-lint: disable-next-line(unsafe-typecast)
        uint128 shared = uint128(gcd(numerator, denominator));
        return Ratio(numerator / shared, denominator / shared);
    }

    function isSame(Ratio memory a, Ratio memory b) internal pure returns (bool) {
        return a.numerator == b.numerator && a.denominator == b.denominator;
    }

    /// @notice Zero while there was no split.
    function prefixOf(Ratio memory ratio) internal pure returns (bytes4) {
        if (ratio.numerator == ratio.denominator) return bytes4(0);
        return bytes4(keccak256(abi.encode(ratio.numerator, ratio.denominator)));
    }

    function gcd(uint256 a, uint256 b) internal pure returns (uint256) {
        while (b != 0) (a, b) = (b, a % b);
        return a;
    }
}
