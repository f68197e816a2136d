// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {MarketCap} from "../../../src/lending/interfaces/ILendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A vault with as many markets as it may have, each of which owes it fees.
contract VaultOfSixteenTest is LendingTest {
    LendingVault private vault;
    address private alice = makeAddress("alice");
    address private bob = makeAddress("bob");

    function setUp() public override {
        super.setUp();
        MarketCap[] memory caps = new MarketCap[](16);
        for (uint256 i = 0; i < 16; ++i) {
            LendingMarket added = LendingMarket(_deployMarket());
            _adopt(added, lender);
            caps[i] = MarketCap(address(added), 100_000e6);
        }
        vault = new LendingVault("V", "V", address(cash), lender, address(factory), caps);
        _deposit(alice, 2_000_000e6);
        for (uint256 i = 0; i < 16; ++i) {
            _lend(LendingMarket(caps[i].market));
        }
        skipTime(30 days);
        _give(borrower, 100_000e6);
        for (uint256 i = 0; i < 16; ++i) {
            vm.prank(borrower);
            LendingMarket(caps[i].market).repay(1, 10_000e6);
        }
    }

    function test_gas_ofADepositThatCollectsFromAll() public {
        uint256 before = gasleft();
        _deposit(bob, 1_000e6);
        assertLt(before - gasleft(), 3_000_000);
        for (uint256 i = 0; i < 16; ++i) {
            assertEq(LendingMarket(vault.markets()[i]).distributorFeesPayable(address(vault)), 0);
        }
    }

    function test_gas_ofARedemptionThatEmptiesAll() public {
        uint256 shares = vault.balanceOf(alice);
        uint256 before = gasleft();
        vm.prank(alice);
        vault.redeem(shares);
        assertLt(before - gasleft(), 4_000_000);
        assertLe(vault.idleAssets(), 1);
    }

    function test_gas_ofATransferWhereNothingWaits() public {
        vm.startPrank(alice);
        vault.transfer(bob, 1e6);
        for (uint256 i = 0; i < 16; ++i) {
            _cool(LendingMarket(vault.markets()[i]));
        }
        uint256 before = gasleft();
        vault.transfer(bob, 1e6);
        assertLt(before - gasleft(), 1_000_000);
        vm.stopPrank();
    }

    /// The next access costs what the first of a transaction does.
    function _cool(LendingMarket each) private {
        vm.cool(address(each));
        vm.cool(address(cash));
        vm.cool(address(vault));
    }

    function _lend(LendingMarket each) private {
        vm.prank(admin);
        each.registerVault(address(vault));
        vm.prank(lender);
        vault.supply(address(each), 100_000e6);
        _giveCollateral(borrower, 1_000e18);
        vm.startPrank(borrower);
        token.approve(each.parts().adapter, type(uint256).max);
        cash.approve(address(each), type(uint256).max);
        each.openLoan(1_000e18, 10_000e6, _noPrice());
        vm.stopPrank();
    }

    function _deposit(address holder, uint256 amount) private {
        _give(holder, amount);
        vm.startPrank(holder);
        cash.approve(address(vault), amount);
        vault.deposit(amount, holder);
        vm.stopPrank();
    }
}
