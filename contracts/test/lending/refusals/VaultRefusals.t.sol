// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {ILendingVault} from "../../../src/lending/interfaces/ILendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract VaultRefusalsTest is LendingTest {
    LendingVault private vault;

    function setUp() public override {
        super.setUp();
        vault = new LendingVault("Vault", "VLT", address(cash), lender);
    }

    function test_market_ofAnotherAssetIsRefused() public {
        DemoCash other = new DemoCash("Other", "OTH", 6, address(this));
        LendingVault foreign = new LendingVault("Vault", "VLT", address(other), lender);
        vm.startPrank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AssetMismatch.selector, address(market)));
        foreign.setDrawCap(address(market), 1);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AssetMismatch.selector, address(market)));
        foreign.supply(address(market), 0);
        vm.stopPrank();
    }

    function test_markets_areAtMostSixteen() public {
        for (uint256 i = 0; i < 16; ++i) {
            address added = _adoptedMarket();
            vm.prank(lender);
            vault.setDrawCap(added, 1);
        }
        address seventeenth = _adoptedMarket();
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.TooManyMarkets.selector, 16));
        vault.setDrawCap(seventeenth, 1);
        address first = vault.markets()[0];
        vm.prank(lender);
        vault.setDrawCap(first, 2);
        assertEq(vault.markets().length, 16);
    }

    function test_redeem_revertsWhenEverythingIsLent() public {
        _give(stranger, 100_000e6);
        vm.startPrank(stranger);
        cash.approve(address(vault), type(uint256).max);
        uint256 shares = vault.deposit(100_000e6, address(0));
        vm.stopPrank();
        vm.prank(admin);
        market.registerVault(address(vault));
        vm.prank(lender);
        vault.supply(address(market), 100_000e6);
        _giveCollateral(borrower, 10_000e18);
        _openLoan(20_000e18, 1_100_000e6);
        vm.prank(stranger);
        vm.expectRevert(ILendingVault.NothingRedeemable.selector);
        vault.redeem(shares);
        _repay(1, 600_000e6);
        vm.prank(stranger);
        assertApproxEqAbs(vault.redeem(shares), 100_000e6, 1);
    }

    function test_renounceOwnership_isRefusedToEveryone() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vault.renounceOwnership();
        vm.prank(lender);
        vm.expectRevert(ILendingVault.OwnershipNotRenounceable.selector);
        vault.renounceOwnership();
        assertEq(vault.owner(), lender);
    }

    function _adoptedMarket() private returns (address added) {
        added = _deployMarket();
        _adopt(LendingMarket(added), lender);
    }
}
