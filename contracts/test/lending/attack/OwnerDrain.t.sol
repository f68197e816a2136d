// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {LookAlikeMarket} from "../../support/hostile/VaultMarkets.sol";

/// @notice The owner of a vault is after the money that investors left in it.
contract OwnerDrainAttackTest is LendingTest {
    LendingVault private vault;
    address private alice = makeAddress("alice");

    function setUp() public override {
        super.setUp();
        vault = _makeVault(lender);
        _give(alice, 400_000e6);
        vm.startPrank(alice);
        cash.approve(address(vault), type(uint256).max);
        vault.deposit(400_000e6, address(0));
        vm.stopPrank();
    }

    function test_attack_aMarketOfItsOwnMaking() public {
        // 1. A contract that says it is a market of this asset and operator.
        LookAlikeMarket fake = new LookAlikeMarket(address(cash), lender);
        // 2. The owner grants it a cap and lets it draw.
        vm.prank(lender);
        try vault.setDrawCap(address(fake), 400_000e6) {} catch {}
        try fake.draw(vault, 400_000e6) {} catch {}
        // 3. Or supplies it.
        vm.prank(lender);
        try vault.supply(address(fake), 400_000e6) {} catch {}
        assertEq(cash.balanceOf(address(vault)), 400_000e6, "idle money is gone");
    }

    function test_attack_aRealMarketWithWorthlessCollateral() public {
        // 1. A market of the factory, adopted by the owner, whose collateral and price are the owner's own.
        LendingMarket worthless = LendingMarket(_deployMarket());
        _adopt(worthless, lender);
        vm.prank(admin);
        worthless.registerVault(address(vault));
        // 2. The owner grants it a cap, and supplies it, without a word before.
        vm.startPrank(lender);
        try vault.setDrawCap(address(worthless), 400_000e6) {} catch {}
        try vault.supply(address(worthless), 400_000e6) {} catch {}
        vm.stopPrank();
        assertEq(cash.balanceOf(address(vault)), 400_000e6, "idle money is gone");
    }
}
