// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../src/demo/DemoCompliance.sol";
import {IAgentRole} from "../../src/demo/interfaces/IAgentRole.sol";
import {IERC3643} from "../../src/demo/interfaces/IERC3643.sol";
import {SecurityTest} from "../support/SecurityTest.sol";
import {UnexplainedCompliance} from "../support/UnexplainedCompliance.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

contract DemoSecurityTest is SecurityTest {
    function _transferReverts(bytes memory reason) private {
        vm.prank(alice);
        security.approve(stranger, 1_000);
        vm.expectRevert(reason);
        vm.prank(alice);
        security.transfer(bob, 50);
        vm.expectRevert(reason);
        vm.prank(stranger);
        security.transferFrom(alice, bob, 50);
    }

    function _freeze(uint256 amount) private {
        vm.prank(agent);
        security.freezePartialTokens(alice, amount);
    }

    function test_constructor_setsWhatReadersAskFor() public {
        assertEq(security.name(), "Demo Bond");
        assertEq(security.symbol(), "dBOND");
        assertEq(security.decimals(), 0);
        assertEq(security.version(), "1.0.0");
        assertEq(address(security.identityRegistry()), address(registry));
        assertEq(address(security.compliance()), address(compliance));
        assertEq(security.onchainID(), makeAddress("onchain id"));
        assertFalse(security.paused());
        assertTrue(compliance.isTokenBound(address(security)));
        assertFalse(security.isAgent(issuer));
    }

    /* HOLDER */

    function test_transfer_revertsWhilePaused() public {
        vm.prank(agent);
        security.pause();
        _transferReverts(abi.encodeWithSelector(IERC3643.TokenPaused.selector));
    }

    function test_transfer_revertsFromAFrozenWallet() public {
        vm.prank(agent);
        security.setAddressFrozen(alice, true);
        _transferReverts(abi.encodeWithSelector(IERC3643.WalletFrozen.selector, alice));
    }

    function test_transfer_revertsToAFrozenWallet() public {
        vm.prank(agent);
        security.setAddressFrozen(bob, true);
        _transferReverts(abi.encodeWithSelector(IERC3643.WalletFrozen.selector, bob));
    }

    function test_transfer_revertsBeyondTheFreeBalance() public {
        _freeze(51);
        _transferReverts(abi.encodeWithSelector(IERC3643.FreeBalanceTooLow.selector, alice, 49, 50));
    }

    function test_transfer_revertsToAnUnverifiedWallet() public {
        vm.prank(agent);
        registry.deleteIdentity(bob);
        _transferReverts(abi.encodeWithSelector(IERC3643.RecipientNotVerified.selector, bob));
    }

    function test_transfer_revertsWithTheRuleThatRefused() public {
        vm.prank(issuer);
        compliance.setMaxBalance(49);
        _transferReverts(
            abi.encodeWithSelector(IERC3643.ComplianceRefused.selector, address(compliance), bytes32("MAX_BALANCE"))
        );
    }

    function test_transfer_revertsWithoutARuleWhenComplianceDoesNotExplain() public {
        UnexplainedCompliance silent = new UnexplainedCompliance();
        vm.prank(issuer);
        security.setCompliance(address(silent));
        _transferReverts(
            abi.encodeWithSelector(IERC3643.ComplianceRefused.selector, address(silent), bytes32("UNEXPLAINED"))
        );
    }

    function test_transferFrom_revertsBeyondTheAllowance() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, stranger, 0, 50));
        vm.prank(stranger);
        security.transferFrom(alice, bob, 50);
    }

    function testFuzz_transfer_movesFreeTokens(uint256 frozen, uint256 amount) public {
        frozen = bound(frozen, 0, 100);
        amount = bound(amount, 0, 100 - frozen);
        _freeze(frozen);
        vm.prank(alice);
        assertTrue(security.transfer(bob, amount));
        assertEq(security.balanceOf(alice), 100 - amount);
        assertEq(security.balanceOf(bob), amount);
        assertEq(security.getFrozenTokens(alice), frozen);
    }

    function test_transferFrom_movesApprovedTokens() public {
        vm.prank(alice);
        security.approve(stranger, 50);
        vm.prank(stranger);
        assertTrue(security.transferFrom(alice, bob, 50));
        assertEq(security.balanceOf(bob), 50);
        assertEq(security.allowance(alice, stranger), 0);
    }

    /* OWNER */

    function test_ownerFunctions_revertForAnyoneElse() public {
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, agent);
        vm.startPrank(agent);
        vm.expectRevert(refusal);
        security.setOnchainID(agent);
        vm.expectRevert(refusal);
        security.setIdentityRegistry(agent);
        vm.expectRevert(refusal);
        security.setCompliance(agent);
        vm.expectRevert(refusal);
        security.addAgent(stranger);
        vm.expectRevert(refusal);
        security.removeAgent(agent);
    }

    function test_removeAgent_takesThePowersAway() public {
        vm.prank(issuer);
        security.removeAgent(agent);
        vm.expectRevert(abi.encodeWithSelector(IAgentRole.NotAgent.selector, agent));
        vm.prank(agent);
        security.pause();
    }

    function test_setOnchainID_replacesAndAnnounces() public {
        vm.expectEmit(address(security));
        emit IERC3643.UpdatedTokenInformation("Demo Bond", "dBOND", 0, "1.0.0", stranger);
        vm.prank(issuer);
        security.setOnchainID(stranger);
        assertEq(security.onchainID(), stranger);
    }

    function test_setIdentityRegistry_replacesAndAnnounces() public {
        vm.expectEmit(address(security));
        emit IERC3643.IdentityRegistryAdded(stranger);
        vm.prank(issuer);
        security.setIdentityRegistry(stranger);
        assertEq(address(security.identityRegistry()), stranger);
    }

    function test_setCompliance_leavesTheOldAndBindsTheNew() public {
        DemoCompliance next = new DemoCompliance(issuer);
        vm.expectEmit(address(security));
        emit IERC3643.ComplianceAdded(address(next));
        vm.prank(issuer);
        security.setCompliance(address(next));
        assertFalse(compliance.isTokenBound(address(security)));
        assertTrue(next.isTokenBound(address(security)));
        assertEq(address(security.compliance()), address(next));
    }
}
