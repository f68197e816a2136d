// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {ILendingVault, MarketCap} from "../../../src/lending/interfaces/ILendingVault.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract VaultRefusalsTest is LendingTest {
    LendingVault private vault;

    function setUp() public override {
        super.setUp();
        vault = _makeVault(lender, 100_000e6);
    }

    function test_market_ofAnotherAssetIsRefused() public {
        DemoCash other = new DemoCash("Other", "OTH", 6, address(this));
        LendingVault foreign =
            new LendingVault("Vault", "VLT", address(other), lender, address(factory), new MarketCap[](0));
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.AssetMismatch.selector, address(market)));
        foreign.announceDrawCap(address(market), 1);
    }

    function test_markets_areAtMostSixteen() public {
        address[] memory added = new address[](16);
        for (uint256 i = 0; i < 16; ++i) {
            added[i] = _adoptedMarket();
            vm.prank(lender);
            vault.announceDrawCap(added[i], 1);
        }
        skipTime(14 days);
        vm.startPrank(lender);
        for (uint256 i = 0; i < 15; ++i) {
            vault.setDrawCap(added[i], 1);
        }
        vm.expectRevert(abi.encodeWithSelector(ILendingVault.TooManyMarkets.selector, 16));
        vault.setDrawCap(added[15], 1);
        vault.setDrawCap(address(market), 2);
        vm.stopPrank();
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
        skipTime(3 days);
        vm.prank(stranger);
        vm.expectRevert(ILendingVault.NothingRedeemable.selector);
        vault.redeem(shares);
        _repay(1, 600_000e6);
        vm.prank(stranger);
        // And three days of interest.
        assertApproxEqAbs(vault.redeem(shares), 100_000e6, 300e6);
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
