// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../src/base/interfaces/IRoles.sol";
import {IdentityRegistry} from "../../src/identity/IdentityRegistry.sol";
import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "./IdentityTest.sol";
import {NextRegistry} from "./support/NextRegistry.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract AdministrationTest is IdentityTest {
    /* START */

    function test_initialize_givesTwoRolesAndNoOther() public view {
        assertTrue(registry.hasRole(registry.DEFAULT_ADMIN_ROLE(), admin));
        assertTrue(registry.hasRole(registry.LEGAL_OPERATOR_ROLE(), legalOperator));
        assertFalse(registry.hasRole(registry.LEGAL_OPERATOR_ROLE(), admin));
        assertFalse(registry.hasRole(registry.DEFAULT_ADMIN_ROLE(), legalOperator));
        assertFalse(registry.hasRole(registry.DEFAULT_ADMIN_ROLE(), address(this)));
        assertEq(registry.version(), 2);
        assertFalse(registry.paused());
    }

    function test_initialize_neitherWithoutAdminNorWithoutLegalOperator() public {
        vm.expectRevert(IIdentityClaims.AccountIsZero.selector);
        new ERC1967Proxy(
            address(implementation), abi.encodeCall(IdentityRegistry.initialize, (address(0), legalOperator))
        );
        vm.expectRevert(IIdentityClaims.AccountIsZero.selector);
        new ERC1967Proxy(address(implementation), abi.encodeCall(IdentityRegistry.initialize, (admin, address(0))));
    }

    /* ROLES */

    function test_roles_areNamedByTheirHashes() public view {
        assertEq(registry.KYC_PROVIDER_ROLE(), keccak256("KYC_PROVIDER_ROLE"));
        assertEq(registry.REGISTER_OPERATOR_ROLE(), keccak256("REGISTER_OPERATOR_ROLE"));
        assertEq(registry.COMPLIANCE_OFFICER_ROLE(), keccak256("COMPLIANCE_OFFICER_ROLE"));
        assertEq(registry.LEGAL_OPERATOR_ROLE(), keccak256("LEGAL_OPERATOR_ROLE"));
    }

    function test_appointments_onlyTheAdmin() public {
        address[4] memory others = [provider, operator, officer, legalOperator];
        for (uint256 i = 0; i < 4; ++i) {
            vm.startPrank(others[i]);
            _expectNotAuthorized(others[i], 0);
            registry.addKYCProvider(stranger, "X");
            _expectNotAuthorized(others[i], 0);
            registry.addRegisterOperator(stranger, "X");
            _expectNotAuthorized(others[i], 0);
            registry.addComplianceOfficer(stranger);
            vm.stopPrank();
        }
    }

    function test_appointments_ofSomebodyWithAName() public {
        vm.startPrank(admin);
        vm.expectRevert(IIdentityClaims.AccountIsZero.selector);
        registry.addKYCProvider(address(0), "X");
        vm.expectRevert(IIdentityClaims.AccountIsZero.selector);
        registry.addRegisterOperator(address(0), "X");
        vm.expectRevert(IIdentityClaims.AccountIsZero.selector);
        registry.addComplianceOfficer(address(0));
        vm.expectRevert(IIdentityClaims.NameIsEmpty.selector);
        registry.addKYCProvider(stranger, "");
        vm.expectRevert(IIdentityClaims.NameIsEmpty.selector);
        registry.addRegisterOperator(stranger, "");
        vm.stopPrank();
    }

    function test_appointments_tellRoleAndName() public {
        vm.startPrank(admin);
        _expectGranted(registry.KYC_PROVIDER_ROLE());
        vm.expectEmit(address(registry));
        emit IIdentityClaims.KYCProviderAdded(stranger, "Checkers Ltd");
        registry.addKYCProvider(stranger, "Checkers Ltd");
        assertEq(registry.nameOf(stranger), "Checkers Ltd");
        _expectGranted(registry.REGISTER_OPERATOR_ROLE());
        vm.expectEmit(address(registry));
        emit IIdentityClaims.RegisterOperatorAdded(stranger, "Keepers Ltd");
        registry.addRegisterOperator(stranger, "Keepers Ltd");
        assertEq(registry.nameOf(stranger), "Keepers Ltd");
        _expectGranted(registry.COMPLIANCE_OFFICER_ROLE());
        vm.expectEmit(address(registry));
        emit IIdentityClaims.ComplianceOfficerAdded(stranger);
        registry.addComplianceOfficer(stranger);
        vm.stopPrank();
        assertTrue(registry.hasRole(registry.KYC_PROVIDER_ROLE(), stranger));
        assertTrue(registry.hasRole(registry.REGISTER_OPERATOR_ROLE(), stranger));
        assertTrue(registry.hasRole(registry.COMPLIANCE_OFFICER_ROLE(), stranger));
    }

    function test_dismissedProvider_leavesItsRecordsAndName() public {
        _verify(alice);
        bytes32 role = registry.KYC_PROVIDER_ROLE();
        vm.prank(admin);
        registry.revokeRole(role, provider);
        _expectNotAuthorized(provider, role);
        _verify(bob);
        assertEq(registry.nameOf(provider), "Provider One");
        assertEq(registry.identityOf(alice).provider, provider);
        assertTrue(registry.isVerified(alice));
    }

    function test_rolesCanBeGivenWithoutAName() public {
        bytes32 role = registry.KYC_PROVIDER_ROLE();
        vm.prank(admin);
        registry.grantRole(role, stranger);
        assertTrue(registry.hasRole(role, stranger));
        assertEq(registry.nameOf(stranger), "");
        vm.prank(stranger);
        registry.renounceRole(role);
        assertFalse(registry.hasRole(role, stranger));
    }

    /* PAUSE */

    function test_pause_onlyTheAdmin() public {
        vm.startPrank(officer);
        _expectNotAuthorized(officer, 0);
        registry.pause();
        _expectNotAuthorized(officer, 0);
        registry.unpause();
        vm.stopPrank();
    }

    function test_pause_onAndOffOnceEach() public {
        vm.startPrank(admin);
        vm.expectRevert(IIdentityClaims.RegistryIsNotPaused.selector);
        registry.unpause();
        vm.expectEmit(address(registry));
        emit IIdentityClaims.Paused(admin);
        registry.pause();
        assertTrue(registry.paused());
        vm.expectRevert(IIdentityClaims.RegistryIsPaused.selector);
        registry.pause();
        vm.expectEmit(address(registry));
        emit IIdentityClaims.Unpaused(admin);
        registry.unpause();
        assertFalse(registry.paused());
        vm.stopPrank();
        _verify(alice);
    }

    function test_pause_leavesReadsAlone() public {
        _verify(alice);
        _verify(bob);
        vm.prank(admin);
        registry.pause();
        assertTrue(registry.isVerified(alice));
        assertTrue(registry.canTransfer(alice, bob, 1, 1, 0).allowed);
    }

    /* UPGRADES */

    function test_upgrade_onlyTheLegalOperator() public {
        address next = address(new NextRegistry());
        address[4] memory others = [admin, provider, operator, officer];
        for (uint256 i = 0; i < 4; ++i) {
            _expectNotAuthorized(others[i], registry.LEGAL_OPERATOR_ROLE());
            vm.prank(others[i]);
            registry.upgradeToAndCall(next, "");
            _expectNotAuthorized(others[i], registry.LEGAL_OPERATOR_ROLE());
            vm.prank(others[i]);
            registry.announceUpgrade(next);
        }
    }

    function test_upgrade_isAnnouncedAndWaits() public {
        address next = address(new NextRegistry());
        vm.startPrank(legalOperator);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.UpgradeNotAnnounced.selector, next));
        registry.upgradeToAndCall(next, "");
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.NotAnUpgrade.selector, 2, 2));
        registry.announceUpgrade(address(implementation));

        uint256 readyAt = _now() + 14 days;
        vm.expectEmit(address(registry));
        emit IIdentityClaims.UpgradeAnnounced(next, readyAt);
        registry.announceUpgrade(next);
        (address announced, uint256 told) = registry.announcedUpgrade();
        assertEq(announced, next);
        assertEq(told, readyAt);
        skipTime(14 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.UpgradeNotReady.selector, readyAt));
        registry.upgradeToAndCall(next, "");
        skipTime(14 days + 2);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.UpgradeLapsed.selector, readyAt + 14 days));
        registry.upgradeToAndCall(next, "");

        registry.announceUpgrade(next);
        skipTime(14 days);
        registry.announceUpgrade(address(0));
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.UpgradeNotAnnounced.selector, next));
        registry.upgradeToAndCall(next, "");
        registry.announceUpgrade(next);
        skipTime(28 days);
        registry.upgradeToAndCall(next, "");
        (announced,) = registry.announcedUpgrade();
        assertEq(announced, address(0));
        vm.stopPrank();
    }

    function test_upgrade_keepsEverythingAndOnlyGoesForward() public {
        _verify(alice, _now() + 30 days, _now() + 60 days);
        _addClaim(alice, IIdentityClaims.ClaimType.AML, 0);
        _freeze(bob);
        bytes32 before = keccak256(abi.encode(registry.identityOf(alice), registry.getClaims(alice)));
        address next = address(new NextRegistry());
        _announce(next);
        vm.startPrank(legalOperator);
        registry.upgradeToAndCall(next, "");
        assertEq(registry.version(), 3);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.NotAnUpgrade.selector, 3, 2));
        registry.announceUpgrade(address(implementation));
        vm.stopPrank();
        assertEq(keccak256(abi.encode(registry.identityOf(alice), registry.getClaims(alice))), before);
        assertTrue(registry.isAddressFrozen(bob));
        assertTrue(registry.hasRole(registry.KYC_PROVIDER_ROLE(), provider));
    }

    function _expectGranted(bytes32 role) private {
        vm.expectEmit(address(registry));
        emit IRoles.RoleGranted(role, stranger, admin);
    }
}
