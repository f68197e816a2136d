// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {GasBurningModule, RevertingModule} from "./support/HostileModules.sol";
import {RegisteredStockTest} from "./support/RegisteredStockTest.sol";

/// @notice Who took a lost wallet's place, for contracts that owe it something.
contract StockSuccessionTest is RegisteredStockTest {
    address private aliceAgain = makeAddress("alice again");
    address private aliceOnceMore = makeAddress("alice once more");

    function test_successorOf_isNobodyForAWalletThatWasNotLost() public {
        assertEq(stock.successorOf(alice), address(0));
        assertEq(stock.successorOf(stranger), address(0));
        identities.revokeIdentity(alice);
        assertEq(stock.successorOf(alice), address(0));
    }

    /// Also when all her shares are in custody, and there is nothing to recover.
    function test_successorOf_followsMovesOfTheRegistry() public {
        identities.moveIdentity(carol, aliceAgain);
        assertEq(stock.balanceOf(carol), 0);
        assertEq(stock.successorOf(carol), aliceAgain);
        identities.moveIdentity(aliceAgain, carol);
        assertEq(stock.successorOf(carol), address(0));
        assertEq(stock.successorOf(aliceAgain), carol);
    }

    function test_successorOf_followsRecoveriesUnderAnyRegistry() public {
        registry.moveIdentity(alice, aliceAgain);
        assertEq(plainStock.successorOf(alice), address(0));
        vm.prank(agent);
        plainStock.recoveryAddress(alice, aliceAgain, alice);
        assertEq(plainStock.successorOf(alice), aliceAgain);
        registry.moveIdentity(aliceAgain, aliceOnceMore);
        vm.prank(agent);
        plainStock.recoveryAddress(aliceAgain, aliceOnceMore, alice);
        assertEq(plainStock.successorOf(alice), aliceOnceMore);
        registry.moveIdentity(aliceOnceMore, alice);
        vm.prank(agent);
        plainStock.recoveryAddress(aliceOnceMore, alice, alice);
        assertEq(plainStock.successorOf(alice), address(0));
        assertEq(plainStock.successorOf(aliceAgain), alice);
    }

    /// A recovery here, then another loss that only the registry knows of; then back.
    function test_successorOf_joinsWhatTokenAndRegistryKnow() public {
        identities.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        identities.moveIdentity(aliceAgain, aliceOnceMore);
        assertEq(stock.successorOf(alice), aliceOnceMore);
        identities.moveIdentity(aliceOnceMore, alice);
        assertEq(stock.successorOf(alice), address(0));
        assertEq(stock.successorOf(aliceAgain), alice);
    }

    /// A registry that does not know the question, or misbehaves over it, changes nothing.
    function test_successorOf_takesNoHarmFromTheRegistry() public {
        registry.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        plainStock.recoveryAddress(alice, aliceAgain, alice);
        vm.etch(address(registry), address(new RevertingModule()).code);
        assertEq(plainStock.successorOf(alice), aliceAgain);
        vm.etch(address(registry), address(new GasBurningModule()).code);
        uint256 before = gasleft();
        assertEq(plainStock.successorOf(alice), aliceAgain);
        assertLt(before - gasleft(), 130_000);
    }
}
