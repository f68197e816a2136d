// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "./IdentityTest.sol";

contract MovesTest is IdentityTest {
    address private carol = makeAddress("carol");

    function test_moveIdentity_onlyOperatorsAndNotWhilePaused() public {
        _verify(alice);
        _expectNotAuthorized(provider, registry.REGISTER_OPERATOR_ROLE());
        vm.prank(provider);
        registry.moveIdentity(alice, bob);
        vm.prank(admin);
        registry.pause();
        vm.expectRevert(IIdentityClaims.RegistryIsPaused.selector);
        _move(alice, bob);
    }

    function test_moveIdentity_toAnotherRealWallet() public {
        _verify(alice);
        vm.expectRevert(IIdentityClaims.UserIsZero.selector);
        _move(alice, address(0));
        _expectError(IIdentityClaims.SameWallet.selector, alice);
        _move(alice, alice);
    }

    function test_moveIdentity_onlyAnUnrevokedOne() public {
        _expectError(IIdentityClaims.NotVerified.selector, alice);
        _move(alice, bob);
        _verify(alice);
        _revoke(alice);
        _expectError(IIdentityClaims.NotVerified.selector, alice);
        _move(alice, bob);
    }

    function test_moveIdentity_neverOntoAVerifiedWallet() public {
        _verify(alice);
        _verify(bob, 0, _now() + 1);
        skipTime(1);
        _expectError(IIdentityClaims.AlreadyVerified.selector, bob);
        _move(alice, bob);
    }

    function test_moveIdentity_carriesRecordClaimsAndPerson() public {
        _verify(alice, _now() + 1, _now() + 100);
        _addClaim(alice, IIdentityClaims.ClaimType.KYC, 0);
        _addClaim(alice, IIdentityClaims.ClaimType.PEP_CHECK, _now() + 50);
        skipTime(1);
        bytes32 record = keccak256(abi.encode(registry.identityOf(alice)));
        bytes32 claims = keccak256(abi.encode(registry.getClaims(alice)));

        IIdentityClaims.KycStatus status = IIdentityClaims.KycStatus.SOFT_EXPIRED;
        vm.expectEmit(address(registry));
        emit IIdentityClaims.IdentityMoved(alice, bob, alice);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.KYCStatusChanged(alice, status, IIdentityClaims.KycStatus.REVOKED);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.KYCStatusChanged(bob, IIdentityClaims.KycStatus.REVOKED, status);
        _move(alice, bob);

        assertEq(keccak256(abi.encode(registry.identityOf(bob))), record);
        assertEq(keccak256(abi.encode(registry.getClaims(bob))), claims);
        assertEq(registry.identity(bob), alice);
        assertTrue(registry.isVerified(bob));
        assertEq(registry.identityOf(alice).kycHash, 0);
        assertEq(registry.getClaims(alice).length, 0);
        assertEq(registry.identity(alice), address(0));
        _assertStatus(alice, IIdentityClaims.KycStatus.REVOKED);
    }

    function test_moveIdentity_carriesThePersonThroughAnyNumberOfWallets() public {
        _verify(alice);
        _move(alice, bob);
        _move(bob, carol);
        assertEq(registry.identity(carol), alice);
        _update(carol, 0, 0);
        assertEq(registry.identity(carol), alice);
        _revoke(carol);
        _verify(carol);
        assertEq(registry.identity(carol), alice);
    }

    function test_moveIdentity_carriesAFreezeAndLeavesTheLostWalletFrozen() public {
        _verify(alice);
        _freeze(alice);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.AddressFrozen(bob, operator);
        _move(alice, bob);
        assertTrue(registry.isAddressFrozen(bob));
        assertTrue(registry.isAddressFrozen(alice));
        assertFalse(registry.isVerified(bob));
    }

    function test_moveIdentity_keepsTheFreezeOfTheNewWallet() public {
        _verify(alice);
        _freeze(bob);
        vm.recordLogs();
        _move(alice, bob);
        assertEq(vm.getRecordedLogs().length, 3, "no second freeze is told");
        assertTrue(registry.isAddressFrozen(bob));
        assertFalse(registry.isAddressFrozen(alice));
        assertFalse(registry.isVerified(bob));
    }

    function test_moveIdentity_alsoAnExpiredOne() public {
        _verify(alice, 0, _now() + 1);
        skipTime(1);
        _move(alice, bob);
        _assertStatus(bob, IIdentityClaims.KycStatus.HARD_EXPIRED);
        assertEq(registry.identity(bob), alice);
    }

    /// Its owner may have securities there, and comes back by being verified again.
    function test_moveIdentity_neverOntoARevokedWalletOfAnother() public {
        _verify(bob);
        _revoke(bob);
        _verify(alice);
        _expectAnothers(bob, bob, alice);
        _move(alice, bob);
        // Nor where the owner is somebody who once moved there.
        _move(alice, carol);
        _revoke(carol);
        _verify(bob);
        _expectAnothers(carol, alice, bob);
        _move(bob, carol);
    }

    function test_lostWallet_isNeverVerifiedAgain() public {
        _verify(alice);
        _move(alice, bob);
        _expectError(IIdentityClaims.WalletGivenUp.selector, alice);
        _verify(alice);
        _expectError(IIdentityClaims.NotVerified.selector, alice);
        _update(alice, 0, 0);
        // Nor the next one in a row of losses.
        _move(bob, carol);
        _expectError(IIdentityClaims.WalletGivenUp.selector, bob);
        _verify(bob);
    }

    function test_lostWallet_canGetItsIdentityBack() public {
        _verify(alice);
        _addClaim(alice, IIdentityClaims.ClaimType.AML, 0);
        _move(alice, bob);
        _move(bob, alice);
        assertEq(registry.identity(alice), alice);
        assertEq(registry.getClaims(alice).length, 1);
        assertEq(registry.identity(bob), address(0));
        _revoke(alice);
        _verify(alice);
        assertEq(registry.identity(alice), alice);
    }

    function test_successorOf_followsThePersonThroughAllMoves() public {
        assertEq(registry.successorOf(alice), address(0));
        _verify(alice);
        assertEq(registry.successorOf(alice), address(0));
        _move(alice, bob);
        assertEq(registry.successorOf(alice), bob);
        _move(bob, carol);
        assertEq(registry.successorOf(alice), carol);
        assertEq(registry.successorOf(bob), carol);
        // Back where it began: that wallet has no successor any more, and nobody goes in circles.
        _move(carol, alice);
        assertEq(registry.successorOf(alice), address(0));
        assertEq(registry.successorOf(bob), alice);
        assertEq(registry.successorOf(carol), alice);
        // A revocation moves nobody.
        _revoke(alice);
        assertEq(registry.successorOf(bob), alice);
    }

    function test_successorOf_goesSixteenStepsAtATime() public {
        _verify(_wallet(0));
        for (uint256 i = 0; i < 20; ++i) {
            _move(_wallet(i), _wallet(i + 1));
        }
        assertEq(registry.successorOf(_wallet(0)), _wallet(16));
        assertEq(registry.successorOf(_wallet(16)), _wallet(20));
        uint256 before = gasleft();
        registry.successorOf(_wallet(0));
        assertLt(before - gasleft(), 60_000);
    }

    function test_lostWallet_waitsForItsPersonOnly() public {
        address dave = makeAddress("dave");
        _verify(alice);
        _move(alice, bob);
        _move(bob, carol);
        _verify(dave);
        _expectAnothers(alice, alice, dave);
        _move(dave, alice);
        // Bob's wallet was never anybody's but Alice's.
        _expectAnothers(bob, alice, dave);
        _move(dave, bob);
        _move(carol, bob);
        assertEq(registry.identity(bob), alice);
        _expectAnothers(carol, alice, dave);
        _move(dave, carol);
    }

    function _expectAnothers(address wallet, address owner, address person) private {
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.WalletOfAnother.selector, wallet, owner, person));
    }
}
