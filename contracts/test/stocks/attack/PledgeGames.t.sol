// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {PledgeTest} from "../support/PledgeTest.sol";

/// @notice Alice borrowed against 600 of her shares. She and her friends among the agents and issuers want them back.
contract PledgeGamesTest is PledgeTest {
    function test_attack_unfreezeThePledge() public {
        // 1. Another agent tries to release it.
        vm.startPrank(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, 0, 600));
        stock.unfreezePartialTokens(alice, 600);
        // 2. It freezes the rest itself, so that the total is higher, and tries to release the total.
        stock.freezePartialTokens(alice, 400);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, 400, 1_000));
        stock.unfreezePartialTokens(alice, 1_000);
        stock.unfreezePartialTokens(alice, 400);
        vm.stopPrank();
        // 3. A controller freezes and releases.
        vm.startPrank(controller);
        stock.freezeTokens(alice, 400);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FrozenBalanceTooLow.selector, alice, 400, 401));
        stock.unfreezeTokens(alice, 401);
        stock.unfreezeTokens(alice, 400);
        vm.stopPrank();
        assertPledged(600);
    }

    function test_attack_moveThePledge() public {
        // 1. Alice sends all she has.
        vm.prank(alice);
        expectRestricted(IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN, "TOKENS_FROZEN");
        stock.transfer(bob, 401);
        // 2. Another agent forces a transfer.
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FreeBalanceTooLow.selector, alice, 400, 401));
        stock.forcedTransfer(alice, bob, 401);
        // 3. The issuer redeems.
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.FreeBalanceTooLow.selector, alice, 400, 401));
        stock.redeemFrom(alice, 401, REASON);
        // 4. An agent calls it a recovery, once she has no identity any more.
        registry.revoke(alice);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotSameIdentity.selector, alice, bob));
        stock.recoveryAddress(alice, bob, bob);
        // 5. The free part is not the lender's.
        vm.prank(agent);
        stock.forcedTransfer(alice, bob, 400);
        assertPledged(600);
        assertEq(adapter.seize(1, 600, router), 600);
    }

    function test_attack_releaseThePledgeAsSurplus() public {
        // 1. The issuer calls for the pledge itself.
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.PledgeStands.selector, address(adapter), alice, 600));
        stock.releaseSurplus(address(adapter), alice, 600);
        // 2. It splits, so that there is a surplus.
        stock.stockSplit(2, 1, 10);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.PledgeStands.selector, address(adapter), alice, 600));
        stock.releaseSurplus(address(adapter), alice, 600);
        vm.stopPrank();
        // 3. The adapter can seize all it counts, and only then is the surplus free.
        assertEq(adapter.seize(1, 600, router), 600);
        vm.prank(issuer);
        stock.releaseSurplus(address(adapter), alice, 600);
        assertHolds(alice, 1_400, 0);
    }

    /// Removing the adapter as an agent stops the lender, and is seen; it frees nothing.
    function test_attack_removeTheAgent() public {
        vm.prank(issuer);
        stock.removeAgent(address(adapter));
        assertEq(stock.frozenBy(address(adapter), alice), 600);
        vm.prank(alice);
        expectRestricted(IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN, "TOKENS_FROZEN");
        stock.transfer(bob, 401);
    }

    /// Fifteen other agents crowd her account: the pledge has its place, and can still be seized.
    function test_attack_crowdTheAccount() public {
        for (uint256 i = 0; i < 15; ++i) {
            address one = address(uint160(0x4000 + i));
            vm.prank(issuer);
            stock.addAgent(one);
            vm.prank(one);
            stock.freezePartialTokens(alice, 1);
        }
        assertEq(adapter.seize(1, 300, router), 300);
        adapter.release(1, 300);
        assertEq(adapter.deferredReleaseOf(alice), 0);
        assertHolds(alice, 700, 15);
    }

    /// A controller, or an agent, moves shares from her to herself: nothing would have moved but the pledge.
    function test_attack_forceATransferToHerself() public {
        vm.prank(controller);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.SameAccount.selector, alice));
        stock.forceTransfer(alice, alice, 1_000, REASON);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.SameAccount.selector, alice));
        stock.forcedTransfer(alice, alice, 400);
        assertEq(stock.brokenPledgeOf(address(adapter), alice), 0);
        assertPledged(600);
        assertEq(adapter.seize(1, 600, router), 600);
    }

    /// Only a controller takes it, and says so.
    function test_attack_thatIsNone_aControllerTakesThePledge() public {
        vm.expectEmit(address(stock));
        emit IStockToken.PledgeBroken(address(adapter), alice, 100);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 500, REASON);
        assertEq(stock.brokenPledgeOf(address(adapter), alice), 100);
        assertEq(adapter.reconcile(1), 500);
    }
}
