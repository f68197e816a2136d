// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ExactTransferLib} from "../../../src/libraries/ExactTransferLib.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {IVaultAccess} from "../../../src/trading/interfaces/IVaultAccess.sol";
import {Fill, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {FeeToken, FreeToken} from "../../support/hostile/CollateralTokens.sol";
import {BadDecimals} from "../../support/hostile/OddTokens.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";

/// @notice In, commit, ask back, out.
contract VaultAccountsTest is TradingVaultTest {
    address private trader;

    function setUp() public override {
        super.setUp();
        trader = makeAddress("trader");
        _fund(trader, 0, 0);
        token.mint(trader, 100e18);
    }

    function _deposit(uint256 amount) private {
        vm.prank(trader);
        vault.deposit(address(token), amount);
    }

    function _commit(uint256 amount) private {
        _deposit(amount);
        vm.prank(trader);
        vault.commit(address(token), amount);
    }

    function _request(uint256 amount) private {
        vm.prank(trader);
        vault.requestWithdrawal(address(token), amount);
    }

    function _assertMine(uint256 free, uint256 committed, uint256 requested) private view {
        _assertAccount(trader, token, free, committed);
        assertEq(_account(trader, token).requested, requested, "requested");
    }

    /* DEPOSIT */

    function test_deposit_revertsForNothingAndForUnsupportedTokens() public {
        vm.startPrank(trader);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.ZeroAmount.selector));
        vault.deposit(address(token), 0);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.TokenNotSupported.selector, trader));
        vault.deposit(trader, 1);
        vm.stopPrank();
    }

    function test_deposit_revertsWhenTheTokenKeepsAFee() public {
        FeeToken keeper = new FeeToken(18);
        vm.prank(admin);
        vault.addToken(address(keeper), TransferRules.NONE, false);
        keeper.mint(trader, 100);
        keeper.setOn(true);
        vm.startPrank(trader);
        keeper.approve(address(vault), 100);
        vm.expectRevert(abi.encodeWithSelector(ExactTransferLib.ReceivedOtherAmount.selector, address(keeper), 100, 99));
        vault.deposit(address(keeper), 100);
        vm.stopPrank();
    }

    function testFuzz_deposit_creditsExactlyWhatArrived(uint256 amount) public {
        amount = bound(amount, 1, 100e18);
        vm.expectEmit();
        emit ITradingVault.Deposited(trader, address(token), amount);
        _deposit(amount);
        _assertMine(amount, 0, 0);
        assertEq(vault.bookedOf(address(token)), SHARES + amount);
        assertEq(token.balanceOf(address(vault)), SHARES + amount);
    }

    /* COMMIT */

    function test_commit_revertsForNothingAndForMoreThanIsFree() public {
        _deposit(10);
        vm.startPrank(trader);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.ZeroAmount.selector));
        vault.commit(address(token), 0);
        vm.expectRevert(
            abi.encodeWithSelector(ITradingVault.FreeBalanceTooLow.selector, trader, address(token), 10, 11)
        );
        vault.commit(address(token), 11);
        vm.stopPrank();
    }

    function test_commit_revertsForARemovedToken() public {
        _deposit(10);
        vm.prank(admin);
        vault.removeToken(address(token));
        vm.prank(trader);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.TokenNotSupported.selector, address(token)));
        vault.commit(address(token), 10);
    }

    function test_commit_makesAPartSpendable() public {
        _deposit(10);
        vm.expectEmit();
        emit ITradingVault.Committed(trader, address(token), 7);
        vm.prank(trader);
        vault.commit(address(token), 7);
        _assertMine(3, 7, 0);
        vm.prank(trader);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.FreeBalanceTooLow.selector, trader, address(token), 3, 4));
        vault.withdraw(address(token), 4);
    }

    /* ASK BACK */

    function test_request_revertsForNothingAndForMoreThanIsOpen() public {
        _commit(10);
        _request(6);
        vm.startPrank(trader);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.ZeroAmount.selector));
        vault.requestWithdrawal(address(token), 0);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.CommittedTooLow.selector, trader, address(token), 4, 5));
        vault.requestWithdrawal(address(token), 5);
        vm.stopPrank();
    }

    function test_request_comesFreeAfterADay() public {
        _commit(10);
        uint256 readyAt = block.timestamp + 1 days;
        vm.expectEmit();
        emit ITradingVault.WithdrawalRequested(trader, address(token), 6, readyAt);
        _request(6);
        assertEq(_account(trader, token).readyAt, readyAt);
        vm.warp(readyAt - 1);
        _assertMine(0, 10, 6);
        vm.warp(readyAt);
        _assertMine(6, 4, 0);
        vm.prank(trader);
        vault.withdraw(address(token), 6);
        _assertMine(0, 4, 0);
        assertEq(token.balanceOf(trader), 100e18 - 4);
    }

    function test_request_startsTheClockAnewForAll() public {
        _commit(10);
        _request(6);
        skipTime(20 hours);
        _request(4);
        skipTime(20 hours);
        _assertMine(0, 10, 10);
        skipTime(4 hours);
        _assertMine(10, 0, 0);
    }

    function test_request_canBeTakenBack() public {
        _commit(10);
        vm.prank(trader);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.NothingRequested.selector, trader, address(token)));
        vault.cancelWithdrawalRequest(address(token));
        _request(6);
        vm.expectEmit();
        emit ITradingVault.WithdrawalRequestCancelled(trader, address(token));
        vm.prank(trader);
        vault.cancelWithdrawalRequest(address(token));
        skipTime(2 days);
        _assertMine(0, 10, 0);
    }

    /* WITHDRAWAL RACES SETTLEMENT */

    /// A seller who saw the trade coming asks everything back. For a day it is still there to settle with.
    function test_race_settlementWinsUntilTheDayIsOver() public {
        vm.prank(seller);
        vault.requestWithdrawal(address(token), SHARES);
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 4e18);
        skipTime(1 days - 1);
        vm.prank(operator);
        vault.settle(fill);
        assertEq(_account(seller, token).requested, SHARES - 4e18, "what is left of it comes free");
        skipTime(1);
        _assertAccount(seller, token, SHARES - 4e18, 0);
        fill.tradeRef = "late";
        fill.maker.expiry = uint64(block.timestamp);
        fill.taker.expiry = uint64(block.timestamp);
        _signBoth(fill);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.CommittedTooLow.selector, seller, address(token), 0, 4e18));
        vault.settle(fill);
    }

    function test_race_settlementSpendsLastWhatWasAskedFor() public {
        vm.prank(seller);
        vault.requestWithdrawal(address(token), SHARES - 4e18);
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 4e18);
        vm.prank(operator);
        vault.settle(fill);
        assertEq(_account(seller, token).requested, SHARES - 4e18);
    }

    /* OUT */

    function test_withdraw_revertsForNothing() public {
        vm.prank(trader);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.ZeroAmount.selector));
        vault.withdraw(address(token), 0);
    }

    function test_withdraw_worksForARemovedToken() public {
        _deposit(10);
        vm.prank(admin);
        vault.removeToken(address(token));
        vm.expectEmit();
        emit ITradingVault.Withdrawn(trader, address(token), 10, 10);
        vm.prank(trader);
        vault.withdraw(address(token), 10);
        assertEq(vault.bookedOf(address(token)), SHARES);
    }

    /// A token that keeps a fee since today must not lock people in: the fee is theirs to bear, and nobody else's.
    function test_withdraw_leavesAFeeToTheOneWhoLeaves() public {
        FeeToken keeper = new FeeToken(18);
        vm.prank(admin);
        vault.addToken(address(keeper), TransferRules.NONE, false);
        keeper.mint(trader, 200);
        vm.startPrank(trader);
        keeper.approve(address(vault), 200);
        vault.deposit(address(keeper), 200);
        keeper.setOn(true);
        vault.withdraw(address(keeper), 100);
        vm.stopPrank();
        assertEq(keeper.balanceOf(trader), 99);
        assertEq(keeper.balanceOf(address(vault)), 100);
        _assertAccount(trader, keeper, 100, 0);
    }

    /* RELEASE */

    function test_release_revertsForAnyoneButAnOperator() public {
        _commit(10);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotOperator.selector, admin));
        vault.release(trader, address(token), 10);
    }

    function test_release_freesAtOnce() public {
        _commit(10);
        _request(6);
        vm.startPrank(operator);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.ZeroAmount.selector));
        vault.release(trader, address(token), 0);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.CommittedTooLow.selector, trader, address(token), 10, 11));
        vault.release(trader, address(token), 11);
        vm.expectEmit();
        emit ITradingVault.Released(trader, address(token), 4, operator);
        vault.release(trader, address(token), 4);
        _assertMine(4, 6, 2);
        vault.release(trader, address(token), 5);
        _assertMine(9, 1, 0);
        vm.stopPrank();
    }

    function test_releaseWithSignature_countsOnceAndInTime() public {
        _commit(10);
        (address signer, uint256 key) = makeActor("operator");
        assertEq(signer, operator);
        uint64 expiry = uint64(block.timestamp + 1 hours);
        bytes32 releaseHash = vault.hashRelease(trader, address(token), 4, expiry, "one");
        bytes memory signature = signDigest(key, releaseHash);

        vm.expectRevert(abi.encodeWithSelector(ITradingVault.BadRelease.selector, stranger, releaseHash));
        vault.releaseWithSignature(trader, address(token), 4, expiry, "one", stranger, signature);
        bytes32 more = vault.hashRelease(trader, address(token), 5, expiry, "one");
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.BadRelease.selector, operator, more));
        vault.releaseWithSignature(trader, address(token), 5, expiry, "one", operator, signature);

        vault.releaseWithSignature(trader, address(token), 4, expiry, "one", operator, signature);
        _assertMine(4, 6, 0);
        assertTrue(vault.isReleaseUsed(releaseHash));
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.ReleaseAlreadyUsed.selector, releaseHash));
        vault.releaseWithSignature(trader, address(token), 4, expiry, "one", operator, signature);

        signature = signDigest(key, vault.hashRelease(trader, address(token), 4, expiry, "two"));
        vm.warp(uint256(expiry) + 1);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.ReleaseExpired.selector, expiry));
        vault.releaseWithSignature(trader, address(token), 4, expiry, "two", operator, signature);
    }

    function test_releaseWithSignature_revertsOnceTheOperatorIsNone() public {
        _commit(10);
        (, uint256 key) = makeActor("operator");
        uint64 expiry = uint64(block.timestamp + 1 hours);
        bytes32 releaseHash = vault.hashRelease(trader, address(token), 4, expiry, "one");
        bytes memory signature = signDigest(key, releaseHash);
        vm.prank(admin);
        vault.setOperator(operator, false);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.BadRelease.selector, operator, releaseHash));
        vault.releaseWithSignature(trader, address(token), 4, expiry, "one", operator, signature);
    }

    /* TOKENS */

    function test_tokens_areTheAdmins() public {
        vm.startPrank(operator);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotAdmin.selector, operator));
        vault.addToken(address(1), TransferRules.NONE, false);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotAdmin.selector, operator));
        vault.removeToken(address(token));
        vm.stopPrank();
    }

    function test_addToken_revertsForWhatCannotBeRead() public {
        address odd = address(new BadDecimals());
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.TokenUnreadable.selector, stranger));
        vault.addToken(stranger, TransferRules.NONE, false);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.TokenUnreadable.selector, odd));
        vault.addToken(odd, TransferRules.NONE, false);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.TokenAlreadySupported.selector, address(token)));
        vault.addToken(address(token), TransferRules.NONE, false);
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.TokenNotSupported.selector, stranger));
        vault.removeToken(stranger);
        vm.stopPrank();
    }

    function test_addToken_takesATokenUpAgainWithOtherRules() public {
        vm.startPrank(admin);
        vm.expectEmit();
        emit ITradingVault.TokenRemoved(address(token));
        vault.removeToken(address(token));
        vm.expectRevert(abi.encodeWithSelector(ITradingVault.TokenChanged.selector, address(token)));
        vault.addToken(address(token), TransferRules.NONE, true);
        vm.expectEmit();
        emit ITradingVault.TokenAdded(address(token), TransferRules.ERC3643, false, 18);
        vault.addToken(address(token), TransferRules.ERC3643, false);
        vm.stopPrank();
        (bool isSupported, TransferRules rules, bool splits, uint8 decimals) = vault.tokenInfo(address(token));
        assertTrue(isSupported && rules == TransferRules.ERC3643 && !splits && decimals == 18);
    }

    function test_addToken_revertsForSplitsThatAreNotTold() public {
        FreeToken silent = new FreeToken(18);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.SplitUnreadable.selector, address(silent)));
        vault.addToken(address(silent), TransferRules.NONE, true);
    }
}
