// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IAgentRole} from "../../src/demo/interfaces/IAgentRole.sol";
import {IERC3643} from "../../src/demo/interfaces/IERC3643.sol";
import {SecurityTest} from "../support/SecurityTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

contract DemoSecurityAgentTest is SecurityTest {
    function test_agentFunctions_revertForAnyoneElse() public {
        bytes memory refusal = abi.encodeWithSelector(IAgentRole.NotAgent.selector, issuer);
        vm.startPrank(issuer);
        vm.expectRevert(refusal);
        security.pause();
        vm.expectRevert(refusal);
        security.unpause();
        vm.expectRevert(refusal);
        security.setAddressFrozen(alice, true);
        vm.expectRevert(refusal);
        security.freezePartialTokens(alice, 1);
        vm.expectRevert(refusal);
        security.unfreezePartialTokens(alice, 1);
        vm.expectRevert(refusal);
        security.forcedTransfer(alice, bob, 1);
        vm.expectRevert(refusal);
        security.mint(alice, 1);
        vm.expectRevert(refusal);
        security.burn(alice, 1);
    }

    /* PAUSE */

    function test_pause_revertsWhilePaused() public {
        vm.startPrank(agent);
        security.pause();
        vm.expectRevert(IERC3643.TokenPaused.selector);
        security.pause();
    }

    function test_unpause_revertsWhileNotPaused() public {
        vm.expectRevert(IERC3643.TokenNotPaused.selector);
        vm.prank(agent);
        security.unpause();
    }

    function test_pause_stopsHoldersUntilUnpause() public {
        vm.startPrank(agent);
        vm.expectEmit(address(security));
        emit IERC3643.Paused(agent);
        security.pause();
        assertTrue(security.paused());
        vm.expectEmit(address(security));
        emit IERC3643.Unpaused(agent);
        security.unpause();
        vm.stopPrank();
        assertFalse(security.paused());
        vm.prank(alice);
        assertTrue(security.transfer(bob, 1));
    }

    function test_pause_doesNotStopAgents() public {
        vm.startPrank(agent);
        security.pause();
        security.mint(alice, 1);
        security.forcedTransfer(alice, bob, 2);
        security.burn(bob, 1);
        assertEq(security.balanceOf(alice), 99);
        assertEq(security.balanceOf(bob), 1);
    }

    /* FREEZING */

    function test_setAddressFrozen_freezesAndReleases() public {
        vm.startPrank(agent);
        vm.expectEmit(address(security));
        emit IERC3643.AddressFrozen(alice, true, agent);
        security.setAddressFrozen(alice, true);
        assertTrue(security.isFrozen(alice));
        vm.expectEmit(address(security));
        emit IERC3643.AddressFrozen(alice, false, agent);
        security.setAddressFrozen(alice, false);
        assertFalse(security.isFrozen(alice));
    }

    function testFuzz_freezePartialTokens_revertsBeyondTheFreeBalance(uint256 first, uint256 second) public {
        first = bound(first, 0, 100);
        second = bound(second, 101 - first, type(uint256).max);
        vm.startPrank(agent);
        security.freezePartialTokens(alice, first);
        vm.expectRevert(abi.encodeWithSelector(IERC3643.FreeBalanceTooLow.selector, alice, 100 - first, second));
        security.freezePartialTokens(alice, second);
    }

    function testFuzz_unfreezePartialTokens_revertsBeyondTheFrozen(uint256 frozen, uint256 amount) public {
        frozen = bound(frozen, 0, 100);
        amount = bound(amount, frozen + 1, type(uint256).max);
        vm.startPrank(agent);
        security.freezePartialTokens(alice, frozen);
        vm.expectRevert(abi.encodeWithSelector(IERC3643.FrozenBalanceTooLow.selector, alice, frozen, amount));
        security.unfreezePartialTokens(alice, amount);
    }

    function test_freezePartialTokens_locksUntilUnfrozen() public {
        vm.startPrank(agent);
        vm.expectEmit(address(security));
        emit IERC3643.TokensFrozen(alice, 70);
        security.freezePartialTokens(alice, 70);
        assertEq(security.getFrozenTokens(alice), 70);
        vm.expectEmit(address(security));
        emit IERC3643.TokensUnfrozen(alice, 30);
        security.unfreezePartialTokens(alice, 30);
        assertEq(security.getFrozenTokens(alice), 40);
    }

    /* FORCED TRANSFER */

    function test_forcedTransfer_revertsToAnUnverifiedWallet() public {
        vm.expectRevert(abi.encodeWithSelector(IERC3643.RecipientNotVerified.selector, stranger));
        vm.prank(agent);
        security.forcedTransfer(alice, stranger, 1);
    }

    function test_forcedTransfer_revertsBeyondTheWholeBalance() public {
        vm.startPrank(agent);
        security.freezePartialTokens(alice, 40);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 100, 101));
        security.forcedTransfer(alice, bob, 101);
    }

    function testFuzz_forcedTransfer_leavesOnlyFrozenTokensAfterAShortfall(uint256 frozen, uint256 amount) public {
        frozen = bound(frozen, 0, 100);
        amount = bound(amount, 0, 100);
        vm.startPrank(agent);
        security.freezePartialTokens(alice, frozen);
        assertTrue(security.forcedTransfer(alice, bob, amount));
        uint256 remaining = 100 - amount;
        assertEq(security.balanceOf(alice), remaining);
        assertEq(security.balanceOf(bob), amount);
        assertEq(security.getFrozenTokens(alice), frozen < remaining ? frozen : remaining);
        assertEq(security.getFrozenTokens(bob), 0);
    }

    function test_forcedTransfer_ignoresFrozenWalletsAndCompliance() public {
        vm.prank(issuer);
        compliance.setMaxBalance(1);
        vm.startPrank(agent);
        security.setAddressFrozen(alice, true);
        security.setAddressFrozen(bob, true);
        security.freezePartialTokens(alice, 60);
        vm.expectEmit(address(security));
        emit IERC3643.TokensUnfrozen(alice, 10);
        security.forcedTransfer(alice, bob, 50);
        assertEq(security.balanceOf(bob), 50);
        assertEq(compliance.holderCount(), 2);
    }

    /* SUPPLY */

    function test_mint_revertsToAnUnverifiedWallet() public {
        vm.expectRevert(abi.encodeWithSelector(IERC3643.RecipientNotVerified.selector, stranger));
        vm.prank(agent);
        security.mint(stranger, 1);
    }

    function testFuzz_mint_createsWithoutAskingCompliance(uint128 amount) public {
        vm.prank(issuer);
        compliance.setMaxBalance(1);
        vm.prank(agent);
        security.mint(bob, amount);
        assertEq(security.balanceOf(bob), amount);
        assertEq(security.totalSupply(), 100 + uint256(amount));
    }

    function test_burn_revertsBeyondTheWholeBalance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 100, 101));
        vm.prank(agent);
        security.burn(alice, 101);
    }

    function testFuzz_burn_releasesWhatItNeeds(uint256 frozen, uint256 amount) public {
        frozen = bound(frozen, 0, 100);
        amount = bound(amount, 0, 100);
        vm.startPrank(agent);
        security.freezePartialTokens(alice, frozen);
        security.burn(alice, amount);
        uint256 remaining = 100 - amount;
        assertEq(security.totalSupply(), remaining);
        assertEq(security.getFrozenTokens(alice), frozen < remaining ? frozen : remaining);
    }
}
