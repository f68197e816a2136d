// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockTest} from "../support/StockTest.sol";

/// @notice Whole transactions with the compliance module in place. The bars hold with `forge test --isolate`, which
/// charges each call as its own transaction. The registry is a plain one: a real one costs what it costs on top.
contract StockGasTest is StockTest {
    function setUp() public override {
        super.setUp();
        vm.prank(agent);
        stock.freezePartialTokens(bob, 100);
    }

    function test_gas_issueToANewHolder() public {
        vm.prank(issuer);
        stock.issue(carol, 100, REASON);
        _assertAtMost("issue to a new holder", 150_000);
    }

    function test_gas_issueToAHolder() public {
        vm.prank(subIssuer);
        stock.issue(alice, 100, REASON);
        _assertAtMost("issue to a holder, first of a sub-issuer", 110_000);
    }

    function test_gas_transfer() public {
        vm.prank(alice);
        stock.transfer(bob, 100);
        _assertAtMost("transfer", 80_000);
    }

    function test_gas_transferToANewHolder() public {
        vm.prank(alice);
        stock.transfer(carol, 100);
        _assertAtMost("transfer to a new holder", 150_000);
    }

    function test_gas_freezeTokens() public {
        vm.prank(controller);
        stock.freezeTokens(alice, 100);
        _assertAtMost("freezeTokens, first", 70_000);
    }

    function test_gas_freezePartialTokens() public {
        vm.prank(agent);
        stock.freezePartialTokens(bob, 100);
        _assertAtMost("freezePartialTokens, more", 52_000);
    }

    function test_gas_unfreezePartialTokens() public {
        vm.prank(agent);
        stock.unfreezePartialTokens(bob, 100);
        _assertAtMost("unfreezePartialTokens, all", 52_000);
    }

    function test_gas_forceTransfer() public {
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 100, REASON);
        _assertAtMost("forceTransfer", 65_000);
    }

    function test_gas_forceTransferThatBreaksAPledge() public {
        vm.prank(controller);
        stock.forceTransfer(bob, alice, 450, REASON);
        _assertAtMost("forceTransfer that breaks a pledge", 100_000);
    }

    /// 3:2 leaves no fraction of even balances and half a share of odd ones.
    function test_gas_splitOfEvenBalances() public {
        _splitAHundred(100);
        _assertAtMost("split of a hundred holders", 1_200_000);
    }

    function test_gas_splitOfOddBalances() public {
        _splitAHundred(101);
        _assertAtMost("split of a hundred holders with fractions", 3_600_000);
    }

    function _splitAHundred(uint256 balance) private {
        vm.startPrank(issuer);
        stock.redeemFrom(alice, 1_000, REASON);
        for (uint256 i = 0; i < 99; ++i) {
            address holder = address(uint160(0x5000 + i));
            registry.verify(holder);
            stock.issue(holder, balance, REASON);
        }
        stock.stockSplit(3, 2, 0);
        vm.stopPrank();
        stock.continueSplit(100);
    }

    function _assertAtMost(string memory name, uint256 bar) private {
        assertLe(vm.snapshotGasLastCall(name), bar, name);
    }
}
