// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FeeSplitLib} from "../../../src/lending/libraries/FeeSplitLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract FeeSplitLibTest is BaseTest {
    uint256 private constant MAX = type(uint128).max;

    function test_splitInterest_publishedFigures() public pure {
        _assertSplit(1_000e6, 0, [uint256(150e6), 68e6, 42.5e6, 0, 739.5e6]);
        _assertSplit(1_000e6, 5e10, [uint256(150e6), 68e6, 42.5e6, 36.975e6, 702.525e6]);
        _assertSplit(999, 0, [uint256(149), 68, 42, 0, 740]);
        _assertSplit(0, 1e12, [uint256(0), 0, 0, 0, 0]);
    }

    function testFuzz_splitInterest_conservesEveryUnit(uint256 interest, uint256 insurancePart) public pure {
        interest = bound(interest, 0, MAX);
        insurancePart = bound(insurancePart, 0, 1e12);
        (uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) = FeeSplitLib.splitInterest(interest, insurancePart);
        assertEq(a + b + c + d + e, interest);
        assertLe(a, interest * 1_500 / 10_000);
    }

    function testFuzz_splitFlatFee_conservesEveryUnit(uint256 fee) public pure {
        fee = bound(fee, 0, MAX);
        (uint256 infrastructure, uint256 operator, uint256 distributor) = FeeSplitLib.splitFlatFee(fee);
        assertEq(infrastructure + operator + distributor, fee);
        assertGe(infrastructure, fee * 8_700 / 10_000);
    }

    /// The reason why the share price cannot fall at a repayment.
    function testFuzz_providersPartDown_isNoMoreThanWhatPiecesPay(uint256 whole, uint256 piece, uint256 insurancePart)
        public
        pure
    {
        whole = bound(whole, 0, MAX);
        piece = bound(piece, 0, whole);
        insurancePart = bound(insurancePart, 0, 1e12);
        (,,,, uint256 paid) = FeeSplitLib.splitInterest(piece, insurancePart);
        uint256 before = FeeSplitLib.providersPartDown(whole, insurancePart);
        assertGe(paid + FeeSplitLib.providersPartDown(whole - piece, insurancePart), before);
    }

    function test_meanPartDown_weighsTheRates() public pure {
        assertEq(FeeSplitLib.meanPartDown(0, 0, 500, 7), 5e10);
        assertEq(FeeSplitLib.meanPartDown(5e10, 3, 500, 7), 5e10);
        assertEq(FeeSplitLib.meanPartDown(0, 100, 10_000, 100), 5e11);
        assertEq(FeeSplitLib.meanPartDown(1e12, 1, 0, 2), 333_333_333_333);
    }

    /// The reason why the share price cannot fall when the insurance rate is set.
    function testFuzz_meanPartDown_leavesTheProvidersTheirPart(uint128 booked, uint128 earned, uint256 a, uint256 b)
        public
        pure
    {
        a = bound(a, 0, 1e12);
        b = bound(b, 0, 10_000);
        uint256 total = uint256(booked) + earned;
        if (earned == 0) return;
        uint256 mean = FeeSplitLib.meanPartDown(a, booked, b, earned);
        assertGe((1e12 - mean) * total, (1e12 - a) * booked + (10_000 - b) * 1e8 * earned);
    }

    function testFuzz_flatFeeDown_isTheSmallerOfFeeAndCap(uint256 flatFee, uint256 amount) public pure {
        amount = bound(amount, 0, MAX);
        uint256 fee = FeeSplitLib.flatFeeDown(flatFee, amount);
        assertLe(fee, flatFee);
        assertLe(fee * 200, amount);
    }

    function testFuzz_feeInsidePaymentDown_staysWithinTheCapOfWhatItDischarges(uint256 flatFee, uint256 payment)
        public
        pure
    {
        payment = bound(payment, 0, MAX);
        uint256 fee = FeeSplitLib.feeInsidePaymentDown(flatFee, payment);
        assertLe(fee, flatFee);
        assertLe(fee * 200, payment - fee);
    }

    function _assertSplit(uint256 interest, uint256 insurancePart, uint256[5] memory expected) private pure {
        (uint256 a, uint256 b, uint256 c, uint256 d, uint256 e) = FeeSplitLib.splitInterest(interest, insurancePart);
        assertEq(a, expected[0], "infrastructure");
        assertEq(b, expected[1], "operator");
        assertEq(c, expected[2], "distributor");
        assertEq(d, expected[3], "insurance");
        assertEq(e, expected[4], "providers");
    }
}
