// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TradingVault} from "../../../src/trading/TradingVault.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {IVaultAccess} from "../../../src/trading/interfaces/IVaultAccess.sol";
import {Fill, Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {FirstGeneration, IFirstVault} from "../support/FirstGeneration.sol";
import {NextVault} from "../support/NextVault.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {TradingTest} from "../support/TradingTest.sol";

/// @notice A vault that was first released as version 1, with people, orders and splits in it, goes on as version 2.
contract FromVersion1Test is TradingTest, FirstGeneration {
    uint256 private constant SHARES = 1_000e18;
    uint256 private constant CASH = 100_000e6;

    TradingVault private vault;
    StockLikeToken private stock;
    StockLikeToken private fund;
    address private next;

    function setUp() public override {
        super.setUp();
        stock = new StockLikeToken(18, admin);
        fund = new StockLikeToken(6, admin);
        vault = TradingVault(_firstVault(admin, operator, feeRecipient));
        next = _create("TradingVault.sol:TradingVault", "");
        assertEq(vault.version(), 1);
        vm.startPrank(admin);
        vault.addToken(address(stock), TransferRules.NONE, true);
        vault.addToken(address(fund), TransferRules.NONE, true);
        vault.addToken(address(cash), TransferRules.NONE, false);
        vm.stopPrank();
        stock.mint(seller, SHARES);
        fund.mint(buyer, CASH);
        cash.mint(buyer, CASH);
        vm.startPrank(seller);
        stock.approve(address(vault), SHARES);
        vault.depositAndCommit(address(stock), SHARES);
        vm.stopPrank();
        vm.startPrank(buyer);
        cash.approve(address(vault), CASH);
        fund.approve(address(vault), CASH);
        vault.depositAndCommit(address(cash), CASH);
        vault.depositAndCommit(address(fund), CASH);
        vm.stopPrank();
    }

    function _venue() internal view override returns (ISignedOrders) {
        return vault;
    }

    function _base() internal view override returns (address) {
        return address(stock);
    }

    /// @dev Long enough for the notice.
    function _longLived(Order memory order) private view returns (Order memory) {
        order.expiry = uint64(block.timestamp + 60 days);
        return order;
    }

    /// @dev As somebody signed who read the prefix of version 1.
    function _firstOrders() private returns (Order memory sell, Order memory buy) {
        bytes32 prefix = bytes32(IFirstVault(address(vault)).saltPrefix(address(stock)));
        (sell, buy) = (_longLived(_sell(10e18)), _longLived(_buy(10e18)));
        (sell.salt, buy.salt) = (sell.salt | prefix, buy.salt | prefix);
    }

    function _split(StockLikeToken token, uint256 numerator, uint256 denominator) private {
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        token.split(numerator, denominator, holders);
    }

    function _upgrade() private {
        vm.startPrank(admin);
        vault.announceUpgrade(next);
        skipTime(14 days);
        vault.upgradeToAndCall(next, "");
        vm.stopPrank();
        assertEq(vault.version(), 2);
    }

    function _settle(Fill memory fill) private {
        vm.prank(operator);
        vault.settle(fill);
    }

    function test_upgrade_keepsAccountsRolesAndRequests() public {
        vm.startPrank(seller);
        vault.requestWithdrawal(address(stock), 100e18);
        vault.setAutoCommit(true);
        vault.raiseNonceFloor(7);
        vm.stopPrank();
        ITradingVault.AccountView memory before = vault.accountOf(seller, address(stock));
        assertEq(before.requested, 100e18);
        _upgrade();
        assertEq(vault.admin(), admin);
        assertTrue(vault.isOperator(operator) && vault.isAutoCommitOn(seller));
        assertEq(vault.nonceFloor(seller), 7);
        assertEq(vault.bookedOf(address(stock)), SHARES);
        vm.prank(seller);
        vault.withdraw(address(stock), 100e18);
        assertEq(vault.accountOf(seller, address(stock)).committed, SHARES - 100e18);
    }

    function test_upgrade_keepsOrdersAndTheirFills() public {
        (Order memory sell, Order memory buy) = _firstOrders();
        Fill memory settled = _fill(sell, buy, 4e18);
        _settle(settled);
        bytes32[] memory dead = new bytes32[](1);
        Order memory cancelled = _longLived(_sell(1e18));
        dead[0] = vault.hashOrder(cancelled);
        vm.prank(seller);
        vault.cancelOrders(dead);
        _upgrade();
        assertEq(vault.fillable(cancelled), 0);
        assertEq(vault.fillable(sell), 6e18);
        // A batch of before, sent again.
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(ISignedOrders.TradeAlreadySettled.selector, address(stock), settled.tradeRef)
        );
        vault.settle(settled);
        _settle(_fill(sell, buy, 6e18));
        assertEq(vault.fillable(sell), 0);
    }

    /// Split, seen and traded under version 1: its prefix still counts, until the next split.
    function test_upgrade_keepsOrdersOfASplitToken() public {
        _split(stock, 2, 1);
        vault.syncSplit(address(stock));
        (Order memory sell, Order memory buy) = _firstOrders();
        Order memory before = _longLived(_sell(1e18));
        _upgrade();
        assertEq(vault.fillable(before), 0);
        _settle(_fill(sell, buy, 4e18));
        _split(stock, 2, 1);
        assertEq(vault.fillable(sell), 0);
        _settle(_fill(_current(_sell(1e18)), _current(_buy(1e18)), 1e18));
    }

    /// Split before the upgrade, and nobody called: the first call of version 2 follows it.
    function test_upgrade_followsASplitThatVersion1DidNotSee() public {
        (Order memory old,) = _firstOrders();
        _split(stock, 3, 1);
        _upgrade();
        assertEq(vault.fillable(old), 0);
        vault.syncSplit(address(stock));
        assertEq(vault.accountOf(seller, address(stock)).committed, 3 * SHARES);
        _settle(_fill(_current(_sell(1e18)), _current(_buy(1e18)), 1e18));
    }

    /// In the middle of a split at the upgrade: whoever leaves gets new shares, whoever stays too.
    function test_upgrade_inTheMiddleOfASplit() public {
        vm.prank(operator);
        vault.release(seller, address(stock), SHARES);
        _split(stock, 2, 1);
        stock.setRatio(1, 1);
        stock.setSplitHoldersLeft(1);
        _upgrade();
        vm.prank(seller);
        vault.withdraw(address(stock), SHARES / 2);
        assertEq(stock.balanceOf(seller), SHARES);
        stock.setRatio(2, 1);
        stock.setSplitHoldersLeft(0);
        vm.prank(seller);
        vault.withdraw(address(stock), SHARES);
        assertEq(stock.balanceOf(seller), 2 * SHARES);
    }

    /// Accounts that lag behind splits which version 1 wrote down.
    function test_upgrade_appliesSplitsOfVersion1ToAccountsThatSlept() public {
        _split(stock, 2, 1);
        vault.syncSplit(address(stock));
        _split(stock, 3, 1);
        vault.syncSplit(address(stock));
        _upgrade();
        assertEq(vault.accountOf(seller, address(stock)).committed, 6 * SHARES);
        vm.prank(operator);
        vault.release(seller, address(stock), 6 * SHARES);
        vm.prank(seller);
        vault.withdraw(address(stock), 6 * SHARES);
    }

    /// Version 1 said nothing about splits of the money, so nobody knows which of these orders mean the money of today.
    function test_upgrade_endsOrdersPaidForWithMoneyThatWasSplit() public {
        (Order memory sell,) = _firstOrders();
        sell.quote = address(fund);
        _split(fund, 10, 1);
        vault.syncSplit(address(fund));
        assertEq(vault.fillable(sell), 10e18);
        _upgrade();
        assertEq(vault.fillable(sell), 0);
    }

    /// A ratio that had come back under version 1 makes nothing good that version 1 would have taken.
    function test_upgrade_endsOrdersOfARatioThatCameBack() public {
        _split(stock, 2, 1);
        vault.syncSplit(address(stock));
        (Order memory sell,) = _firstOrders();
        _split(stock, 1, 2);
        vault.syncSplit(address(stock));
        assertEq(vault.fillable(sell), 10e18);
        _upgrade();
        assertEq(vault.fillable(sell), 0);
        _settle(_fill(_current(_sell(1e18)), _current(_buy(1e18)), 1e18));
    }

    /// Version 1 wrote no ends of freezes down, so the first notice of version 2 waits for the longest there could be.
    function test_upgrade_countsFreezesOfVersion1() public {
        vm.startPrank(admin);
        vault.announceUpgrade(next);
        skipTime(14 days);
        vault.freezeUser(seller, block.timestamp + 30 days);
        vault.upgradeToAndCall(next, "");
        uint256 start = block.timestamp;
        address third = address(new NextVault(3));
        vault.announceUpgrade(third);
        vm.warp(start + 14 days);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.UpgradeNotReady.selector, start + 44 days));
        vault.upgradeToAndCall(third, "");
        vm.stopPrank();
        // Nor can an operator lift what may be the admin's.
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.FrozenByAdmin.selector, seller));
        vault.unfreezeUser(seller);
        vm.startPrank(admin);
        vault.announceUpgrade(third);
        vm.warp(start + 44 days);
        vault.upgradeToAndCall(third, "");
        vm.stopPrank();
    }
}
