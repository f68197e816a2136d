// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../src/lending/CustodyAdapter.sol";
import {PledgeTest} from "./support/PledgeTest.sol";

/// @notice A stock in the hands of the lending adapters, which know nothing of it but ERC-20 and ERC-3643.
contract StockPledgeTest is PledgeTest {
    function test_pledge_freezesAndReleasesExactly() public {
        assertHolds(alice, 1_000, 600);
        adapter.lock(1, alice, 400);
        adapter.release(1, 1_000);
        assertHolds(alice, 1_000, 0);
    }

    /// Others' freezes on the same wallet neither help nor hinder.
    function testFuzz_pledge_isSeizedBesideOtherFreezes(uint256 theirs, uint256 controllers, uint256 seized) public {
        theirs = bound(theirs, 1, 399);
        controllers = bound(controllers, 1, 400 - theirs);
        seized = bound(seized, 1, 600);
        vm.prank(agent);
        stock.freezePartialTokens(alice, theirs);
        vm.prank(controller);
        stock.freezeTokens(alice, controllers);
        assertEq(adapter.seize(1, seized, router), seized);
        assertEq(adapter.reconcile(1), 600 - seized);
        assertEq(stock.frozenBy(agent, alice), theirs);
        assertEq(stock.frozenBy(address(0), alice), controllers);
        assertHolds(router, seized, 0);
        if (seized != 600) adapter.release(1, 600 - seized);
        assertHolds(alice, 1_000 - seized, theirs + controllers);
    }

    /// The loan goes on with what a controller left of it.
    function testFuzz_pledge_isReconciledWithWhatAControllerTook(uint256 taken) public {
        taken = bound(taken, 401, 999);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, taken, REASON);
        uint256 left = 1_000 - taken;
        assertEq(adapter.reconcile(1), left);
        assertEq(adapter.seize(1, left, router), left);
        assertHolds(alice, 0, 0);
    }

    /// Nothing was reconciled meanwhile, and new shares came: the adapter releases all it thinks it has.
    function test_pledge_thatWasBrokenIsReleasedWhole() public {
        vm.prank(agent);
        stock.freezePartialTokens(alice, 400);
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 100, REASON);
        vm.prank(bob);
        stock.transfer(alice, 300);
        adapter.release(1, 600);
        assertEq(adapter.deferredReleaseOf(alice), 0);
        assertEq(stock.frozenBy(address(adapter), alice), 0);
        assertHolds(alice, 1_200, stock.frozenBy(agent, alice));
    }

    function test_pledge_outlivesTheRoleOfItsAdapter() public {
        vm.prank(issuer);
        stock.removeAgent(address(adapter));
        adapter.release(1, 600);
        assertEq(adapter.deferredReleaseOf(alice), 600);
        assertHolds(alice, 1_000, 600);
        vm.prank(issuer);
        stock.addAgent(address(adapter));
        adapter.releaseDeferred(alice);
        assertHolds(alice, 1_000, 0);
    }

    /// A repayment in the middle of a split is not stopped: the release waits for its end.
    function test_pledge_isReleasedAfterASplitUnderWay() public {
        vm.prank(issuer);
        stock.stockSplit(2, 1, 0);
        adapter.release(1, 600);
        stock.continueSplit(10);
        assertHolds(alice, 2_000, 1_200);
        // What waits grows with the split.
        assertEq(adapter.releaseDeferred(alice), 1_200);
        assertHolds(alice, 2_000, 0);
    }

    /// Until its market asks it to follow, the adapter counts the shares it froze; those that the split added stay beside them.
    function test_pledge_keepsTheSharesOfASplitInPlace() public {
        _split(2, 1);
        assertPledged(600);
        assertHolds(alice, 2_000, 1_200);
        adapter.lock(1, alice, 800);
        assertHolds(alice, 2_000, 2_000);
        assertEq(adapter.seize(1, 1_000, router), 1_000);
        assertPledged(400);
        assertEq(stock.surplusOf(address(adapter), alice), 600);
        adapter.release(1, 400);
        assertHolds(alice, 1_000, 600);
        vm.prank(issuer);
        stock.releaseSurplus(address(adapter), alice, 600);
        assertHolds(alice, 1_000, 0);
    }

    function test_pledge_followsARecoveredWallet() public {
        address aliceAgain = makeAddress("alice again");
        registry.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        assertEq(stock.frozenBy(address(adapter), aliceAgain), 600);
        (address lost, uint256 amount) = adapter.rebind(1, aliceAgain);
        assertEq(lost, alice);
        assertEq(amount, 600);
        assertHolds(aliceAgain, 1_000, 600);
        assertEq(adapter.seize(1, 100, router), 100);
        adapter.release(1, 500);
        assertHolds(aliceAgain, 900, 0);
    }

    function test_custody_returnsToItsHolderOrToEscrow() public {
        CustodyAdapter custody = new CustodyAdapter(address(this), address(stock));
        vm.prank(issuer);
        stock.addAuthorizedContract(address(custody));
        vm.prank(alice);
        stock.approve(address(custody), 400);
        custody.lock(1, alice, 400);
        assertHolds(address(custody), 400, 0);
        custody.release(1, 100);
        assertEq(custody.seize(1, 100, router), 100);
        registry.bar(alice, true);
        custody.release(1, 200);
        assertEq(custody.escrowOf(alice), 200);
        registry.bar(alice, false);
        vm.prank(alice);
        custody.claimEscrowedCollateral();
        assertHolds(alice, 900, 600);
    }
}
