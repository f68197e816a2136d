// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {StockTest} from "./support/StockTest.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @notice Three ledgers of freezes: two agents' and the controllers'.
contract StockFreezesTest is StockTest {
    address private constant CONTROLLERS = address(0);

    function test_freeze_refusesZeroAndWhatIsNotFree() public {
        vm.startPrank(controller);
        vm.expectRevert(IStockToken.AmountIsZero.selector);
        stock.freezeTokens(alice, 0);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FreeBalanceTooLow.selector, alice, 1_000, 1_001));
        stock.freezeTokens(alice, 1_001);
        vm.expectRevert(IStockToken.AmountIsZero.selector);
        stock.unfreezeTokens(alice, 0);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, 0, 1));
        stock.unfreezeTokens(alice, 1);
    }

    function testFuzz_freezes_areReleasedByTheirOwnersOnly(uint256 mine, uint256 theirs, uint256 controllers) public {
        mine = bound(mine, 1, 998);
        theirs = bound(theirs, 1, 999 - mine);
        controllers = bound(controllers, 1, 1_000 - mine - theirs);
        _freeze(mine, theirs, controllers);
        assertHolds(alice, 1_000, mine + theirs + controllers);
        assertEq(stock.frozenBy(agent, alice), mine);
        assertEq(stock.frozenBy(otherAgent, alice), theirs);
        assertEq(stock.frozenBy(CONTROLLERS, alice), controllers);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, mine, mine + 1));
        stock.unfreezePartialTokens(alice, mine + 1);
        vm.prank(controller);
        vm.expectRevert(
            abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, controllers, controllers + 1)
        );
        stock.unfreezeTokens(alice, controllers + 1);
        vm.expectEmit(address(stock));
        emit IStockToken.TokensUnfrozen(alice, mine);
        vm.prank(agent);
        stock.unfreezePartialTokens(alice, mine);
        assertHolds(alice, 1_000, theirs + controllers);
        assertEq(stock.frozenBy(otherAgent, alice), theirs);
        vm.prank(controller);
        stock.unfreezeTokens(alice, controllers);
        vm.prank(otherAgent);
        stock.unfreezePartialTokens(alice, theirs);
        assertHolds(alice, 1_000, 0);
    }

    function test_freezes_workWhilePaused() public {
        vm.prank(issuer);
        stock.pause();
        _freeze(1, 1, 1);
        vm.prank(controller);
        stock.unfreezeTokens(alice, 1);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 1, REASON);
        vm.prank(agent);
        stock.forcedTransfer(alice, bob, 1);
        assertHolds(bob, 502, 0);
    }

    /// Sixteen agents at most, so that what walks them stays cheap; controllers still find a place.
    function test_freeze_isOpenToSixteenAgentsAtATime() public {
        for (uint256 i = 0; i < 17; ++i) {
            address one = address(uint160(0x2000 + i));
            vm.prank(issuer);
            stock.addAgent(one);
            vm.prank(one);
            if (i == 16) vm.expectRevert(abi.encodeWithSelector(IStockToken.TooManyFreezers.selector, alice, 16));
            stock.freezePartialTokens(alice, 10);
        }
        vm.prank(controller);
        stock.freezeTokens(alice, 10);
        vm.prank(controller);
        stock.unfreezeTokens(alice, 10);
        vm.prank(address(0x2003));
        stock.unfreezePartialTokens(alice, 10);
        vm.prank(address(0x2010));
        stock.freezePartialTokens(alice, 10);
        assertEq(stock.frozenBy(address(0x2010), alice), 10);
        assertHolds(alice, 1_000, 160);
    }

    function test_setAddressFrozen_isTold() public {
        vm.expectEmit(address(stock));
        emit IStockToken.AddressFrozen(alice, true, agent);
        vm.prank(agent);
        stock.setAddressFrozen(alice, true);
        assertTrue(stock.isFrozen(alice));
    }

    /* CONTROLLERS TAKE */

    function test_forceTransfer_refuses() public {
        vm.startPrank(controller);
        vm.expectRevert(IStockToken.AmountIsZero.selector);
        stock.forceTransfer(alice, bob, 0, REASON);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RecipientNotVerified.selector, stranger));
        stock.forceTransfer(alice, stranger, 1, REASON);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 1_000, 1_001));
        stock.forceTransfer(alice, bob, 1_001, REASON);
    }

    /// Controllers' freezes, then what is free, then agents' freezes.
    function testFuzz_forceTransfer_breaksPledgesLast(uint256 amount, uint256 mine, uint256 theirs, uint256 controllers)
        public
    {
        amount = bound(amount, 1, 1_000);
        mine = bound(mine, 0, 1_000);
        theirs = bound(theirs, 0, 1_000 - mine);
        controllers = bound(controllers, 0, 1_000 - mine - theirs);
        _freeze(mine, theirs, controllers);
        uint256 pledged = mine + theirs;
        uint256 unpledged = 1_000 - pledged;
        vm.expectEmit(address(stock));
        emit IStockToken.ForceTransfer(alice, bob, amount, REASON, controller);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, amount, REASON);
        uint256 broken = amount > unpledged ? amount - unpledged : 0;
        assertEq(stock.frozenBy(CONTROLLERS, alice), controllers > amount ? controllers - amount : 0);
        assertEq(stock.frozenBy(agent, alice) + stock.frozenBy(otherAgent, alice), pledged - broken);
        assertEq(stock.brokenPledgeOf(agent, alice) + stock.brokenPledgeOf(otherAgent, alice), broken);
        assertHolds(bob, 500 + amount, 0);
        assertEq(stock.balanceOf(alice), 1_000 - amount);
        assertBooksAgree();
    }

    function test_forceTransfer_tellsWhosePledgeItBroke() public {
        _freeze(600, 400, 0);
        vm.expectEmit(address(stock));
        emit IStockToken.PledgeBroken(otherAgent, alice, 400);
        vm.expectEmit(address(stock));
        emit IStockToken.PledgeBroken(agent, alice, 100);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 500, REASON);
        assertHolds(alice, 500, 500);
    }

    /// An agent that does not know what was taken releases what it once froze, and no more.
    function test_unfreeze_countsWhatControllersTook() public {
        _freeze(600, 400, 0);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 500, REASON);
        vm.startPrank(otherAgent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, 0, 401));
        stock.unfreezePartialTokens(alice, 401);
        stock.unfreezePartialTokens(alice, 400);
        assertEq(stock.brokenPledgeOf(otherAgent, alice), 0);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, 0, 1));
        stock.unfreezePartialTokens(alice, 1);
        vm.stopPrank();
        assertHolds(alice, 500, 500);
        vm.prank(agent);
        stock.unfreezePartialTokens(alice, 550);
        assertHolds(alice, 500, 0);
        assertEq(stock.brokenPledgeOf(agent, alice), 50);
    }

    /* AGENTS TAKE */

    function test_forcedTransfer_refuses() public {
        vm.startPrank(agent);
        vm.expectRevert(IStockToken.AmountIsZero.selector);
        stock.forcedTransfer(alice, bob, 0);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RecipientNotVerified.selector, stranger));
        stock.forcedTransfer(alice, stranger, 1);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, 1_000, 1_001));
        stock.forcedTransfer(alice, bob, 1_001);
    }

    function testFuzz_forcedTransfer_sparesWhatOthersFroze(uint256 amount, uint256 mine, uint256 theirs, uint256 free)
        public
    {
        amount = bound(amount, 1, 1_000);
        mine = bound(mine, 0, 1_000);
        theirs = bound(theirs, 0, 1_000 - mine);
        uint256 controllers = bound(free, 0, 1_000 - mine - theirs);
        free = 1_000 - mine - theirs - controllers;
        _freeze(mine, theirs, controllers);
        vm.prank(agent);
        if (amount > free + mine) {
            vm.expectRevert(abi.encodeWithSelector(IStockToken.FreeBalanceTooLow.selector, alice, free + mine, amount));
            stock.forcedTransfer(alice, bob, amount);
            return;
        }
        assertTrue(stock.forcedTransfer(alice, bob, amount));
        assertEq(stock.frozenBy(agent, alice), amount > free ? mine + free - amount : mine);
        assertEq(stock.frozenBy(otherAgent, alice), theirs);
        assertEq(stock.frozenBy(CONTROLLERS, alice), controllers);
        assertHolds(bob, 500 + amount, 0);
        assertBooksAgree();
    }

    function _freeze(uint256 mine, uint256 theirs, uint256 controllers) private {
        vm.prank(agent);
        if (mine != 0) stock.freezePartialTokens(alice, mine);
        else stock.setAddressFrozen(alice, false);
        vm.prank(otherAgent);
        if (theirs != 0) stock.freezePartialTokens(alice, theirs);
        else stock.setAddressFrozen(alice, false);
        if (controllers == 0) return;
        vm.prank(controller);
        stock.freezeTokens(alice, controllers);
    }
}
