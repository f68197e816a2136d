// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../src/base/interfaces/IRoles.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {GasBurningModule, RevertingModule} from "./support/HostileModules.sol";
import {PlainRegistry} from "./support/PlainRegistry.sol";
import {StockTest} from "./support/StockTest.sol";

/// @notice Alice loses her wallet and goes on with another.
contract StockRecoveryTest is StockTest {
    address private aliceAgain = makeAddress("alice again");

    function test_recovery_needsOnePersonBehindBothWallets() public {
        _expectNotSame(alice, aliceAgain);
        vm.startPrank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        _expectNotSame(alice, bob);
        stock.recoveryAddress(alice, bob, alice);
        _expectNotSame(alice, bob);
        stock.recoveryAddress(alice, bob, bob);
        _expectNotSame(alice, alice);
        stock.recoveryAddress(alice, alice, alice);
        registry.moveIdentity(alice, aliceAgain);
        _expectNotSame(alice, aliceAgain);
        stock.recoveryAddress(alice, aliceAgain, bob);
        _expectNotSame(bob, aliceAgain);
        stock.recoveryAddress(bob, aliceAgain, alice);
        _expectNotSame(alice, aliceAgain);
        stock.recoveryAddress(alice, aliceAgain, address(0));
    }

    /// A wallet that lost its identity is no free prize: the token remembers whose it was.
    function test_recovery_ofARevokedWalletIsForItsOwnerOnly() public {
        registry.revoke(alice);
        vm.prank(agent);
        _expectNotSame(alice, bob);
        stock.recoveryAddress(alice, bob, bob);
    }

    function test_recovery_needsSomethingToMove() public {
        registry.register(carol, carol);
        registry.register(aliceAgain, carol);
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NothingToRecover.selector, carol));
        stock.recoveryAddress(carol, aliceAgain, carol);
    }

    function test_recovery_isForAgentsAndIssuers() public {
        registry.moveIdentity(alice, aliceAgain);
        vm.prank(controller);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.recoveryAddress(alice, aliceAgain, alice);
        vm.prank(issuer);
        assertTrue(stock.recoveryAddress(alice, aliceAgain, alice));
    }

    /// Also when the new wallet holds and has freezes of its own.
    function test_recovery_takesBalanceFreezesLimitsAndLockupAlong() public {
        registry.register(aliceAgain, alice);
        vm.startPrank(issuer);
        stock.issue(aliceAgain, 100, REASON);
        stock.setLockup(alice, uint64(block.timestamp + 30 days));
        stock.setUserLimits(alice, 5_000, 7);
        vm.stopPrank();
        vm.startPrank(agent);
        stock.freezePartialTokens(alice, 300);
        stock.freezePartialTokens(aliceAgain, 10);
        stock.setAddressFrozen(alice, true);
        vm.stopPrank();
        vm.prank(otherAgent);
        stock.freezePartialTokens(alice, 500);
        vm.prank(controller);
        stock.freezeTokens(alice, 50);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 300, REASON);
        // 50 of the controllers', 150 free, 100 of the other agent's.
        assertEq(stock.brokenPledgeOf(otherAgent, alice), 100);
        registry.revoke(alice);

        vm.expectEmit(address(stock));
        emit IStockToken.RecoverySuccess(alice, aliceAgain, alice);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);

        assertHolds(alice, 0, 0);
        assertHolds(aliceAgain, 800, 710);
        assertEq(stock.frozenBy(agent, alice) + stock.frozenBy(otherAgent, alice), 0);
        assertEq(stock.frozenBy(agent, aliceAgain), 310);
        assertEq(stock.frozenBy(otherAgent, aliceAgain), 400);
        assertEq(stock.brokenPledgeOf(otherAgent, aliceAgain), 100);
        assertTrue(stock.isFrozen(aliceAgain) && stock.isFrozen(alice));
        assertEq(uint256(module.lockedUntil(aliceAgain)), block.timestamp + 30 days);
        (uint256 max, uint256 min) = module.getUserLimits(aliceAgain);
        assertEq(max, 5_000);
        assertEq(min, 7);
        assertBooksAgree();
    }

    /// What splits added to a freeze stays known as such.
    function test_recovery_takesSurplusAlong() public {
        vm.prank(agent);
        stock.freezePartialTokens(alice, 300);
        _split(2, 1);
        registry.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        assertEq(stock.surplusOf(agent, aliceAgain), 300);
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.PledgeStands.selector, agent, aliceAgain, 300));
        stock.releaseSurplus(agent, aliceAgain, 300);
        vm.prank(agent);
        stock.unfreezePartialTokens(aliceAgain, 300);
        vm.prank(issuer);
        stock.releaseSurplus(agent, aliceAgain, 300);
        assertHolds(aliceAgain, 2_000, 0);
    }

    /// What it was at entry counts, not what an exchanged registry calls the same person; that can be noted anew.
    function test_refreshIdentity_followsAnExchangedRegistry() public {
        PlainRegistry other = new PlainRegistry();
        address person = makeAddress("alice's identity");
        other.register(alice, person);
        vm.startPrank(issuer);
        stock.announceIdentityRegistry(address(other));
        skipTime(14 days);
        stock.setIdentityRegistry(address(other));
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IStockToken.IdentityUnknown.selector, stranger));
        stock.refreshIdentity(stranger);
        uint256 snapshot = vm.snapshotState();
        other.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        _expectNotSame(alice, aliceAgain);
        stock.recoveryAddress(alice, aliceAgain, person);
        vm.revertToState(snapshot);
        stock.refreshIdentity(alice);
        assertEq(stock.identityOfHolder(alice), person);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.IdentityKnown.selector, alice, person));
        stock.refreshIdentity(alice);
        other.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, person);
        assertHolds(aliceAgain, 1_000, 0);
    }

    /// The registry of others renamed the person behind a wallet: the issuer, who could redeem and issue, has it noted.
    function test_refreshIdentity_isTheIssuersAtAnyTime() public {
        address person = makeAddress("alice's identity");
        registry.register(alice, person);
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.IdentityKnown.selector, alice, alice));
        stock.refreshIdentity(alice);
        vm.prank(issuer);
        stock.refreshIdentity(alice);
        assertEq(stock.identityOfHolder(alice), person);
    }

    /// Before anybody asked the new registry about a wallet, what it says counts; then what the old one said.
    function test_recovery_asksAnExchangedRegistryFirst() public {
        PlainRegistry other = new PlainRegistry();
        address person = makeAddress("alice's identity");
        other.register(alice, person);
        other.register(aliceAgain, person);
        vm.startPrank(issuer);
        stock.announceIdentityRegistry(address(other));
        skipTime(14 days);
        stock.setIdentityRegistry(address(other));
        stock.recoveryAddress(alice, aliceAgain, person);
        other.register(carol, bob);
        stock.recoveryAddress(bob, carol, bob);
        vm.stopPrank();
        assertHolds(aliceAgain, 1_000, 0);
        assertHolds(carol, 500, 0);
        // Noted as they came.
        vm.expectRevert(abi.encodeWithSelector(IStockToken.IdentityKnown.selector, carol, bob));
        stock.refreshIdentity(carol);
    }

    /// A contract that holds for others is nobody's wallet, whatever a registry says.
    function test_recovery_neverOfAnAuthorisedContract() public {
        vm.prank(issuer);
        stock.addAuthorizedContract(address(factory));
        vm.prank(alice);
        stock.transfer(address(factory), 100);
        registry.register(address(factory), carol);
        vm.prank(agent);
        _expectNotSame(address(factory), carol);
        stock.recoveryAddress(address(factory), carol, carol);
    }

    function test_recovery_isNotStoppedByTheModule() public {
        registry.moveIdentity(alice, aliceAgain);
        address[3] memory modules = [address(new RevertingModule()), address(new GasBurningModule()), address(0)];
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < modules.length; ++i) {
            vm.prank(issuer);
            stock.setComplianceModule(modules[i]);
            vm.prank(agent);
            stock.recoveryAddress(alice, aliceAgain, alice);
            assertHolds(aliceAgain, 1_000, 0);
            vm.revertToState(snapshot);
        }
    }

    /// Too little gas for the module is no way to leave a lockup behind.
    function testFuzz_recovery_doesNotLoseTheLockupForWantOfGas(uint256 gasGiven) public {
        gasGiven = bound(gasGiven, 100_000, 500_000);
        vm.prank(issuer);
        stock.setLockup(alice, uint64(block.timestamp + 1));
        registry.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        try stock.recoveryAddress{gas: gasGiven}(alice, aliceAgain, alice) returns (bool) {
            assertEq(uint256(module.lockedUntil(aliceAgain)), block.timestamp + 1);
        } catch {
            assertHolds(alice, 1_000, 0);
        }
    }

    function _expectNotSame(address lost, address found) private {
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotSameIdentity.selector, lost, found));
    }
}
