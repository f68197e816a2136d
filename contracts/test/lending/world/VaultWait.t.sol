// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {ILendingVault} from "../../../src/lending/interfaces/ILendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Shares of a deposit stay for three days.
contract VaultWaitTest is LendingTest {
    LendingVault private vault;
    address private alice = makeAddress("alice");
    address private bob = makeAddress("bob");
    uint256 private start;

    function setUp() public override {
        super.setUp();
        vault = _makeVault(lender, 100_000e6);
        start = block.timestamp;
        _give(alice, 1_000e6);
        vm.startPrank(alice);
        cash.approve(address(vault), type(uint256).max);
        vault.approve(bob, type(uint256).max);
        vault.deposit(600e6, address(0));
        vm.stopPrank();
    }

    function _expectNotMature(uint256 shares, uint256 redeemable, uint256 matureAt) private {
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.SharesNotMature.selector, shares, redeemable, matureAt));
    }

    function test_fresh_areNeitherRedeemedNorTransferred() public {
        vm.warp(start + 3 days - 1);
        _expectNotMature(1, 0, start + 3 days);
        vm.prank(alice);
        vault.redeem(1);
        _expectNotMature(1, 0, start + 3 days);
        vm.prank(alice);
        vault.transfer(bob, 1);
        _expectNotMature(1, 0, start + 3 days);
        vm.prank(bob);
        vault.transferFrom(alice, bob, 1);
    }

    function test_fresh_areToldByTheViews() public {
        (uint256 fresh, uint256 matureAt) = vault.freshSharesOf(alice);
        assertEq(fresh, 600e6);
        assertEq(matureAt, start + 3 days);
        assertEq(vault.redeemableSharesOf(alice), 0);
        vm.warp(start + 3 days);
        (fresh, matureAt) = vault.freshSharesOf(alice);
        assertEq(fresh + matureAt, 0);
        assertEq(vault.redeemableSharesOf(alice), 600e6);
        assertEq(vault.redeemableSharesOf(bob), 0);
    }

    function test_mature_areFree() public {
        vm.warp(start + 3 days);
        vm.startPrank(alice);
        assertEq(vault.redeem(200e6), 200e6);
        vault.transfer(bob, 100e6);
        vm.stopPrank();
        vm.prank(bob);
        vault.transferFrom(alice, bob, 300e6);
        // What came by a transfer has waited already.
        vm.prank(bob);
        assertEq(vault.redeem(400e6), 400e6);
    }

    function test_deposit_startsTheWaitAnewForWhatStillWaits() public {
        vm.warp(start + 2 days);
        vm.prank(alice);
        vault.deposit(100e6, address(0));
        vm.warp(start + 3 days);
        _expectNotMature(1, 0, start + 5 days);
        vm.prank(alice);
        vault.redeem(1);
        vm.warp(start + 5 days);
        vm.prank(alice);
        assertEq(vault.redeem(700e6), 700e6);
    }

    function test_deposit_leavesMatureSharesFree() public {
        vm.warp(start + 3 days);
        vm.startPrank(alice);
        vault.deposit(100e6, address(0));
        assertEq(vault.redeemableSharesOf(alice), 600e6);
        _expectNotMature(600e6 + 1, 600e6, start + 6 days);
        vault.redeem(600e6 + 1);
        assertEq(vault.redeem(600e6), 600e6);
        _expectNotMature(1, 0, start + 6 days);
        vault.transfer(bob, 1);
        vm.stopPrank();
    }

    function test_wait_isNotForOthersToStart() public {
        // 1. Whoever sends shares, or deposits for itself, moves nobody else's wait.
        vm.warp(start + 3 days);
        vm.prank(alice);
        vault.transfer(bob, 100e6);
        _give(bob, 1);
        vm.startPrank(bob);
        cash.approve(address(vault), 1);
        vault.deposit(1, address(0));
        vault.transfer(alice, 100e6);
        vm.stopPrank();
        // 2. So all of it can leave.
        vm.prank(alice);
        assertEq(vault.redeem(600e6), 600e6);
    }
}
