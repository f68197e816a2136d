// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "./IdentityTest.sol";

contract ClaimsTest is IdentityTest {
    IIdentityClaims.ClaimType private constant KYC = IIdentityClaims.ClaimType.KYC;
    IIdentityClaims.ClaimType private constant AML = IIdentityClaims.ClaimType.AML;

    /* ADD */

    function test_addClaim_onlyProvidersAndNotWhilePaused() public {
        _verify(alice);
        _expectNotAuthorized(officer, registry.KYC_PROVIDER_ROLE());
        vm.prank(officer);
        registry.addClaim(alice, KYC, HASH, 0);
        vm.prank(admin);
        registry.pause();
        vm.expectRevert(IIdentityClaims.RegistryIsPaused.selector);
        _addClaim(alice, KYC, 0);
    }

    function test_addClaim_notAboutNothing() public {
        _verify(alice);
        vm.expectRevert(IIdentityClaims.DataHashIsZero.selector);
        vm.prank(provider);
        registry.addClaim(alice, KYC, 0, 0);
    }

    function testFuzz_addClaim_notIntoThePastNorTooFar(uint64 past, uint64 far) public {
        _verify(alice);
        past = uint64(bound(past, 1, _now()));
        far = uint64(bound(far, uint64(1) << 48, type(uint64).max));
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.ExpiryInThePast.selector, past));
        _addClaim(alice, KYC, past);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.ExpiryTooFar.selector, far));
        _addClaim(alice, KYC, far);
    }

    function test_addClaim_onlyUnderAnIdentityThatCounts() public {
        _expectNotActive(IIdentityClaims.KycStatus.REVOKED);
        _addClaim(alice, KYC, 0);
        _verify(alice, _now() + 1, _now() + 2);
        skipTime(1);
        _addClaim(alice, KYC, 0);
        skipTime(1);
        _expectNotActive(IIdentityClaims.KycStatus.HARD_EXPIRED);
        _addClaim(alice, KYC, 0);
        _revoke(alice);
        _expectNotActive(IIdentityClaims.KycStatus.REVOKED);
        _addClaim(alice, KYC, 0);
    }

    function testFuzz_addClaim_fillsItsSlotAndNoOther(uint8 slot, bytes32 dataHash, uint64 expiry) public {
        vm.assume(dataHash != 0);
        IIdentityClaims.ClaimType kind = IIdentityClaims.ClaimType(bound(slot, 0, 7));
        expiry = uint64(bound(expiry, _now(), type(uint48).max));
        if (expiry == _now()) expiry = 0;
        _verify(alice);
        _verify(bob);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.ClaimAdded(alice, kind, dataHash, expiry, provider);
        vm.prank(provider);
        registry.addClaim(alice, kind, dataHash, expiry);
        IIdentityClaims.Claim memory expected = IIdentityClaims.Claim(kind, dataHash, provider, _now(), expiry);
        for (uint256 i = 0; i < 8; ++i) {
            (IIdentityClaims.Claim memory claim, bool isActive) = registry.claimOf(alice, IIdentityClaims.ClaimType(i));
            assertEq(isActive, i == uint256(kind));
            if (isActive) assertEq(keccak256(abi.encode(claim)), keccak256(abi.encode(expected)));
            else _assertEmpty(claim);
        }
        assertEq(registry.getClaims(alice).length, 1);
        assertEq(keccak256(abi.encode(registry.getClaims(alice)[0])), keccak256(abi.encode(expected)));
        assertEq(registry.getClaims(bob).length, 0);
    }

    function test_addClaim_overwritesWhoeverWroteIt() public {
        _verify(alice);
        _addClaim(alice, KYC, _now() + 10);
        skipTime(20);
        vm.prank(otherProvider);
        registry.addClaim(alice, KYC, "other", 0);
        (IIdentityClaims.Claim memory claim, bool isActive) = registry.claimOf(alice, KYC);
        assertTrue(isActive);
        assertEq(claim.issuer, otherProvider);
        assertEq(claim.dataHash, "other");
        assertEq(claim.expiry, 0);
        assertEq(claim.issuedAt, _now());
        assertEq(registry.getClaims(alice).length, 1);
    }

    /* REVOKE */

    function test_revokeClaim_onlyProviders() public {
        _verify(alice);
        _addClaim(alice, KYC, 0);
        _expectNotAuthorized(operator, registry.KYC_PROVIDER_ROLE());
        vm.prank(operator);
        registry.revokeClaim(alice, KYC);
    }

    function test_revokeClaim_onlyAnActiveOne() public {
        _expectNoActiveClaim();
        _revokeClaim(alice, KYC);
        _verify(alice, 0, _now() + 100);
        _expectNoActiveClaim();
        _revokeClaim(alice, KYC);
        // Expired.
        _addClaim(alice, KYC, _now() + 1);
        skipTime(1);
        _expectNoActiveClaim();
        _revokeClaim(alice, KYC);
        // Revoked before.
        _addClaim(alice, KYC, 0);
        _revokeClaim(alice, KYC);
        _expectNoActiveClaim();
        _revokeClaim(alice, KYC);
        // Under an identity that counts no more.
        _addClaim(alice, KYC, 0);
        skipTime(100);
        _expectNoActiveClaim();
        _revokeClaim(alice, KYC);
        _revoke(alice);
        _expectNoActiveClaim();
        _revokeClaim(alice, KYC);
    }

    function test_revokeClaim_byAnyProviderAlsoWhilePaused() public {
        _verify(alice);
        _addClaim(alice, KYC, 0);
        _addClaim(alice, AML, 0);
        vm.prank(admin);
        registry.pause();
        vm.expectEmit(address(registry));
        emit IIdentityClaims.ClaimRevoked(alice, KYC, otherProvider);
        vm.prank(otherProvider);
        registry.revokeClaim(alice, KYC);
        (IIdentityClaims.Claim memory claim, bool isActive) = registry.claimOf(alice, KYC);
        assertFalse(isActive);
        _assertEmpty(claim);
        assertEq(registry.getClaims(alice).length, 1);
        assertEq(uint256(registry.getClaims(alice)[0].claimType), uint256(AML));
    }

    /* READS */

    function testFuzz_getClaims_areTheActiveOnesBySlot(uint8 filled, uint8 revoked, uint8 expiring) public {
        _verify(alice);
        for (uint256 i = 0; i < 8; ++i) {
            uint64 expiry = _has(expiring, i) ? _now() + 10 : 0;
            if (_has(filled, i)) _addClaim(alice, IIdentityClaims.ClaimType(i), expiry);
            if (_has(filled & revoked, i)) _revokeClaim(alice, IIdentityClaims.ClaimType(i));
        }
        _assertClaims(filled & ~revoked);
        skipTime(10);
        _assertClaims(filled & ~revoked & ~expiring);
    }

    function test_claims_stayStoredUnderARevokedOrExpiredIdentityAndReadInactive() public {
        _verify(alice, 0, _now() + 10);
        _addClaim(alice, AML, 0);
        skipTime(10);
        _assertStoredAndInactive();
        _update(alice, 0, 0);
        _assertClaims(2);
        _revoke(alice);
        _assertStoredAndInactive();
    }

    /* HELPERS */

    function _has(uint8 bits, uint256 slot) private pure returns (bool) {
        return (bits >> slot) & 1 == 1;
    }

    function _assertClaims(uint8 bits) private view {
        IIdentityClaims.Claim[] memory claims = registry.getClaims(alice);
        uint256 found = 0;
        for (uint256 i = 0; i < 8; ++i) {
            (, bool isActive) = registry.claimOf(alice, IIdentityClaims.ClaimType(i));
            assertEq(isActive, _has(bits, i));
            if (isActive) assertEq(uint256(claims[found++].claimType), i);
        }
        assertEq(found, claims.length);
    }

    function _assertStoredAndInactive() private view {
        (IIdentityClaims.Claim memory claim, bool isActive) = registry.claimOf(alice, AML);
        assertFalse(isActive);
        assertEq(claim.issuer, provider);
        assertEq(registry.getClaims(alice).length, 0);
    }

    function _assertEmpty(IIdentityClaims.Claim memory claim) private pure {
        IIdentityClaims.Claim memory empty;
        assertEq(keccak256(abi.encode(claim)), keccak256(abi.encode(empty)));
    }

    function _expectNotActive(IIdentityClaims.KycStatus status) private {
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.IdentityNotActive.selector, alice, status));
    }

    function _expectNoActiveClaim() private {
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.NoActiveClaim.selector, alice, KYC));
    }
}
