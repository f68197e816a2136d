// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {InterestLib} from "../../../src/lending/libraries/InterestLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract InterestLibTest is BaseTest {
    uint256 private constant MAX = type(uint104).max;

    function test_elapsed_isZeroWhenTheClockStepsBack() public pure {
        assertEq(InterestLib.elapsed(100, 99), 0);
        assertEq(InterestLib.elapsed(100, 100), 0);
        assertEq(InterestLib.elapsed(100, 107), 7);
    }

    function test_loanInterestUp_publishedFigure() public pure {
        // 50,000 at 650 bps over 108 days is 961.643835..., and debt rounds up.
        assertEq(InterestLib.loanInterestUp(50_000e6, 650 * 1e14 * 108 days), 961_643_836);
        assertEq(InterestLib.loanInterestUp(0, 1e30), 0);
        assertEq(InterestLib.loanInterestUp(1, 1), 1);
    }

    function testFuzz_loanInterestUp_neverBelowTheTrueValue(uint256 principal, uint256 rate, uint256 time) public pure {
        principal = bound(principal, 0, MAX);
        uint256 delta = bound(rate, 0, 5e18) * bound(time, 0, 100 * 365 days);
        uint256 owed = InterestLib.loanInterestUp(principal, delta);
        assertGe(owed * 1e18 * 365 days, principal * delta);
        if (owed != 0) assertLt((owed - 1) * 1e18 * 365 days, principal * delta);
    }

    /// What the pool counts is never more than what its loans owe.
    function testFuzz_poolInterestDown_isCoveredByTheLoans(
        uint256 a,
        uint256 b,
        uint256 rate,
        uint256 bps,
        uint256 time
    ) public pure {
        a = bound(a, 0, MAX / 2);
        b = bound(b, 0, MAX / 2);
        rate = bound(rate, 0, 5e18);
        bps = bound(bps, 0, 50_000);
        time = bound(time, 0, 3650 days);
        uint256 pool = InterestLib.poolInterestDown(a, rate, b * bps, time) / InterestLib.POOL_SCALE;
        uint256 owed = InterestLib.loanInterestUp(a, rate * time) + InterestLib.loanInterestUp(b, bps * 1e14 * time);
        assertLe(pool, owed);
        assertLe(owed, pool + 3);
    }

    function test_curveRateDown_publishedFigures() public pure {
        assertEq(InterestLib.curveRateDown(0.25e18, 200, 1_000, 10_000, 8_000), 450e14);
        assertEq(InterestLib.curveRateDown(0, 200, 1_000, 10_000, 8_000), 200e14);
        assertEq(InterestLib.curveRateDown(0.8e18, 200, 1_000, 10_000, 8_000), 1_000e14);
        assertEq(InterestLib.curveRateDown(1e18, 200, 1_000, 10_000, 8_000), 3_000e14);
    }

    function testFuzz_curveRateDown_neverFallsWithUtilization(uint256 low, uint256 high) public pure {
        high = bound(high, 0, 1e18);
        low = bound(low, 0, high);
        assertLe(
            InterestLib.curveRateDown(low, 200, 1_000, 10_000, 8_000),
            InterestLib.curveRateDown(high, 200, 1_000, 10_000, 8_000)
        );
    }

    function test_utilizationDown_ofAnEmptyPoolIsZero() public pure {
        assertEq(InterestLib.utilizationDown(5, 0), 0);
        assertEq(InterestLib.utilizationDown(1, 4), 0.25e18);
    }

    function testFuzz_indexDeltaUp_isTheLeastThatOwesTheProduct(uint256 principal, uint256 product) public pure {
        (principal, product) = (bound(principal, 1, MAX), bound(product, 0, type(uint232).max));
        uint256 delta = InterestLib.indexDeltaUp(principal, product);
        if (product == 0) assertEq(delta, 0);
        else assertTrue((delta - 1) * principal < product && product <= delta * principal);
    }
}
