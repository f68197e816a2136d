// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketEvents} from "../../../src/lending/interfaces/IMarketEvents.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {Vm} from "../../support/Vm.sol";

/// @notice Emits what a market emits.
contract LookAlikeMarket is IMarketEvents {
    function fake(address borrower) external {
        emit LoanOpened(1, borrower, 100e18, 5_000e6, 0, 0);
        emit InfrastructureFeePaid(borrower, 1);
    }
}

/// @notice A contract emits the market's events to make a reader of logs believe in a loan.
contract LookAlikeEventsAttackTest is LendingTest {
    function test_attack_theEmitterGivesItAway() public {
        // 1. The look-alike emits a loan that was never opened.
        LookAlikeMarket fake = new LookAlikeMarket();
        vm.recordLogs();
        fake.fake(borrower);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        // 2. Topics and data are those of a market; only the emitter is not known to the factory.
        assertEq(logs[0].topics[0], IMarketEvents.LoanOpened.selector);
        assertFalse(factory.isMarket(logs[0].emitter));
        assertTrue(factory.isMarket(address(market)));
        // 3. The market itself knows no such loan.
        assertEq(market.loan(1).principal, 0);
        assertEq(market.pool().loanCounter, 0);
    }
}
