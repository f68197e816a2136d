// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {Fill, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {FreeToken} from "../../support/hostile/CollateralTokens.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";

/// @notice A token that is split, or says so: whoever leaves, stays or comes counts in the units that are really there.
contract SplitUnitsAttackTest is TradingVaultTest {
    StockLikeToken private stock;

    function _makeToken() internal override returns (FreeToken) {
        stock = new StockLikeToken(18, admin);
        return stock;
    }

    function _splits() internal pure override returns (bool) {
        return true;
    }

    /// The vault is converted, and the token goes on with the other holders.
    function _convertVault(uint256 numerator, uint256 denominator) private {
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        stock.split(numerator, denominator, holders);
        stock.setSplitHoldersLeft(1);
    }

    function _free(address user, uint256 amount) private {
        vm.prank(operator);
        vault.release(user, address(token), amount);
    }

    function _withdraw(address user, uint256 amount) private {
        vm.prank(user);
        vault.withdraw(address(token), amount);
    }

    function test_attack_leavingInTheMiddleOfASplit() public {
        _fund(buyer, SHARES, 0);
        _free(seller, SHARES);
        _free(buyer, SHARES);
        // 1. A 2:1 split has reached the vault, and not everybody: the token tells no new ratio yet.
        _convertVault(2, 1);
        stock.setRatio(1, 1);
        // 2. The seller leaves. What the vault counts is old shares, what it holds new ones.
        _withdraw(seller, SHARES);
        assertEq(token.balanceOf(seller), 2 * SHARES);
        // 3. The split ends, and nobody is short or has what was the seller's.
        stock.setRatio(2, 1);
        stock.setSplitHoldersLeft(0);
        _withdraw(buyer, 2 * SHARES);
        assertEq(token.balanceOf(buyer), 2 * SHARES);
        assertEq(token.balanceOf(address(vault)), 0);
    }

    /// The other order: the seller leaves before the vault is converted, and is converted alone.
    function test_attack_leavingBeforeTheVaultIsConverted() public {
        _fund(buyer, SHARES, 0);
        _free(seller, SHARES);
        stock.setSplitHoldersLeft(2);
        stock.setRatio(2, 1);
        _withdraw(seller, SHARES);
        assertEq(token.balanceOf(seller), SHARES);
        stock.setRatio(1, 1);
        _convertVault(2, 1);
        stock.setSplitHoldersLeft(0);
        vault.syncSplit(address(token));
        _assertAccount(buyer, token, 0, 2 * SHARES);
    }

    function test_attack_leavingWhileTheTokenIsSilent() public {
        _free(seller, SHARES);
        // 1. Split, and the token does not say so.
        _convertVault(3, 1);
        stock.setSplitSilent(true);
        _withdraw(seller, SHARES / 2);
        assertEq(token.balanceOf(seller), SHARES * 3 / 2);
        // 2. It finds its voice.
        stock.setSplitSilent(false);
        stock.setSplitHoldersLeft(0);
        _withdraw(seller, SHARES * 3 / 2);
        assertEq(token.balanceOf(seller), SHARES * 3);
    }

    /// Whoever pays in new shares while the books count old ones would own too much after the split.
    function test_attack_comingInTheMiddleOfASplit() public {
        _convertVault(2, 1);
        stock.setRatio(1, 1);
        token.mint(stranger, SHARES);
        vm.startPrank(stranger);
        token.approve(address(vault), SHARES);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(token)));
        vault.deposit(address(token), SHARES);
        vm.stopPrank();
        Fill memory fill = _fill(_sell(1e18), _buy(1e18), 1e18);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(token)));
        vault.settle(fill);
    }

    function test_attack_ratioThatBlipsUpAndBack() public {
        // 1. The token says 2:1, without a share more. The vault holds what it held, and so do the users.
        stock.setRatio(2, 1);
        vault.syncSplit(address(token));
        _assertAccount(seller, token, 0, SHARES);
        // 2. It takes its word back, without a share less.
        stock.setRatio(1, 1);
        vault.syncSplit(address(token));
        _assertAccount(seller, token, 0, SHARES);
        assertEq(vault.bookedOf(address(token)), SHARES);
    }

    function test_attack_ratioThatBlipsDownAndBack() public {
        stock.setRatio(1, 2);
        vault.syncSplit(address(token));
        _assertAccount(seller, token, 0, SHARES);
        stock.setRatio(1, 1);
        vault.syncSplit(address(token));
        _assertAccount(seller, token, 0, SHARES);
    }

    /// A reverse split that really took the shares is followed, with something that lies there and is nobody's too.
    function test_split_backwardsIsFollowedWhenTheSharesAreGone() public {
        token.mint(address(vault), 10e18);
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        stock.split(1, 2, holders);
        vault.syncSplit(address(token));
        _assertAccount(seller, token, 0, SHARES / 2);
        assertEq(vault.bookedOf(address(token)), SHARES / 2);
    }

    /// Three amounts that round apart would leave shares behind that belong to nobody.
    function test_attack_roundingInPieces() public {
        StockLikeToken odd = new StockLikeToken(0, admin);
        vm.prank(admin);
        vault.addToken(address(odd), TransferRules.NONE, true);
        odd.mint(seller, 10);
        vm.startPrank(seller);
        odd.approve(address(vault), 10);
        vault.deposit(address(odd), 10);
        vault.commit(address(odd), 7);
        vault.requestWithdrawal(address(odd), 1);
        vm.stopPrank();
        // 1. 10 shares become 5: 3 free and 7 committed would be 1 and 3, and one share nobody's.
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        odd.split(1, 2, holders);
        vault.syncSplit(address(odd));
        ITradingVault.AccountView memory account = vault.accountOf(seller, address(odd));
        assertEq(account.free + account.committed, 5, "nothing is stuck");
        assertEq(account.committed, 3);
        // 2. The seller leaves with all of it.
        vm.prank(operator);
        vault.release(seller, address(odd), 3);
        vm.prank(seller);
        vault.withdraw(address(odd), 5);
        assertEq(odd.balanceOf(address(vault)), 0);
    }
}
