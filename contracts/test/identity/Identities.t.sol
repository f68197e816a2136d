// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "./IdentityTest.sol";

contract IdentitiesTest is IdentityTest {
    IIdentityClaims.InvestorType private constant RETAIL = IIdentityClaims.InvestorType.RETAIL;
    IIdentityClaims.InvestorType private constant NO_TYPE = IIdentityClaims.InvestorType.NONE;

    /* VERIFY AND UPDATE: REFUSALS THEY SHARE */

    function test_verifyAndUpdate_onlyProviders() public {
        bytes32 role = registry.KYC_PROVIDER_ROLE();
        address[4] memory others = [admin, operator, officer, legalOperator];
        for (uint256 i = 0; i < 4; ++i) {
            vm.startPrank(others[i]);
            _expectNotAuthorized(others[i], role);
            registry.verifyIdentity(alice, HASH, RETAIL, 0, 0, GERMANY);
            _expectNotAuthorized(others[i], role);
            registry.updateIdentity(alice, HASH, RETAIL, 0, 0, GERMANY);
            vm.stopPrank();
        }
    }

    function test_verifyAndUpdate_notWhilePaused() public {
        vm.prank(admin);
        registry.pause();
        _expectRefusal(abi.encodeWithSelector(IIdentityClaims.RegistryIsPaused.selector), alice, HASH, RETAIL, 0, 0);
    }

    function test_verifyAndUpdate_nobodyNothingAndNoType() public {
        _expectRefusal(abi.encodeWithSelector(IIdentityClaims.UserIsZero.selector), address(0), HASH, RETAIL, 0, 0);
        _expectRefusal(abi.encodeWithSelector(IIdentityClaims.KycHashIsZero.selector), alice, 0, RETAIL, 0, 0);
        _expectRefusal(abi.encodeWithSelector(IIdentityClaims.InvestorTypeIsNone.selector), alice, HASH, NO_TYPE, 0, 0);
    }

    function testFuzz_verifyAndUpdate_noExpiryInThePast(uint64 expiry) public {
        expiry = uint64(bound(expiry, 1, _now()));
        bytes memory refused = abi.encodeWithSelector(IIdentityClaims.ExpiryInThePast.selector, expiry);
        _expectRefusal(refused, alice, HASH, RETAIL, expiry, 0);
        _expectRefusal(refused, alice, HASH, RETAIL, 0, expiry);
        _expectRefusal(refused, alice, HASH, RETAIL, _now() + 1, expiry);
    }

    function testFuzz_verifyAndUpdate_softExpiryBeforeHard(uint64 soft, uint64 hard) public {
        hard = uint64(bound(hard, _now() + 1, type(uint64).max));
        soft = uint64(bound(soft, hard, type(uint64).max));
        bytes memory refused = abi.encodeWithSelector(IIdentityClaims.SoftExpiryNotBeforeHard.selector, soft, hard);
        _expectRefusal(refused, alice, HASH, RETAIL, soft, hard);
    }

    /* VERIFY */

    function test_verifyIdentity_notTwice() public {
        _verify(alice);
        _expectError(IIdentityClaims.AlreadyVerified.selector, alice);
        _verify(alice);
    }

    function test_verifyIdentity_notOverAnExpiredOne() public {
        _verify(alice, 0, _now() + 1);
        skipTime(1);
        _expectError(IIdentityClaims.AlreadyVerified.selector, alice);
        _verify(alice);
    }

    function test_verifyIdentity_writesTheRecordAndTellsIt() public {
        vm.expectEmit(address(registry));
        emit IIdentityClaims.IdentityVerified(alice, HASH, RETAIL, provider);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.KYCStatusChanged(
            alice, IIdentityClaims.KycStatus.REVOKED, IIdentityClaims.KycStatus.ACTIVE
        );
        _verify(alice, _now() + 10, _now() + 20);
        IIdentityClaims.Identity memory record = registry.identityOf(alice);
        assertEq(record.kycHash, HASH);
        assertEq(uint256(record.investorType), uint256(RETAIL));
        assertEq(record.country, GERMANY);
        assertEq(record.provider, provider);
        assertEq(record.verifiedAt, _now());
        assertEq(record.softExpiry, _now() + 10);
        assertEq(record.hardExpiry, _now() + 20);
        assertFalse(record.isRevoked);
        assertTrue(registry.isVerified(alice));
        assertTrue(registry.contains(alice));
        assertEq(registry.identity(alice), alice);
        assertEq(registry.investorCountry(alice), GERMANY);
    }

    function testFuzz_verifyIdentity_keepsEveryFieldApart(
        bytes32 hash,
        uint8 investorType,
        uint64 soft,
        uint64 hard,
        uint16 country
    ) public {
        vm.assume(hash != 0);
        IIdentityClaims.InvestorType kind = IIdentityClaims.InvestorType(bound(investorType, 1, 3));
        hard = uint64(bound(hard, _now() + 2, type(uint64).max));
        soft = uint64(bound(soft, _now() + 1, hard - 1));
        vm.prank(provider);
        registry.verifyIdentity(alice, hash, kind, soft, hard, country);
        IIdentityClaims.Identity memory expected =
            IIdentityClaims.Identity(hash, kind, country, provider, _now(), soft, hard, false);
        assertEq(keccak256(abi.encode(registry.identityOf(alice))), keccak256(abi.encode(expected)));
    }

    function test_unknownWallet_readsRevokedWithAZeroHash() public view {
        _assertStatus(alice, IIdentityClaims.KycStatus.REVOKED);
        IIdentityClaims.Identity memory record = registry.identityOf(alice);
        assertEq(record.kycHash, 0);
        assertTrue(record.isRevoked);
        assertFalse(registry.isVerified(alice));
        assertFalse(registry.contains(alice));
        assertEq(registry.identity(alice), address(0));
        assertEq(registry.investorCountry(alice), 0);
    }

    /* EXPIRY */

    function testFuzz_status_followsTheClock(uint64 soft, uint64 hard, uint64 at) public {
        hard = uint64(bound(hard, _now() + 2, _now() + 1000 days));
        soft = uint64(bound(soft, _now() + 1, hard - 1));
        at = uint64(bound(at, _now(), hard + 1000 days));
        _verify(alice, soft, hard);
        vm.warp(at);
        IIdentityClaims.KycStatus expected = at >= hard
            ? IIdentityClaims.KycStatus.HARD_EXPIRED
            : at >= soft ? IIdentityClaims.KycStatus.SOFT_EXPIRED : IIdentityClaims.KycStatus.ACTIVE;
        _assertStatus(alice, expected);
        assertEq(registry.isVerified(alice), at < hard);
        // An expired identity is one still: it is renewed, not verified anew.
        assertTrue(registry.contains(alice));
        assertEq(registry.identity(alice), alice);
    }

    function testFuzz_status_withOneExpiryOnly(uint64 expiry) public {
        expiry = uint64(bound(expiry, _now() + 1, type(uint64).max));
        _verify(alice, expiry, 0);
        _verify(bob, 0, expiry);
        vm.warp(expiry - 1);
        _assertStatus(alice, IIdentityClaims.KycStatus.ACTIVE);
        _assertStatus(bob, IIdentityClaims.KycStatus.ACTIVE);
        vm.warp(expiry);
        _assertStatus(alice, IIdentityClaims.KycStatus.SOFT_EXPIRED);
        _assertStatus(bob, IIdentityClaims.KycStatus.HARD_EXPIRED);
    }

    /* UPDATE */

    function test_updateIdentity_onlyAnUnrevokedOne() public {
        _expectError(IIdentityClaims.NotVerified.selector, alice);
        _update(alice, 0, 0);
        _verify(alice);
        _revoke(alice);
        _expectError(IIdentityClaims.NotVerified.selector, alice);
        _update(alice, 0, 0);
    }

    function test_updateIdentity_rewritesEverythingAndChangesTheProvider() public {
        _verify(alice, _now() + 10, _now() + 20);
        _addClaim(alice, IIdentityClaims.ClaimType.AML, 0);
        skipTime(5);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.IdentityUpdated(
            alice, keccak256("renewed"), IIdentityClaims.InvestorType.PROFESSIONAL, otherProvider
        );
        vm.recordLogs();
        _update(alice, 0, _now() + 100);
        assertEq(vm.getRecordedLogs().length, 1, "the status did not change");
        IIdentityClaims.Identity memory expected = IIdentityClaims.Identity({
            kycHash: keccak256("renewed"),
            investorType: IIdentityClaims.InvestorType.PROFESSIONAL,
            country: 250,
            provider: otherProvider,
            verifiedAt: _now(),
            softExpiry: 0,
            hardExpiry: _now() + 100,
            isRevoked: false
        });
        assertEq(keccak256(abi.encode(registry.identityOf(alice))), keccak256(abi.encode(expected)));
        assertEq(registry.getClaims(alice).length, 1, "claims stay");
    }

    function test_updateIdentity_renewsAnExpiredOneAsTheSamePerson() public {
        _verify(alice, _now() + 1, _now() + 2);
        skipTime(1);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.KYCStatusChanged(
            alice, IIdentityClaims.KycStatus.SOFT_EXPIRED, IIdentityClaims.KycStatus.ACTIVE
        );
        _update(alice, 0, _now() + 1);
        skipTime(1);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.KYCStatusChanged(
            alice, IIdentityClaims.KycStatus.HARD_EXPIRED, IIdentityClaims.KycStatus.ACTIVE
        );
        _update(alice, 0, 0);
        assertEq(registry.identity(alice), alice);
        assertTrue(registry.isVerified(alice));
    }

    /* REVOKE */

    function test_revokeIdentity_onlyOperators() public {
        _verify(alice);
        _expectNotAuthorized(provider, registry.REGISTER_OPERATOR_ROLE());
        vm.prank(provider);
        registry.revokeIdentity(alice);
    }

    function test_revokeIdentity_onlyAnUnrevokedOne() public {
        _expectError(IIdentityClaims.NotVerified.selector, alice);
        _revoke(alice);
        _verify(alice);
        _revoke(alice);
        _expectError(IIdentityClaims.NotVerified.selector, alice);
        _revoke(alice);
    }

    function test_revokeIdentity_keepsTheRecordAndReadsRevoked() public {
        _verify(alice, _now() + 1, 0);
        skipTime(1);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.IdentityRevoked(alice, operator);
        vm.expectEmit(address(registry));
        emit IIdentityClaims.KYCStatusChanged(
            alice, IIdentityClaims.KycStatus.SOFT_EXPIRED, IIdentityClaims.KycStatus.REVOKED
        );
        _revoke(alice);
        IIdentityClaims.Identity memory record = registry.identityOf(alice);
        assertEq(record.kycHash, HASH);
        assertEq(record.provider, provider);
        assertTrue(record.isRevoked);
        _assertStatus(alice, IIdentityClaims.KycStatus.REVOKED);
        assertFalse(registry.isVerified(alice));
        assertFalse(registry.contains(alice));
        assertEq(registry.identity(alice), address(0));
        assertEq(registry.investorCountry(alice), 0);
    }

    function test_revokeIdentity_alsoWhilePaused() public {
        _verify(alice);
        vm.prank(admin);
        registry.pause();
        _revoke(alice);
        assertFalse(registry.contains(alice));
    }

    function test_revokedWallet_isVerifiedAgainAsTheSamePersonWithEmptySlots() public {
        _verify(alice);
        _addClaim(alice, IIdentityClaims.ClaimType.KYC, 0);
        _revoke(alice);
        _verify(alice);
        assertEq(registry.identity(alice), alice);
        assertEq(registry.getClaims(alice).length, 0);
        (IIdentityClaims.Claim memory claim,) = registry.claimOf(alice, IIdentityClaims.ClaimType.KYC);
        assertEq(claim.dataHash, 0);
    }

    /// Both refuse alike: `updateIdentity` is asked about a wallet that could be updated.
    function _expectRefusal(
        bytes memory refused,
        address user,
        bytes32 hash,
        IIdentityClaims.InvestorType kind,
        uint64 soft,
        uint64 hard
    ) private {
        vm.startPrank(provider);
        vm.expectRevert(refused);
        registry.verifyIdentity(user, hash, kind, soft, hard, GERMANY);
        if (!registry.paused() && !registry.contains(alice)) {
            registry.verifyIdentity(alice, HASH, RETAIL, 0, 0, GERMANY);
        }
        vm.expectRevert(refused);
        registry.updateIdentity(user, hash, kind, soft, hard, GERMANY);
        vm.stopPrank();
    }
}
