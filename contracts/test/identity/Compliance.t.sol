// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "./IdentityTest.sol";
import {LimitModule} from "./support/Modules.sol";

contract ComplianceTest is IdentityTest {
    /* FREEZES */

    function test_freezes_onlyOfficers() public {
        bytes32 role = registry.COMPLIANCE_OFFICER_ROLE();
        vm.startPrank(operator);
        _expectNotAuthorized(operator, role);
        registry.freezeAddress(alice);
        _expectNotAuthorized(operator, role);
        registry.unfreezeAddress(alice);
        vm.stopPrank();
    }

    function test_freezes_neverTwiceAndNeverNobody() public {
        vm.startPrank(officer);
        vm.expectRevert(IIdentityClaims.UserIsZero.selector);
        registry.freezeAddress(address(0));
        _expectError(IIdentityClaims.NotFrozen.selector, alice);
        registry.unfreezeAddress(alice);
        registry.freezeAddress(alice);
        _expectError(IIdentityClaims.AlreadyFrozen.selector, alice);
        registry.freezeAddress(alice);
        vm.stopPrank();
    }

    function test_freezes_stopAWalletAndLetItGoAlsoWhilePaused() public {
        _verify(alice);
        vm.prank(admin);
        registry.pause();
        vm.expectEmit(address(registry));
        emit IIdentityClaims.AddressFrozen(alice, officer);
        _freeze(alice);
        assertTrue(registry.isAddressFrozen(alice));
        assertFalse(registry.isVerified(alice));
        assertTrue(registry.contains(alice));
        _assertStatus(alice, IIdentityClaims.KycStatus.ACTIVE);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.AddressUnfrozen(alice, officer);
        vm.prank(officer);
        registry.unfreezeAddress(alice);
        assertTrue(registry.isVerified(alice));
    }

    function test_freezes_areOfTheWalletAndOutliveItsIdentity() public {
        _freeze(alice);
        _verify(alice);
        assertFalse(registry.isVerified(alice));
        _update(alice, 0, 0);
        _revoke(alice);
        _verify(alice);
        assertTrue(registry.isAddressFrozen(alice));
        assertFalse(registry.isVerified(alice));
    }

    /* MODULES */

    function test_modules_onlyTheAdmin() public {
        vm.startPrank(officer);
        _expectNotAuthorized(officer, 0);
        registry.addComplianceModule(address(this));
        _expectNotAuthorized(officer, 0);
        registry.removeComplianceModule(address(this));
        vm.stopPrank();
    }

    function test_modules_onlyContractsOnceAndUpToEight() public {
        vm.startPrank(admin);
        _expectError(IIdentityClaims.ModuleIsNotAContract.selector, alice);
        registry.addComplianceModule(alice);
        _expectError(IIdentityClaims.ModuleUnknown.selector, address(this));
        registry.removeComplianceModule(address(this));
        for (uint256 i = 0; i < 8; ++i) {
            registry.addComplianceModule(address(new LimitModule(i, 0)));
        }
        address last = registry.complianceModules()[7];
        _expectError(IIdentityClaims.ModuleAlreadyAdded.selector, last);
        registry.addComplianceModule(last);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.TooManyModules.selector, 8));
        registry.addComplianceModule(address(this));
        vm.stopPrank();
    }

    function testFuzz_modules_areRemovedFromAnyPlace(uint256 count, uint256 which) public {
        count = bound(count, 1, 8);
        which = bound(which, 0, count - 1);
        vm.startPrank(admin);
        for (uint256 i = 0; i < count; ++i) {
            address module = address(new LimitModule(i, 0));
            vm.expectEmit(address(registry));
            emit IIdentityClaims.ComplianceModuleAdded(module);
            registry.addComplianceModule(module);
        }
        address[] memory before = registry.complianceModules();
        vm.expectEmit(address(registry));
        emit IIdentityClaims.ComplianceModuleRemoved(before[which]);
        registry.removeComplianceModule(before[which]);
        vm.stopPrank();
        address[] memory left = registry.complianceModules();
        assertEq(left.length, count - 1);
        for (uint256 i = 0; i < left.length; ++i) {
            assertEq(left[i], i == which ? before[count - 1] : before[i]);
        }
    }

    /* TRANSFERS */

    function test_canTransfer_betweenVerifiedWallets() public {
        _verify(alice, _now() + 1, 0);
        _verify(bob);
        skipTime(1);
        IIdentityClaims.TransferCheckResult memory result = registry.canTransfer(alice, bob, 1, 1, 0);
        assertTrue(result.allowed);
        assertEq(result.reason, 0);
        assertEq(uint256(result.senderStatus), uint256(IIdentityClaims.KycStatus.SOFT_EXPIRED));
        assertEq(uint256(result.receiverStatus), uint256(IIdentityClaims.KycStatus.ACTIVE));
    }

    /// Without a word about identities: contracts that a token authorises have none.
    function test_moduleObjection_namesTheModuleAndAsksForNoIdentity() public {
        address generous = address(new LimitModule(100, 100));
        address strict = address(new LimitModule(10, 100));
        (uint8 reason, address module) = registry.moduleObjection(alice, bob, 1_000, 0, 0);
        assertEq(reason, 0);
        assertEq(module, address(0));
        vm.startPrank(admin);
        registry.addComplianceModule(generous);
        registry.addComplianceModule(strict);
        vm.stopPrank();
        (reason, module) = registry.moduleObjection(alice, bob, 10, 0, 0);
        assertEq(reason, 0);
        assertEq(module, address(0));
        (reason, module) = registry.moduleObjection(alice, bob, 11, 0, 0);
        assertEq(reason, 10);
        assertEq(module, strict);
        (reason, module) = registry.moduleObjection(address(0), bob, 101, 0, 0);
        assertEq(module, generous);
        vm.etch(strict, "");
        (reason, module) = registry.moduleObjection(alice, address(0), 1, 0, 0);
        assertEq(reason, 11);
        assertEq(module, strict);
    }

    function test_canTransfer_saysWhoseIdentityIsMissingExpiredOrFrozen() public {
        _verify(alice);
        _assertReason(bob, alice, 1);
        _assertReason(alice, bob, 2);
        _verify(bob, 0, _now() + 10);
        _freeze(bob);
        _assertReason(bob, alice, 3);
        _assertReason(alice, bob, 4);
        skipTime(10);
        _assertReason(bob, alice, 5);
        _assertReason(alice, bob, 6);
        _revoke(bob);
        _assertReason(bob, alice, 1);
        _assertReason(alice, bob, 2);
        // The sender is looked at first.
        _freeze(alice);
        _assertReason(alice, bob, 3);
    }

    function test_canTransfer_asksModulesInTurnWithAmountAndBalances() public {
        _verify(alice);
        _verify(bob);
        vm.startPrank(admin);
        registry.addComplianceModule(address(new LimitModule(10, type(uint256).max)));
        LimitModule second = new LimitModule(type(uint256).max, 100);
        registry.addComplianceModule(address(second));
        vm.stopPrank();
        assertTrue(registry.canTransfer(alice, bob, 10, 10, 90).allowed);
        assertEq(registry.canTransfer(alice, bob, 11, 11, 0).reason, 10);
        assertEq(registry.canTransfer(alice, bob, 10, 10, 91).reason, 10);
        // It overflows there: a throw, not an answer.
        assertEq(registry.canTransfer(alice, bob, 10, 10, type(uint256).max).reason, 11);
        vm.prank(admin);
        registry.removeComplianceModule(address(second));
        assertTrue(registry.canTransfer(alice, bob, 10, 10, 91).allowed);
    }

    function _assertReason(address from, address to, uint8 reason) private view {
        IIdentityClaims.TransferCheckResult memory result = registry.canTransfer(from, to, 1, 1, 0);
        assertFalse(result.allowed);
        assertEq(result.reason, reason);
        assertEq(uint256(result.senderStatus), uint256(registry.statusOf(from)));
        assertEq(uint256(result.receiverStatus), uint256(registry.statusOf(to)));
    }
}
