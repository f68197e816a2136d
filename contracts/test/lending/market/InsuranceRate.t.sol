// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateMode} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {MarketConfig} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Interest keeps the insurance rates that it accrued at, whenever it is paid.
contract InsuranceRateTest is LendingTest {
    uint256 private loanId;

    /// 1,000 at 500 % a year: 200 of interest in 1,261,440 seconds.
    function setUp() public override {
        super.setUp();
        vm.prank(issuer);
        model.setRateMode(RateMode.CLAMPED, 50_000, 50_000, 0);
        loanId = _openLoan(1_000e18, 1_000e6);
        _give(borrower, 100_000e6);
    }

    function test_setting_doesNotMoveTheShares() public {
        skipTime(1_261_440);
        assertEq(market.pool().totalAssets, POOL + 147.9e6);
        _setInsurance(10_000);
        assertEq(market.pool().totalAssets, POOL + 147.9e6);
        _repay(loanId, 200e6);
        assertEq(market.pool().totalAssets, POOL + 147.9e6);
        assertEq(market.pool().protocolFees, 0);
    }

    function test_setting_appliesToWhatAccruesFromThenOn() public {
        skipTime(1_261_440);
        _setInsurance(10_000);
        skipTime(1_261_440);
        assertEq(market.pool().totalAssets, POOL + 147.9e6);
        _repay(loanId, 400e6);
        PoolView memory p = market.pool();
        assertEq(p.totalAssets, POOL + 147.9e6);
        assertEq(p.protocolFees, 147.9e6);
    }

    function test_setting_appliesInFullOnceTheOldInterestIsPaid() public {
        skipTime(1_261_440);
        _setInsurance(10_000);
        _repay(loanId, 200e6);
        skipTime(1_261_440);
        _repay(loanId, 200e6);
        assertEq(market.pool().protocolFees, 147.9e6);
    }

    function test_setting_doesNotChangeWhatAnOpenClaimBrings() public {
        skipTime(1_261_440);
        _setPrice(100e6);
        vm.prank(borrower);
        market.withdrawCollateral(loanId, 985e18, _noPrice());
        _setPrice(90e6);
        _liquidate(loanId);
        uint256 before = market.pool().totalAssets;
        _setInsurance(10_000);
        assertEq(market.pool().totalAssets, before);
        _sellAndSettle(1, market.realization(1).claim);
        assertGe(market.pool().totalAssets, before);
    }

    function testFuzz_setting_theSharesNeverFall(uint256[6] memory rates, uint256[6] memory waits, uint256 paid)
        public
    {
        for (uint256 i = 0; i < 6; ++i) {
            skipTime(bound(waits[i], 0, 30 days));
            uint256 value = market.toAssets(1e30);
            _setInsurance(rates[i]);
            assertEq(market.toAssets(1e30), value, "at the setting");
            _repay(loanId, bound(paid, 1, 150e6));
            assertGe(market.toAssets(1e30), value, "at the repayment");
        }
        _assertSolvent();
    }

    function _setInsurance(uint256 rateBps) private {
        MarketConfig memory config = market.config();
        config.protocolFeeBps = uint16(bound(rateBps, 0, 10_000));
        vm.prank(issuer);
        market.setConfig(config);
    }
}
