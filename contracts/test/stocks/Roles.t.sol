// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../src/base/interfaces/IRoles.sol";
import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {PlainRegistry} from "./support/PlainRegistry.sol";
import {StockTest} from "./support/StockTest.sol";

contract StockRolesTest is StockTest {
    function test_initialize_givesTheRolesOfTheTerms() public view {
        assertTrue(stock.isIssuer(issuer) && stock.hasRole(stock.DEFAULT_ADMIN_ROLE(), issuer));
        assertTrue(stock.isLegalOperator(legalOperator) && !stock.isLegalOperator(issuer));
        assertFalse(stock.isSubIssuer(issuer) || stock.isController(issuer) || stock.isAgent(issuer));
        assertEq(stock.owner(), issuer);
        assertEq(stock.isin(), "DE0001234567");
        assertEq(stock.symbol(), "EXA");
        assertEq(stock.decimals(), 0);
        assertEq(stock.version(), "2.0.0");
        assertEq(stock.onchainID(), address(0));
        assertEq(stock.compliance(), stock.complianceModule());
        assertEq(stock.frozenTokens(alice), 0);
    }

    /// Every function that has a caller of its own, called by everybody else.
    function test_everyPrivilegedFunction_namesTheRoleThatIsMissing() public {
        bytes[18] memory issuers = [
            abi.encodeCall(stock.pause, ()),
            abi.encodeCall(stock.unpause, ()),
            abi.encodeCall(stock.stockSplit, (2, 1, 0)),
            abi.encodeCall(stock.addSubIssuer, (bob)),
            abi.encodeCall(stock.removeSubIssuer, (subIssuer)),
            abi.encodeCall(stock.addController, (bob)),
            abi.encodeCall(stock.removeController, (controller)),
            abi.encodeCall(stock.setSubIssuersAllowed, (false)),
            abi.encodeCall(stock.setIdentityRegistry, (address(registry))),
            abi.encodeCall(stock.announceIdentityRegistry, (address(registry))),
            abi.encodeCall(stock.setComplianceModule, (address(0))),
            abi.encodeCall(stock.setMetadataURI, ("")),
            abi.encodeCall(stock.addAuthorizedContract, (address(registry))),
            abi.encodeCall(stock.removeAuthorizedContract, (address(registry))),
            abi.encodeCall(stock.setDefaultLimits, (1, 1)),
            abi.encodeCall(stock.setUserLimits, (bob, 1, 1)),
            abi.encodeCall(stock.setLockup, (bob, 0)),
            abi.encodeCall(stock.releaseSurplus, (agent, alice, 1))
        ];
        for (uint256 i = 0; i < issuers.length; ++i) {
            _assertOnly(stock.ISSUER_ROLE(), issuers[i]);
        }
        _assertOnly(stock.ISSUER_ROLE(), abi.encodeCall(stock.addAgent, (bob)));
        _assertOnly(stock.ISSUER_ROLE(), abi.encodeCall(stock.removeAgent, (agent)));
        _assertOnly(stock.CONTROLLER_ROLE(), abi.encodeCall(stock.freezeTokens, (alice, 1)));
        _assertOnly(stock.CONTROLLER_ROLE(), abi.encodeCall(stock.unfreezeTokens, (alice, 1)));
        _assertOnly(stock.CONTROLLER_ROLE(), abi.encodeCall(stock.forceTransfer, (alice, bob, 1, REASON)));
        _assertOnly(stock.AGENT_ROLE(), abi.encodeCall(stock.setAddressFrozen, (alice, true)));
        _assertOnly(stock.AGENT_ROLE(), abi.encodeCall(stock.freezePartialTokens, (alice, 1)));
        _assertOnly(stock.AGENT_ROLE(), abi.encodeCall(stock.unfreezePartialTokens, (alice, 1)));
        _assertOnly(stock.AGENT_ROLE(), abi.encodeCall(stock.forcedTransfer, (alice, bob, 1)));
        _assertOnly(stock.AGENT_ROLE(), abi.encodeCall(stock.recoveryAddress, (alice, bob, bob)));
    }

    function _assertOnly(bytes32 role, bytes memory call) private {
        address[5] memory callers = [subIssuer, controller, agent, legalOperator, stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            if (stock.hasRole(role, callers[i])) continue;
            vm.prank(callers[i]);
            (bool success, bytes memory answer) = address(stock).call(call);
            assertFalse(success);
            assertEq(answer, abi.encodeWithSelector(IRoles.NotAuthorized.selector, callers[i], role));
        }
    }

    /* SUB-ISSUERS AND CONTROLLERS */

    function test_addSubIssuer_needsThatTheyAreAllowed() public {
        vm.startPrank(issuer);
        vm.expectRevert(IStockToken.AccountIsZero.selector);
        stock.addSubIssuer(address(0));
        vm.expectRevert(
            abi.encodeWithSelector(IStockToken.AlreadyGranted.selector, keccak256("SUB_ISSUER_ROLE"), subIssuer)
        );
        stock.addSubIssuer(subIssuer);
        vm.expectEmit(address(stock));
        emit IStockToken.SubIssuersAllowed(false);
        stock.setSubIssuersAllowed(false);
        assertFalse(stock.subIssuersAllowed());
        vm.expectRevert(IStockToken.SubIssuersNotAllowed.selector);
        stock.addSubIssuer(bob);
        vm.expectRevert(IStockToken.SubIssuersNotAllowed.selector);
        stock.grantRole(keccak256("SUB_ISSUER_ROLE"), bob);
        stock.setSubIssuersAllowed(true);
        vm.expectEmit(address(stock));
        emit IStockToken.SubIssuerUpdated(bob, true);
        stock.addSubIssuer(bob);
        assertTrue(stock.isSubIssuer(bob));
    }

    function test_removeSubIssuer_revertsForOthersAndKeepsTheRecord() public {
        vm.prank(issuer);
        stock.setSubIssuerCap(subIssuer, 500);
        vm.prank(subIssuer);
        stock.issue(carol, 100, REASON);
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotSubIssuer.selector, bob));
        stock.removeSubIssuer(bob);
        vm.expectEmit(address(stock));
        emit IStockToken.SubIssuerUpdated(subIssuer, false);
        stock.removeSubIssuer(subIssuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotSubIssuer.selector, subIssuer));
        stock.removeSubIssuer(subIssuer);
        vm.stopPrank();
        assertEq(stock.subIssuerOutstanding(subIssuer), 100);
        assertEq(stock.subIssuerCap(subIssuer), 500);
        vm.prank(subIssuer);
        vm.expectPartialRevert(IRoles.NotAuthorized.selector);
        stock.redeemFrom(carol, 1, REASON);
        vm.startPrank(issuer);
        stock.redeemFrom(carol, 60, REASON);
        stock.redeemFor(subIssuer, carol, 40, REASON);
        assertEq(stock.subIssuerOutstanding(subIssuer), 60);
        assertHolds(carol, 0, 0);
    }

    function test_controllersAndAgents_comeAndGo() public {
        vm.startPrank(issuer);
        vm.expectEmit(address(stock));
        emit IStockToken.ControllerUpdated(controller, false);
        stock.removeController(controller);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotController.selector, controller));
        stock.removeController(controller);
        vm.expectEmit(address(stock));
        emit IStockToken.ControllerUpdated(controller, true);
        stock.addController(controller);
        vm.expectEmit(address(stock));
        emit IStockToken.AgentRemoved(agent);
        stock.removeAgent(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotAgent.selector, agent));
        stock.removeAgent(agent);
        vm.expectEmit(address(stock));
        emit IStockToken.AgentAdded(agent);
        stock.addAgent(agent);
        assertTrue(stock.isAgent(agent) && stock.isController(controller));
    }

    /* GRANTS BY THE ROLE'S NAME */

    function test_grantRole_tellsTheSameEvents() public {
        bytes32 subIssuerRole = stock.SUB_ISSUER_ROLE();
        bytes32 controllerRole = stock.CONTROLLER_ROLE();
        bytes32 agentRole = stock.AGENT_ROLE();
        vm.startPrank(issuer);
        vm.expectEmit(address(stock));
        emit IRoles.RoleGranted(subIssuerRole, bob, issuer);
        vm.expectEmit(address(stock));
        emit IStockToken.SubIssuerUpdated(bob, true);
        stock.grantRole(subIssuerRole, bob);
        vm.expectEmit(address(stock));
        emit IStockToken.ControllerUpdated(bob, true);
        stock.grantRole(controllerRole, bob);
        vm.expectEmit(address(stock));
        emit IStockToken.AgentAdded(bob);
        stock.grantRole(agentRole, bob);
        vm.expectEmit(address(stock));
        emit IRoles.RoleRevoked(subIssuerRole, bob, issuer);
        vm.expectEmit(address(stock));
        emit IStockToken.SubIssuerUpdated(bob, false);
        stock.revokeRole(subIssuerRole, bob);
        vm.expectEmit(address(stock));
        emit IStockToken.ControllerUpdated(bob, false);
        stock.revokeRole(controllerRole, bob);
        vm.stopPrank();
        vm.expectEmit(address(stock));
        emit IStockToken.AgentRemoved(bob);
        vm.prank(bob);
        stock.renounceRole(agentRole);
    }

    function test_grantRole_thatChangesNothingSaysNothing() public {
        bytes32 agentRole = stock.AGENT_ROLE();
        vm.recordLogs();
        vm.startPrank(issuer);
        stock.grantRole(agentRole, agent);
        stock.revokeRole(agentRole, bob);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_grantRole_knowsNoOtherRoles() public {
        vm.prank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.UnknownRole.selector, keccak256("MINTER_ROLE")));
        stock.grantRole(keccak256("MINTER_ROLE"), bob);
    }

    /// An issuer who is not the admin appoints its helpers, but neither issuers nor legal operators.
    function test_grantRole_ofIssuersIsTheAdmins() public {
        bytes32 issuerRole = stock.ISSUER_ROLE();
        bytes32 operatorRole = stock.LEGAL_OPERATOR_ROLE();
        bytes32 agentRole = stock.AGENT_ROLE();
        vm.prank(issuer);
        stock.grantRole(issuerRole, bob);
        vm.startPrank(bob);
        stock.grantRole(agentRole, carol);
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, bob, bytes32(0)));
        stock.grantRole(issuerRole, carol);
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, bob, bytes32(0)));
        stock.grantRole(operatorRole, carol);
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, bob, bytes32(0)));
        stock.revokeRole(issuerRole, issuer);
        vm.stopPrank();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, stranger, issuerRole));
        stock.grantRole(agentRole, stranger);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, stranger, agentRole));
        stock.renounceRole(agentRole);
    }

    /* ISSUERS */

    function test_issuers_cannotAllGo() public {
        bytes32 role = stock.ISSUER_ROLE();
        vm.startPrank(issuer);
        vm.expectRevert(IStockToken.LastIssuer.selector);
        stock.renounceRole(role);
        vm.expectRevert(IStockToken.LastIssuer.selector);
        stock.revokeRole(role, issuer);
        stock.grantRole(role, bob);
        stock.grantRole(role, carol);
        stock.grantRole(role, alice);
        stock.revokeRole(role, carol);
        assertEq(stock.owner(), issuer);
        stock.renounceRole(role);
        assertEq(stock.owner(), bob, "the longest-serving of those left");
        assertEq(stock.issuers().length, 2);
        assertEq(stock.issuers()[1], alice);
        stock.revokeRole(role, bob);
        vm.expectRevert(IStockToken.LastIssuer.selector);
        stock.revokeRole(role, alice);
    }

    function test_issuers_areSixteenAtMost() public {
        bytes32 role = stock.ISSUER_ROLE();
        vm.startPrank(issuer);
        for (uint256 i = 1; i < 16; ++i) {
            stock.grantRole(role, address(uint160(0x100 + i)));
        }
        vm.expectRevert(abi.encodeWithSelector(IStockToken.TooManyIssuers.selector, 16));
        stock.grantRole(role, bob);
    }

    /* WHAT ISSUERS SET */

    function test_pause_isToldAndNotRepeated() public {
        vm.startPrank(issuer);
        vm.expectRevert(IStockToken.TokenNotPaused.selector);
        stock.unpause();
        vm.expectEmit(address(stock));
        emit IStockToken.Paused(issuer);
        stock.pause();
        assertTrue(stock.paused());
        vm.expectRevert(IStockToken.TokenPaused.selector);
        stock.pause();
        vm.expectEmit(address(stock));
        emit IStockToken.Unpaused(issuer);
        stock.unpause();
        assertFalse(stock.paused());
    }

    function test_announceIdentityRegistry_asksTheNewOne() public {
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotAContract.selector, bob));
        stock.announceIdentityRegistry(bob);
        vm.expectRevert();
        stock.announceIdentityRegistry(address(factory));
    }

    function test_setIdentityRegistry_takesWhatWasAnnouncedInTime() public {
        address other = address(new PlainRegistry());
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotAnnounced.selector, address(0)));
        stock.setIdentityRegistry(address(0));
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotAnnounced.selector, other));
        stock.setIdentityRegistry(other);
        uint256 readyAt = block.timestamp + 14 days;
        stock.announceIdentityRegistry(other);
        (address announced, uint256 told) = stock.announcedIdentityRegistry();
        assertEq(announced, other);
        assertEq(told, readyAt);
        vm.warp(readyAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotReady.selector, readyAt));
        stock.setIdentityRegistry(other);
        vm.warp(readyAt + 14 days + 1);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryLapsed.selector, readyAt + 14 days));
        stock.setIdentityRegistry(other);
        stock.announceIdentityRegistry(other);
        vm.expectEmit(address(stock));
        emit IStockToken.IdentityRegistryAnnounced(address(0), 0);
        stock.announceIdentityRegistry(address(0));
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotAnnounced.selector, other));
        stock.setIdentityRegistry(other);

        stock.announceIdentityRegistry(other);
        skipTime(28 days);
        vm.expectEmit(address(stock));
        emit IStockToken.IdentityRegistryUpdated(address(registry), other);
        stock.setIdentityRegistry(other);
        assertEq(stock.identityRegistry(), other);
        // Once: going back is announced again.
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotAnnounced.selector, other));
        stock.setIdentityRegistry(other);
    }

    function test_setters_tellOldAndNew() public {
        vm.startPrank(issuer);
        vm.expectEmit(address(stock));
        emit IStockToken.MetadataURIUpdated("https://example.org/exa", "ipfs://x");
        stock.setMetadataURI("ipfs://x");
        assertEq(stock.metadataURI(), "ipfs://x");
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotAContract.selector, bob));
        stock.setComplianceModule(bob);
        vm.expectEmit(address(stock));
        emit IStockToken.ComplianceModuleUpdated(address(module), address(0));
        stock.setComplianceModule(address(0));
        vm.expectRevert(IStockToken.NoComplianceModule.selector);
        stock.setDefaultLimits(1, 0);
        vm.expectRevert(IStockToken.NoComplianceModule.selector);
        stock.setUserLimits(bob, 1, 0);
        vm.expectRevert(IStockToken.NoComplianceModule.selector);
        stock.setLockup(bob, 0);
    }

    function test_authorizedContracts_areContracts() public {
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotAContract.selector, bob));
        stock.addAuthorizedContract(bob);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.AuthorizationUnchanged.selector, address(registry)));
        stock.removeAuthorizedContract(address(registry));
        vm.expectEmit(address(stock));
        emit IStockToken.AuthorizedContractAdded(address(registry));
        stock.addAuthorizedContract(address(registry));
        assertTrue(stock.isAuthorizedContract(address(registry)));
        vm.expectRevert(abi.encodeWithSelector(IStockToken.AuthorizationUnchanged.selector, address(registry)));
        stock.addAuthorizedContract(address(registry));
        vm.expectEmit(address(stock));
        emit IStockToken.AuthorizedContractRemoved(address(registry));
        stock.removeAuthorizedContract(address(registry));
    }
}
