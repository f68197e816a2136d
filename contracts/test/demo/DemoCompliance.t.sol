// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../src/demo/DemoCompliance.sol";
import {ICompliance} from "../../src/demo/interfaces/ICompliance.sol";
import {SecurityTest} from "../support/SecurityTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract DemoComplianceTest is SecurityTest {
    function _expectNotOwner() private {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
    }

    function _assertRule(address from, address to, uint256 amount, bytes32 rule) private view {
        assertEq(compliance.brokenRule(from, to, amount), rule);
        assertEq(compliance.canTransfer(from, to, amount), rule == bytes32(0));
    }

    /* RULES */

    function test_setCountryBlocked_revertsForAnyoneButTheOwner() public {
        _expectNotOwner();
        compliance.setCountryBlocked(FRANCE, true);
    }

    function test_setCountryBlocked_blocksAndReleases() public {
        _assertRule(alice, bob, 1, 0);
        vm.expectEmit(address(compliance));
        emit DemoCompliance.CountryBlocked(FRANCE, true);
        vm.prank(issuer);
        compliance.setCountryBlocked(FRANCE, true);
        _assertRule(alice, bob, 1, "COUNTRY_BLOCKED");
        vm.prank(issuer);
        compliance.setCountryBlocked(FRANCE, false);
        _assertRule(alice, bob, 1, 0);
    }

    function test_setMaxBalance_revertsForAnyoneButTheOwner() public {
        _expectNotOwner();
        compliance.setMaxBalance(1);
    }

    function testFuzz_setMaxBalance_limitsTheRecipient(uint256 maxBalance, uint256 amount) public {
        maxBalance = bound(maxBalance, 1, 1_000);
        amount = bound(amount, 1, 1_000);
        vm.expectEmit(address(compliance));
        emit DemoCompliance.MaxBalanceSet(maxBalance);
        vm.prank(issuer);
        compliance.setMaxBalance(maxBalance);
        _assertRule(alice, bob, amount, amount > maxBalance ? bytes32("MAX_BALANCE") : bytes32(0));
    }

    function test_setMaxBalance_letsAHolderAboveItMoveToItself() public {
        vm.prank(issuer);
        compliance.setMaxBalance(10);
        _assertRule(alice, alice, 100, 0);
    }

    function test_setMaxHolders_revertsForAnyoneButTheOwner() public {
        _expectNotOwner();
        compliance.setMaxHolders(1);
    }

    function test_setMaxHolders_refusesOneMoreHolder() public {
        vm.expectEmit(address(compliance));
        emit DemoCompliance.MaxHoldersSet(1);
        vm.prank(issuer);
        compliance.setMaxHolders(1);
        _assertRule(alice, bob, 1, "MAX_HOLDERS");
    }

    function test_setMaxHolders_letsAHolderHandOverEverything() public {
        vm.prank(issuer);
        compliance.setMaxHolders(1);
        _assertRule(alice, bob, 100, 0);
    }

    /* BINDING */

    function test_bindToken_revertsForAnyoneButOwnerAndToken() public {
        vm.expectRevert(abi.encodeWithSelector(ICompliance.NotOwnerOrToken.selector, stranger));
        vm.prank(stranger);
        compliance.bindToken(address(security));
    }

    function test_bindToken_revertsWhileAnotherIsBound() public {
        vm.expectRevert(abi.encodeWithSelector(ICompliance.TokenAlreadyBound.selector, address(security)));
        vm.prank(issuer);
        compliance.bindToken(stranger);
    }

    function test_bindToken_bindsByOwnerOrToken() public {
        DemoCompliance unbound = new DemoCompliance(issuer);
        assertFalse(unbound.isTokenBound(address(0)));
        vm.expectEmit(address(unbound));
        emit ICompliance.TokenBound(address(security));
        vm.prank(address(security));
        unbound.bindToken(address(security));
        assertTrue(unbound.isTokenBound(address(security)));
        assertEq(unbound.getTokenBound(), address(security));
    }

    function test_unbindToken_revertsForAnyoneButOwnerAndToken() public {
        vm.expectRevert(abi.encodeWithSelector(ICompliance.NotOwnerOrToken.selector, stranger));
        vm.prank(stranger);
        compliance.unbindToken(address(security));
    }

    function test_unbindToken_revertsForAnotherToken() public {
        vm.expectRevert(abi.encodeWithSelector(ICompliance.NotTheBoundToken.selector, stranger));
        vm.prank(issuer);
        compliance.unbindToken(stranger);
    }

    function test_unbindToken_releases() public {
        vm.expectEmit(address(compliance));
        emit ICompliance.TokenUnbound(address(security));
        vm.prank(issuer);
        compliance.unbindToken(address(security));
        assertFalse(compliance.isTokenBound(address(security)));
    }

    /* COUNTING */

    function test_notices_revertForAnyoneButTheToken() public {
        bytes memory refusal = abi.encodeWithSelector(ICompliance.NotTheBoundToken.selector, stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refusal);
        compliance.transferred(alice, bob, 1);
        vm.expectRevert(refusal);
        compliance.created(alice, 1);
        vm.expectRevert(refusal);
        compliance.destroyed(alice, 1);
    }

    function test_notices_countHolders() public {
        assertEq(compliance.holderCount(), 1);
        vm.prank(alice);
        security.transfer(bob, 40);
        assertEq(compliance.holderCount(), 2, "bob joined");
        vm.prank(alice);
        security.transfer(alice, 60);
        assertEq(compliance.holderCount(), 2, "to herself");
        vm.prank(alice);
        security.transfer(bob, 60);
        assertEq(compliance.holderCount(), 1, "alice left");
        vm.startPrank(agent);
        security.burn(bob, 100);
        assertEq(compliance.holderCount(), 0, "bob was redeemed");
        security.mint(alice, 0);
        assertEq(compliance.holderCount(), 0, "nothing minted");
        security.mint(alice, 1);
        assertEq(compliance.holderCount(), 1, "alice is back");
    }
}
