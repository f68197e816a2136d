// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A caller gives just so little gas that a caught call fails while the rest goes through.
contract GasStarvationAttackTest is LendingTest {
    function test_attack_aFundedFundIsNeverSkipped() public {
        _fundReserve(10_000e6);
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);
        vm.prank(admin);
        market.countersignSale(id);
        vm.prank(seller);
        router.withdrawCollateralForSale(1, 45.9375e18);
        _give(seller, 1_000e6);
        // Whatever the gas: either the settlement reverts, or the fund paid its part.
        for (uint256 gas = 200_000; gas < 1_600_000; gas += 25_000) {
            uint256 state = vm.snapshotState();
            vm.prank(seller);
            (bool success,) = address(router).call{gas: gas}(abi.encodeCall(router.settleLiquidation, (1, 1_000e6)));
            if (success) assertEq(market.realization(id).covered, 2_500e6);
            vm.revertToState(state);
        }
        vm.prank(seller);
        router.settleLiquidation(1, 1_000e6);
        assertEq(market.realization(id).covered, 2_500e6);
    }

    function test_attack_aReturnIsNeverForcedIntoEscrow() public {
        _sweepGas(_openLoan(100e18, 5_000e6), 100_000, 1_200_000, 25_000);
    }

    /// Around what the return needs, gas by gas.
    function test_attack_aReturnIsNeverForcedIntoEscrowAtTheEdge() public {
        _sweepGas(_openLoan(100e18, 5_000e6), 450_000, 600_000, 500);
    }

    function _sweepGas(uint256 loanId, uint256 from, uint256 to, uint256 step) private {
        for (uint256 gas = from; gas < to; gas += step) {
            uint256 state = vm.snapshotState();
            vm.prank(borrower);
            (bool success,) = address(market).call{gas: gas}(abi.encodeCall(market.repay, (loanId, type(uint256).max)));
            if (success) assertEq(CustodyAdapter(adapter).totalEscrowed(), 0);
            vm.revertToState(state);
        }
    }
}
