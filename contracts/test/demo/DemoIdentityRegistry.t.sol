// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IAgentRole} from "../../src/demo/interfaces/IAgentRole.sol";
import {IIdentityRegistry} from "../../src/demo/interfaces/IIdentityRegistry.sol";
import {SecurityTest} from "../support/SecurityTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract DemoIdentityRegistryTest is SecurityTest {
    function _expectNotAgent() private {
        vm.expectRevert(abi.encodeWithSelector(IAgentRole.NotAgent.selector, stranger));
        vm.prank(stranger);
    }

    /* AGENTS */

    function test_addAgent_revertsForAnyoneButTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        registry.addAgent(stranger);
    }

    function test_addAgent_revertsForTheZeroAddress() public {
        vm.expectRevert(IAgentRole.AgentIsZero.selector);
        vm.prank(issuer);
        registry.addAgent(address(0));
    }

    function test_addAgent_revertsForAnAgent() public {
        vm.expectRevert(abi.encodeWithSelector(IAgentRole.AlreadyAgent.selector, agent));
        vm.prank(issuer);
        registry.addAgent(agent);
    }

    function test_addAgent_appoints() public {
        vm.expectEmit(address(registry));
        emit IAgentRole.AgentAdded(stranger);
        vm.prank(issuer);
        registry.addAgent(stranger);
        assertTrue(registry.isAgent(stranger));
    }

    function test_removeAgent_revertsForAnyoneButTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, agent));
        vm.prank(agent);
        registry.removeAgent(agent);
    }

    function test_removeAgent_revertsForSomebodyElse() public {
        vm.expectRevert(abi.encodeWithSelector(IAgentRole.NotAgent.selector, stranger));
        vm.prank(issuer);
        registry.removeAgent(stranger);
    }

    function test_removeAgent_dismisses() public {
        vm.expectEmit(address(registry));
        emit IAgentRole.AgentRemoved(agent);
        vm.prank(issuer);
        registry.removeAgent(agent);
        assertFalse(registry.isAgent(agent));
    }

    /* IDENTITIES */

    function test_registerIdentity_revertsForAnyoneButAnAgent() public {
        _expectNotAgent();
        registry.registerIdentity(stranger, identityContract, GERMANY);
    }

    function test_registerIdentity_revertsWithoutAnIdentity() public {
        vm.expectRevert(IIdentityRegistry.IdentityIsZero.selector);
        vm.prank(agent);
        registry.registerIdentity(stranger, address(0), GERMANY);
    }

    function test_registerIdentity_revertsForARegisteredWallet() public {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.AlreadyRegistered.selector, alice));
        vm.prank(agent);
        registry.registerIdentity(alice, identityContract, GERMANY);
    }

    function testFuzz_registerIdentity_verifiesTheWallet(address wallet, uint16 country) public {
        vm.assume(!registry.contains(wallet));
        assertFalse(registry.isVerified(wallet));
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.IdentityRegistered(wallet, identityContract);
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.CountryUpdated(wallet, country);
        vm.prank(agent);
        registry.registerIdentity(wallet, identityContract, country);
        assertTrue(registry.contains(wallet));
        assertTrue(registry.isVerified(wallet));
        assertEq(registry.identity(wallet), identityContract);
        assertEq(registry.investorCountry(wallet), country);
    }

    function test_deleteIdentity_revertsForAnyoneButAnAgent() public {
        _expectNotAgent();
        registry.deleteIdentity(alice);
    }

    function test_deleteIdentity_revertsForAnUnknownWallet() public {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.NotRegistered.selector, stranger));
        vm.prank(agent);
        registry.deleteIdentity(stranger);
    }

    function test_deleteIdentity_forgetsTheWallet() public {
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.IdentityRemoved(alice, identityContract);
        vm.prank(agent);
        registry.deleteIdentity(alice);
        assertFalse(registry.isVerified(alice));
        assertEq(registry.identity(alice), address(0));
        assertEq(registry.investorCountry(alice), 0);
    }

    function test_updateIdentity_revertsForAnyoneButAnAgent() public {
        _expectNotAgent();
        registry.updateIdentity(alice, stranger);
    }

    function test_updateIdentity_revertsWithoutAnIdentity() public {
        vm.expectRevert(IIdentityRegistry.IdentityIsZero.selector);
        vm.prank(agent);
        registry.updateIdentity(alice, address(0));
    }

    function test_updateIdentity_revertsForAnUnknownWallet() public {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.NotRegistered.selector, stranger));
        vm.prank(agent);
        registry.updateIdentity(stranger, identityContract);
    }

    function test_updateIdentity_replacesTheIdentity() public {
        address newIdentity = makeAddress("new identity");
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.IdentityUpdated(identityContract, newIdentity);
        vm.prank(agent);
        registry.updateIdentity(alice, newIdentity);
        assertEq(registry.identity(alice), newIdentity);
    }

    function test_updateCountry_revertsForAnyoneButAnAgent() public {
        _expectNotAgent();
        registry.updateCountry(alice, FRANCE);
    }

    function test_updateCountry_revertsForAnUnknownWallet() public {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.NotRegistered.selector, stranger));
        vm.prank(agent);
        registry.updateCountry(stranger, FRANCE);
    }

    function test_updateCountry_replacesTheCountry() public {
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.CountryUpdated(alice, FRANCE);
        vm.prank(agent);
        registry.updateCountry(alice, FRANCE);
        assertEq(registry.investorCountry(alice), FRANCE);
    }
}
