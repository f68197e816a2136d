// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {BooksInvariant} from "./BooksInvariant.sol";
import {LendingHandler} from "./LendingHandler.sol";
import {VaultHandler} from "./VaultHandler.sol";

contract VaultInvariantTest is BooksInvariant, InvariantTest {
    VaultHandler private handler;
    LendingVault private vault;
    address private distributor = makeAddress("distributor");
    address[2] private investors = [makeAddress("first investor"), makeAddress("second investor")];

    function setUp() public override {
        super.setUp();
        _wireVenue();
        vm.prank(issuer);
        market.setTermConfig(60 days, 2 days, 0, 200);
        vault = _makeVault(lender, 500_000e6);
        vm.startPrank(admin);
        market.registerVault(address(vault));
        market.setVaultLiquidity(true);
        vm.stopPrank();
        for (uint256 i = 0; i < 2; ++i) {
            _give(investors[i], 300_000e6);
            vm.startPrank(investors[i]);
            cash.approve(address(vault), type(uint256).max);
            vault.deposit(300_000e6, i == 0 ? distributor : address(0));
            vm.stopPrank();
        }
        LendingHandler.Actors memory actors;
        actors.lender = lender;
        actors.admin = admin;
        actors.issuer = issuer;
        actors.signer = signer;
        actors.liquidator = liquidator;
        actors.seller = seller;
        actors.buyer = buyer;
        actors.borrowers = [borrower, makeAddress("second borrower"), makeAddress("third borrower")];
        for (uint256 i = 1; i < 3; ++i) {
            vm.startPrank(actors.borrowers[i]);
            token.approve(adapter, type(uint256).max);
            cash.approve(address(market), type(uint256).max);
            vm.stopPrank();
        }
        handler = new VaultHandler(market, cash, DemoCash(address(token)), venue, actors, vault, distributor, investors);
        cash.transferOwnership(address(handler));
        DemoCash(address(token)).transferOwnership(address(handler));
        targetContract(address(handler));
    }

    function _otherProvider() internal view override returns (address) {
        return address(vault);
    }

    function invariant_theBooksHoldWithAVault() public view {
        _checkTheBooks();
        _checkTheVaultHoldsWhatItOwes();
        _checkVaultSharesAreNeverWorthMoreThanTheAssets();
        assertLt(handler.maxGas(), 16_777_216);
    }

    function _checkTheVaultHoldsWhatItOwes() private view {
        uint256 fees = vault.distributorFeesOf(distributor) + vault.distributorFeesOf(address(0));
        assertGe(cash.balanceOf(address(vault)), vault.idleAssets() + fees, "cash of the vault");
        assertEq(vault.totalSupply(), vault.balanceOf(investors[0]) + vault.balanceOf(investors[1]), "vault shares");
    }

    function _checkVaultSharesAreNeverWorthMoreThanTheAssets() private view {
        uint256 assets = vault.totalAssets();
        uint256 supply = vault.totalSupply();
        assertLe(supply * (assets + 1) / (supply + 1), assets, "vault shares beyond the assets");
        assertLe(vault.redeemableNow(), assets, "redeemable beyond the assets");
        assertEq(assets, vault.idleAssets() + market.toAssets(market.sharesOf(address(vault))), "idle and what is lent");
    }
}
