// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {StockTest} from "../support/StockTest.sol";

/// @notice Counters and caps must not lock up a stock, nor be got around.
contract SubIssuerDeadlockTest is StockTest {
    function setUp() public override {
        super.setUp();
        vm.prank(issuer);
        stock.setSubIssuerCap(subIssuer, 100);
        vm.prank(subIssuer);
        stock.issue(carol, 100, REASON);
        vm.prank(carol);
        stock.approve(subIssuer, type(uint256).max);
    }

    /// Its cap is full of shares that exist no more, so it can neither issue nor redeem.
    function test_attack_redeemUnderTheSubIssuersFeet() public {
        // 1. The issuer redeems what the sub-issuer issued.
        vm.prank(issuer);
        stock.redeemFrom(carol, 100, REASON);
        // 2. The sub-issuer is stuck.
        vm.startPrank(subIssuer);
        vm.expectPartialRevert(IStockToken.SubIssuerCapExceeded.selector);
        stock.issue(carol, 1, REASON);
        expectRestricted(IStockToken.TransferRestrictionCode.INSUFFICIENT_BALANCE, "INSUFFICIENT_BALANCE");
        stock.redeemFrom(carol, 1, REASON);
        vm.stopPrank();
        // 3. The issuer could have said for whom it redeems, and still can with any share.
        vm.prank(issuer);
        stock.redeemFor(subIssuer, alice, 100, REASON);
        vm.prank(subIssuer);
        stock.issue(carol, 100, REASON);
    }

    function test_attack_leaveWithSharesOutstanding() public {
        // 1. The sub-issuer goes, by its own wish.
        bytes32 role = stock.SUB_ISSUER_ROLE();
        vm.prank(subIssuer);
        stock.renounceRole(role);
        assertEq(stock.subIssuerOutstanding(subIssuer), 100);
        // 2. The issuer redeems them all the same.
        vm.prank(issuer);
        stock.redeemFrom(carol, 50, REASON);
        // 3. It comes back: its counter is no younger for it.
        vm.prank(issuer);
        stock.addSubIssuer(subIssuer);
        vm.prank(subIssuer);
        vm.expectPartialRevert(IStockToken.SubIssuerCapExceeded.selector);
        stock.issue(carol, 1, REASON);
    }

    /// Issuing, redeeming what somebody else gives back and issuing again: the net counts.
    function test_attack_churn() public {
        vm.prank(alice);
        stock.approve(subIssuer, 100);
        vm.startPrank(subIssuer);
        stock.redeemFrom(alice, 100, REASON);
        stock.issue(carol, 100, REASON);
        vm.expectPartialRevert(IStockToken.SubIssuerCapExceeded.selector);
        stock.issue(carol, 1, REASON);
        assertEq(stock.totalSupply(), 1_600);
    }

    /// A cap below what is outstanding stops issues, not redemptions.
    function test_attack_lowerTheCap() public {
        vm.prank(issuer);
        stock.setSubIssuerCap(subIssuer, 1);
        vm.startPrank(subIssuer);
        stock.redeemFrom(carol, 99, REASON);
        vm.expectPartialRevert(IStockToken.SubIssuerCapExceeded.selector);
        stock.issue(carol, 1, REASON);
        stock.redeemFrom(carol, 1, REASON);
        stock.issue(carol, 1, REASON);
    }
}
