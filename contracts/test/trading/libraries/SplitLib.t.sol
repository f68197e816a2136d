// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ratio, SplitLib} from "../../../src/trading/libraries/SplitLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

/// @notice What the solver cannot say: greatest common divisors.
contract SplitLibTest is BaseTest {
    function testFuzz_step_leadsFromOneRatioToTheOther(uint64[4] memory parts) public pure {
        for (uint256 i = 0; i < 4; ++i) {
            parts[i] = uint64(bound(parts[i], 1, type(uint64).max));
        }
        Ratio memory from = SplitLib.reduced(parts[0], parts[1]);
        Ratio memory to = SplitLib.reduced(parts[2], parts[3]);
        Ratio memory step = SplitLib.step(from, to);
        // Products of two times 64 bits fit, so there is a step.
        assertTrue(step.denominator != 0);
        assertEq(SplitLib.gcd(step.numerator, step.denominator), 1);
        Ratio memory left = SplitLib.reduced(step.numerator, to.numerator);
        Ratio memory right = SplitLib.reduced(step.denominator, to.denominator);
        // from * step = to, crosswise: from.n * step.n * to.d = from.d * step.d * to.n, reduced on both sides.
        assertEq(
            uint256(from.numerator) * left.numerator * right.denominator,
            uint256(from.denominator) * left.denominator * right.numerator
        );
    }

    function testFuzz_reduced_isTheSameRatio(uint128 numerator, uint128 denominator) public pure {
        numerator = uint128(bound(numerator, 1, type(uint128).max));
        denominator = uint128(bound(denominator, 1, type(uint128).max));
        Ratio memory ratio = SplitLib.reduced(numerator, denominator);
        assertEq(uint256(ratio.numerator) * denominator, uint256(ratio.denominator) * numerator);
        assertEq(SplitLib.gcd(ratio.numerator, ratio.denominator), 1);
        assertTrue(SplitLib.isSame(ratio, SplitLib.reduced(ratio.numerator, ratio.denominator)));
    }

    function test_step_thatDoesNotFitIsNone() public pure {
        Ratio memory step = SplitLib.step(Ratio(1, type(uint128).max), Ratio(type(uint128).max - 1, 1));
        assertEq(step.denominator, 0);
    }
}
