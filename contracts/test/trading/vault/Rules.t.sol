// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../../src/demo/DemoCompliance.sol";
import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {Fill, Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {FreeToken} from "../../support/hostile/CollateralTokens.sol";
import {RestrictedSecurity} from "../support/HostileLegs.sol";
import {StockLikeToken} from "../support/StockLikeToken.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";

/// @notice A token with rules of its own and splits, traded in a vault.
contract VaultRulesTest is TradingVaultTest {
    StockLikeToken private stock;

    function _makeToken() internal override returns (FreeToken) {
        stock = new StockLikeToken(18, admin);
        return stock;
    }

    function _rules() internal pure override returns (TransferRules) {
        return TransferRules.CAN_TRANSFER;
    }

    function _splits() internal pure override returns (bool) {
        return true;
    }

    function _settle(Fill memory fill) private {
        vm.prank(operator);
        vault.settle(fill);
    }

    function _refused(Fill memory fill, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        vault.settle(fill);
    }

    function _ruleRefused(address account, uint8 code, bytes32 rule) private view returns (bytes memory) {
        return abi.encodeWithSelector(ITradingVault.TokenRuleRefused.selector, address(token), account, code, rule);
    }

    /* RULES */

    function test_rules_areAskedAboutBothParties() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        stock.setCode(seller, 1);
        _refused(fill, _ruleRefused(seller, 1, "SENDER_LOCKED"));
        stock.setCode(seller, 0);
        stock.setCode(buyer, 5);
        _refused(fill, _ruleRefused(buyer, 5, "RECIPIENT_EXCEEDS_MAX"));
        stock.setCode(buyer, 0);
        _settle(fill);
        _assertAccount(buyer, token, 1e18, 0);
    }

    function test_rules_thatDoNotAnswerRefuse() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        StockLikeToken.Mode[3] memory modes =
            [StockLikeToken.Mode.REVERTS, StockLikeToken.Mode.BURNS_GAS, StockLikeToken.Mode.ANSWERS_ONE_WORD];
        for (uint256 i = 0; i < modes.length; ++i) {
            stock.setMode(modes[i]);
            _refused(fill, _ruleRefused(seller, 255, "NO_ANSWER"));
        }
        stock.setMode(StockLikeToken.Mode.ANSWERS_HUGE_CODE);
        _refused(fill, _ruleRefused(seller, 255, 0));
        stock.setMode(StockLikeToken.Mode.ANSWERS_TOO_MUCH);
        uint256 before = gasleft();
        _settle(fill);
        assertLe(before - gasleft(), 1_000_000, "gas");
    }

    /// A compliance that burns all gas stops its own token and nothing else of the batch.
    function test_rules_ofAHostileTokenLeaveTheBatchAlone() public {
        FreeToken plain = new FreeToken(18);
        vm.prank(admin);
        vault.addToken(address(plain), TransferRules.NONE, false);
        plain.mint(seller, 10e18);
        vm.startPrank(seller);
        plain.approve(address(vault), 10e18);
        vault.depositAndCommit(address(plain), 10e18);
        vm.stopPrank();
        stock.setMode(StockLikeToken.Mode.BURNS_GAS);
        (Order memory sell, Order memory buy) = (_sell(1e18), _buy(1e18));
        (sell.token, buy.token) = (address(plain), address(plain));
        Fill[] memory fills = new Fill[](2);
        (fills[0], fills[1]) = (_fill(_sell(10e18), _buy(10e18), 1e18), _fill(sell, buy, 1e18));
        vm.prank(operator);
        (uint256 settled, uint256 processed) = vault.batchSettle("batch", fills, 2);
        assertTrue(settled == 1 && processed == 2);
        _assertAccount(buyer, plain, 1e18, 0);
    }

    /* ERC-3643 AND ERC-1404 */

    function test_rules_ofErc3643AreAskedAboutBothParties() public {
        DemoIdentityRegistry registry = new DemoIdentityRegistry(address(this));
        DemoCompliance compliance = new DemoCompliance(address(this));
        RestrictedSecurity bond = new RestrictedSecurity(address(registry), address(compliance), address(this));
        registry.addAgent(address(this));
        registry.registerIdentity(seller, address(1), 276);
        registry.registerIdentity(address(vault), address(2), 276);
        bond.addAgent(address(this));
        bond.mint(seller, 100);
        vm.prank(admin);
        vault.addToken(address(bond), TransferRules.ERC1404, false);
        vm.startPrank(seller);
        bond.approve(address(vault), 100);
        vault.depositAndCommit(address(bond), 100);
        vm.stopPrank();
        (Order memory sell, Order memory buy) = (_sell(10), _buy(10));
        (sell.token, buy.token) = (address(bond), address(bond));
        Fill memory fill = _fill(sell, buy, 10);

        _refused(fill, _bondRefused(bond, buyer, 4, "NOT_VERIFIED"));
        registry.registerIdentity(buyer, address(3), 276);
        bond.setAddressFrozen(seller, true);
        _refused(fill, _bondRefused(bond, seller, 2, "WALLET_FROZEN"));
        bond.setAddressFrozen(seller, false);
        bond.pause();
        _refused(fill, _bondRefused(bond, address(0), 1, "PAUSED"));
        bond.unpause();
        compliance.setMaxBalance(9);
        _refused(fill, _bondRefused(bond, buyer, 6, "COMPLIANCE_REFUSED"));
        compliance.setMaxBalance(0);
        bond.setCode(seller, 9);
        _refused(fill, _bondRefused(bond, seller, 9, "RESTRICTED"));
        bond.setCode(seller, 0);
        bond.setIdentityRegistry(stranger);
        _refused(fill, _bondRefused(bond, address(0), 3, "NO_REGISTRY"));
        bond.setIdentityRegistry(address(registry));
        _settle(fill);
        vm.etch(address(compliance), "");
        fill = _fill(sell, buy, 1);
        (fill.maker.salt, fill.taker.salt) = ("other", "other");
        _signBoth(fill);
        _refused(fill, _bondRefused(bond, address(0), 5, "NO_COMPLIANCE"));
    }

    function _bondRefused(RestrictedSecurity bond, address account, uint8 code, bytes32 rule)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(ITradingVault.TokenRuleRefused.selector, address(bond), account, code, rule);
    }

    /* SPLITS */

    function _split(uint256 numerator, uint256 denominator) private {
        address[] memory holders = new address[](1);
        holders[0] = address(vault);
        stock.split(numerator, denominator, holders);
    }

    function test_split_reachesEveryAccountWhenItIsNextUsed() public {
        vm.prank(seller);
        vault.requestWithdrawal(address(token), 100e18);
        _split(3, 1);
        vm.expectEmit();
        emit ITradingVault.SplitApplied(address(token), 3, 1);
        vault.syncSplit(address(token));
        _assertAccount(seller, token, 0, 3 * SHARES);
        assertEq(_account(seller, token).requested, 300e18);
        assertEq(vault.bookedOf(address(token)), 3 * SHARES);
        vault.syncSplit(address(token));
        assertEq(vault.bookedOf(address(token)), 3 * SHARES);
        skipTime(1 days);
        vm.prank(seller);
        vault.withdraw(address(token), 300e18);
        assertEq(token.balanceOf(seller), 300e18);
    }

    function test_split_isFollowedByEveryCallByItself() public {
        _split(2, 1);
        vm.prank(operator);
        vault.release(seller, address(token), 2 * SHARES);
        _split(3, 2);
        vm.prank(seller);
        vault.withdraw(address(token), 3 * SHARES);
        assertEq(token.balanceOf(seller), 3 * SHARES);
        _assertAccount(seller, token, 0, 0);
    }

    /// Ten shares at 100 are not ten shares at 100 after a split: old orders are dead, whatever the operator does.
    function test_split_killsOrdersFromBefore() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        assertEq(bytes32(vault.saltPrefix(address(token), address(cash))), 0);
        _split(2, 1);
        bytes16 prefix = vault.saltPrefix(address(token), address(cash));
        assertEq(bytes32(bytes4(prefix)), bytes32(bytes4("SPLT")));
        assertEq(vault.fillable(fill.maker), 0);
        bytes32 orderHash = vault.hashOrder(fill.maker);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SaltPrefixMismatch.selector, orderHash, prefix));

        Order memory sell = _current(_sell(10e18));
        assertEq(vault.fillable(sell), 10e18);
        _settle(_fill(sell, _current(_buy(10e18)), 1e18));
        _assertAccount(seller, token, 0, 2 * SHARES - 1e18);
        _assertAccount(buyer, token, 1e18, 0);
    }

    function test_split_stopsTradingWhileItIsUnderWay() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        stock.setSplitHoldersLeft(1);
        stock.setRatio(2, 1);
        bytes memory reason = abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(token));
        _refused(fill, reason);
        vm.expectRevert(reason);
        vault.syncSplit(address(token));
        vm.prank(seller);
        vm.expectRevert(reason);
        vault.deposit(address(token), 1);
    }

    /// A token that tells a split which did not happen gives nobody more than before.
    function test_split_isNotBelievedWithoutTheShares() public {
        stock.setRatio(2, 1);
        vm.expectEmit();
        emit ITradingVault.SplitFellShort(address(token), SHARES, 2 * SHARES);
        vm.expectEmit();
        emit ITradingVault.SplitApplied(address(token), 1, 1);
        vault.syncSplit(address(token));
        _assertAccount(seller, token, 0, SHARES);
        assertEq(vault.bookedOf(address(token)), SHARES);
    }

    /// Each split rounds the vault's own balance down, so two of them make less than one of their product.
    function test_split_twiceBeforeAnybodyLookedIsSharedByAll() public {
        _fund(buyer, 1, 0);
        _split(4, 3);
        _split(4, 3);
        uint256 held = token.balanceOf(address(vault));
        assertEq(held, (SHARES + 1) * 4 / 3 * 4 / 3);
        vault.syncSplit(address(token));
        assertEq(vault.bookedOf(address(token)), held);
        _assertAccount(buyer, token, 0, 1);
        assertLe(_account(seller, token).committed + 1, held);
    }

    /// An agent took a tenth out of the vault, then the token is split: a tenth is missing from everybody.
    function test_split_afterAForcedTransferIsSharedByAll() public {
        _fund(buyer, SHARES, 0);
        vm.prank(address(vault));
        token.transfer(stranger, SHARES / 5);
        _split(2, 1);
        vm.prank(operator);
        vault.release(seller, address(token), 1);
        assertEq(_account(seller, token).committed, 2 * SHARES * 9 / 10 - 1);
        assertEq(_account(buyer, token).committed, 2 * SHARES * 9 / 10);
    }

    function test_split_ofNothingIsRefused() public {
        vm.prank(address(vault));
        token.transfer(stranger, SHARES);
        stock.setRatio(2, 1);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.SplitNotCovered.selector, address(token), 2 * SHARES));
        vault.syncSplit(address(token));
        vm.prank(operator);
        vault.release(seller, address(token), SHARES);
        _assertAccount(seller, token, SHARES, 0);
    }

    function test_split_thatIsNotToldStopsTradingAndNotLeaving() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        stock.setSplitSilent(true);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(token)));
        vm.prank(seller);
        vault.requestWithdrawal(address(token), SHARES);
        skipTime(1 days);
        vm.prank(seller);
        vault.withdraw(address(token), SHARES);
        stock.setSplitSilent(false);
        stock.setRatio(0, 1);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(token)));
        stock.setRatio(uint256(type(uint128).max) + 1, 1);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(token)));
    }

    function test_split_beforeTheTokenWasAddedIsNoNews() public {
        StockLikeToken other = new StockLikeToken(18, admin);
        other.setRatio(6, 4);
        vm.prank(admin);
        vault.addToken(address(other), TransferRules.NONE, true);
        vault.syncSplit(address(other));
        other.setRatio(9, 2);
        vm.expectEmit();
        emit ITradingVault.SplitApplied(address(other), 3, 1);
        vault.syncSplit(address(other));
    }

    function test_split_thatCannotBeToldInNumbersIsRefused() public {
        StockLikeToken other = new StockLikeToken(18, admin);
        other.setRatio(1, type(uint128).max - 1);
        vm.prank(admin);
        vault.addToken(address(other), TransferRules.NONE, true);
        other.setRatio(type(uint128).max, 1);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(other)));
        vault.syncSplit(address(other));
    }

    /// Two forward splits and a reverse one, over three accounts: never more than the vault holds.
    function testFuzz_split_neverPromisesMoreThanIsHeld(uint256 first, uint256 second, uint256[3] memory ratios)
        public
    {
        first = bound(first, 1, 1e24);
        second = bound(second, 1, 1e24);
        _fund(buyer, first, 0);
        _fund(stranger, second, 0);
        vm.prank(buyer);
        vault.requestWithdrawal(address(token), (first + 1) / 2);
        for (uint256 i = 0; i < 3; ++i) {
            uint256 denominator = bound(ratios[i] >> 128, 1, 50);
            uint256 numerator = bound(ratios[i] & type(uint128).max, 1, 50);
            _split(numerator, denominator);
            vault.syncSplit(address(token));
            // One account is used between the splits, the others are not.
            if (i == 1 && _account(buyer, token).committed != 0) {
                vm.prank(operator);
                vault.release(buyer, address(token), 1);
            }
        }
        uint256 sum;
        address[3] memory users = [seller, buyer, stranger];
        for (uint256 i = 0; i < 3; ++i) {
            ITradingVault.AccountView memory account = _account(users[i], token);
            assertLe(account.requested, account.committed, "requested");
            sum += account.free + account.committed;
        }
        assertLe(sum, vault.bookedOf(address(token)), "booked");
        assertLe(vault.bookedOf(address(token)), token.balanceOf(address(vault)), "held");
    }
}
