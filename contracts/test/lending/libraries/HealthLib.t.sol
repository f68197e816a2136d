// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {HealthLib} from "../../../src/lending/libraries/HealthLib.sol";
import {BaseTest} from "../../support/BaseTest.sol";

contract HealthLibTest is BaseTest {
    uint256 private constant SCALE = 1e18;

    function test_capacityDown_publishedFigure() public pure {
        assertEq(HealthLib.capacityDown(1_000e18, 104.82e6, SCALE, 7_500), 78_615e6);
    }

    function test_healthFactorDown_isOneAtTheBorder() public pure {
        assertEq(HealthLib.healthFactorDown(100e18, 1e6, SCALE, 8_500, 85e6), 1e18);
        assertLt(HealthLib.healthFactorDown(100e18, 1e6, SCALE, 8_500, 85e6 + 1), 1e18);
        assertEq(HealthLib.healthFactorDown(100e18, 1e6, SCALE, 8_500, 0), type(uint256).max);
    }

    function test_closableDebtUp_publishedFigure() public pure {
        assertEq(HealthLib.closableDebtUp(42_318.4e6, 5_000), 21_159.2e6);
        assertEq(HealthLib.closableDebtUp(3, 5_000), 2);
    }

    function testFuzz_seizure_coversTheClaimAndAlmostNothingMore(uint256 claim, uint256 penalty, uint256 price)
        public
        pure
    {
        claim = bound(claim, 1, type(uint96).max);
        penalty = bound(penalty, 0, 5_000);
        price = bound(price, 1, type(uint96).max);
        uint256 taken = HealthLib.collateralForClaimUp(claim, penalty, price, SCALE);
        assertGe(taken * price * 10_000, claim * (10_000 + penalty) * SCALE);
        assertLt((taken - 1) * price * 10_000, claim * (10_000 + penalty) * SCALE);
    }

    function testFuzz_claimForCollateralDown_isCoveredByThatCollateral(
        uint256 collateral,
        uint256 penalty,
        uint256 price
    ) public pure {
        collateral = bound(collateral, 0, type(uint96).max);
        penalty = bound(penalty, 0, 5_000);
        price = bound(price, 1, type(uint96).max);
        uint256 claim = HealthLib.claimForCollateralDown(collateral, penalty, price, SCALE);
        assertLe(HealthLib.collateralForClaimUp(claim, penalty, price, SCALE), collateral);
    }
}
