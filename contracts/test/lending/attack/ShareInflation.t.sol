// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice The first provider tries to make shares so dear that the next deposit rounds to nothing.
contract ShareInflationAttackTest is LendingTest {
    function test_attack_dustFirstThenDonation() public {
        // 1. The pool is empty.
        uint256 shares = market.sharesOf(lender);
        vm.prank(lender);
        market.removeLiquidity(shares);
        // 2. A dust deposit is refused: an empty pool starts with a thousand whole units.
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BelowInitialDeposit.selector, 1, 1_000e6));
        market.addLiquidity(1);
        // 3. With the floor met, the attacker keeps one share unit and donates a fortune.
        vm.startPrank(lender);
        uint256 minted = market.addLiquidity(1_000e6);
        market.removeLiquidity(minted - 1e12);
        vm.stopPrank();
        _give(address(market), 1_000_000e6);
        // 4. The donation is nobody's: the victim, a vault, gets what it pays for.
        LendingVault vault = _makeVault(lender, 5_000e6);
        vm.prank(admin);
        market.registerVault(address(vault));
        _give(address(this), 5_000e6);
        cash.approve(address(vault), 5_000e6);
        vault.deposit(5_000e6, address(0));
        vm.prank(lender);
        vault.supply(address(market), 5_000e6);
        assertGe(market.toAssets(market.sharesOf(address(vault))) + 1, 5_000e6);
    }

    function test_attack_onTheVaultItself() public {
        LendingVault vault = _makeVault(lender);
        // 1. The attacker deposits one unit and sends a fortune to the vault.
        _give(stranger, 1);
        vm.startPrank(stranger);
        cash.approve(address(vault), 1);
        vault.deposit(1, address(0));
        vm.stopPrank();
        _give(address(vault), 1_000_000e6);
        // 2. Only booked money counts, so the victim's shares are whole.
        _give(address(this), 1_000e6);
        cash.approve(address(vault), 1_000e6);
        uint256 shares = vault.deposit(1_000e6, address(0));
        skipTime(3 days);
        assertEq(vault.redeem(shares), 1_000e6);
    }
}
