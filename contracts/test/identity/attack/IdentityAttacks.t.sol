// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IdentityRegistry} from "../../../src/identity/IdentityRegistry.sol";
import {REGISTRY_SLOT} from "../../../src/identity/RegistryStorage.sol";
import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "../IdentityTest.sol";
import {CautiousModule, HostileModule} from "../support/Modules.sol";
import {NextRegistry} from "../support/NextRegistry.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

contract IdentityAttacksTest is IdentityTest {
    /* THE PROXY */

    function test_attack_initializeFirst() public {
        // 1. The attacker sees the deployment and calls `initialize` right behind it: there was nothing left to do.
        vm.startPrank(stranger);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        registry.initialize(stranger, stranger);
        // 2. The implementation itself is nobody's either.
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        implementation.initialize(stranger, stranger);
        vm.expectRevert(UUPSUpgradeable.UUPSUnauthorizedCallContext.selector);
        implementation.upgradeToAndCall(address(implementation), "");
        vm.stopPrank();
        // 3. A proxy that would leave the door open cannot be made.
        vm.expectRevert(ERC1967Proxy.ERC1967ProxyUninitialized.selector);
        new ERC1967Proxy(address(implementation), "");
    }

    function test_attack_upgradeToForgedCode() public {
        address forged = address(new Forgery());
        // 1. Neither a stranger nor the admin can put the code there.
        vm.prank(stranger);
        _expectNotAuthorized(stranger, keccak256("LEGAL_OPERATOR_ROLE"));
        registry.upgradeToAndCall(forged, "");
        vm.prank(admin);
        _expectNotAuthorized(admin, keccak256("LEGAL_OPERATOR_ROLE"));
        registry.upgradeToAndCall(forged, "");
        // 2. The legal operator is talked into it: for 14 days everybody sees what would come.
        vm.prank(legalOperator);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.UpgradeNotAnnounced.selector, forged));
        registry.upgradeToAndCall(forged, "");
        _announce(forged);
        // 3. And code that is no UUPS implementation would lock the proxy for ever.
        vm.startPrank(legalOperator);
        vm.expectRevert(abi.encodeWithSelector(ERC1967Utils.ERC1967InvalidImplementation.selector, forged));
        registry.upgradeToAndCall(forged, "");
        // 4. Nor a wallet, nor another registry's proxy.
        vm.expectRevert();
        registry.announceUpgrade(stranger);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.NotAnUpgrade.selector, 2, 2));
        registry.announceUpgrade(address(registry));
        vm.stopPrank();
        // 5. And an honest upgrade cannot run the initializer again.
        address next = address(new NextRegistry());
        _announce(next);
        vm.prank(legalOperator);
        vm.expectRevert(Initializable.InvalidInitialization.selector);
        registry.upgradeToAndCall(next, abi.encodeCall(IdentityRegistry.initialize, (stranger, stranger)));
        assertEq(registry.version(), 2);
    }

    function test_attack_stateInThePathOfNaiveCode() public {
        // 1. The namespace is where its name puts it.
        bytes32 slot = keccak256(abi.encode(uint256(keccak256("tallystick.storage.IdentityRegistry")) - 1));
        assertEq(REGISTRY_SLOT, slot & ~bytes32(uint256(0xff)));
        // 2. The first slots hold nothing that code with plain variables could overwrite.
        _verify(alice);
        for (uint256 i = 0; i < 50; ++i) {
            assertEq(vm.load(address(registry), bytes32(i)), bytes32(0));
        }
    }

    /* ROLES */

    function test_attack_escalateFromEachRole() public {
        bytes32[5] memory roles = [
            bytes32(0),
            registry.KYC_PROVIDER_ROLE(),
            registry.REGISTER_OPERATOR_ROLE(),
            registry.COMPLIANCE_OFFICER_ROLE(),
            registry.LEGAL_OPERATOR_ROLE()
        ];
        address[5] memory holders = [stranger, provider, operator, officer, legalOperator];
        // 1. Whatever one holds, giving and taking roles is the admin's.
        for (uint256 i = 0; i < 5; ++i) {
            for (uint256 j = 0; j < 5; ++j) {
                vm.startPrank(holders[i]);
                _expectNotAuthorized(holders[i], 0);
                registry.grantRole(roles[j], holders[i]);
                _expectNotAuthorized(holders[i], 0);
                registry.revokeRole(roles[j], admin);
                vm.stopPrank();
            }
        }
        // 2. The admin is above the roles, not in them: it verifies nobody until it has appointed itself in public.
        _expectNotAuthorized(admin, roles[1]);
        vm.prank(admin);
        registry.verifyIdentity(alice, HASH, IIdentityClaims.InvestorType.RETAIL, 0, 0, GERMANY);
    }

    /* PROVIDERS */

    function test_attack_overwriteAnotherProvidersClaim() public {
        // 1. One provider found a sanctioned person and says so.
        _verify(alice);
        vm.prank(provider);
        registry.addClaim(alice, IIdentityClaims.ClaimType.SANCTIONS_CHECK, "hit", 0);
        // 2. Another writes over it. That is allowed: a slot has one claim. But the event names the writer,
        vm.expectEmit(address(registry));
        emit IIdentityClaims.ClaimAdded(alice, IIdentityClaims.ClaimType.SANCTIONS_CHECK, "clean", 0, otherProvider);
        vm.prank(otherProvider);
        registry.addClaim(alice, IIdentityClaims.ClaimType.SANCTIONS_CHECK, "clean", 0);
        // 3. and so does the claim: it can never pass for the first provider's.
        (IIdentityClaims.Claim memory claim,) = registry.claimOf(alice, IIdentityClaims.ClaimType.SANCTIONS_CHECK);
        assertEq(claim.issuer, otherProvider);
        // 4. A provider can neither undo a revocation's emptying of the slots nor lift a freeze.
        _freeze(alice);
        _update(alice, 0, 0);
        assertFalse(registry.isVerified(alice));
    }

    function test_attack_livePastTheHardExpiry() public {
        _verify(alice, 0, _now() + 10);
        _addClaim(alice, IIdentityClaims.ClaimType.KYC, 0);
        skipTime(10);
        // 1. At the very second the identity counts no more, and its endless claim with it.
        assertFalse(registry.isVerified(alice));
        assertEq(registry.getClaims(alice).length, 0);
        // 2. It cannot be verified "for the first time", which would hide the earlier record,
        _expectError(IIdentityClaims.AlreadyVerified.selector, alice);
        _verify(alice);
        // 3. nor get fresh claims, nor be renewed into the past.
        vm.expectRevert(
            abi.encodeWithSelector(
                IIdentityClaims.IdentityNotActive.selector, alice, IIdentityClaims.KycStatus.HARD_EXPIRED
            )
        );
        _addClaim(alice, IIdentityClaims.ClaimType.KYC, 0);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.ExpiryInThePast.selector, _now()));
        _update(alice, 0, _now());
        // 4. Moving it to another wallet does not turn the clock back.
        _move(alice, bob);
        assertFalse(registry.isVerified(bob));
    }

    function test_attack_bringClaimsBackFromARevokedIdentity() public {
        // 1. Claims were given, then the identity was revoked, all within one second.
        _verify(alice);
        _addClaim(alice, IIdentityClaims.ClaimType.ACCREDITATION, 0);
        _revoke(alice);
        // 2. A provider verifies the wallet again in the same second: the slots are empty,
        _verify(alice);
        assertEq(registry.getClaims(alice).length, 0);
        // 3. and stay so through a move and back.
        _move(alice, bob);
        _move(bob, alice);
        assertEq(registry.getClaims(alice).length, 0);
    }

    /* MOVES */

    function test_attack_becomeSomebodyElse() public {
        // 1. The operator is tricked into moving an identity onto a wallet that has one: two persons would be one.
        _verify(alice);
        _verify(bob);
        _expectError(IIdentityClaims.AlreadyVerified.selector, bob);
        _move(alice, bob);
        // 2. Alice lost her wallet, and the thief applies with it as a new customer. Verified, the wallet would carry
        // Alice's `identity`, and her pledges could be rebound to it.
        address carol = makeAddress("carol");
        _move(alice, carol);
        _expectError(IIdentityClaims.WalletGivenUp.selector, alice);
        _verify(alice);
        IIdentityClaims.IdentityInput[] memory entries = new IIdentityClaims.IdentityInput[](1);
        entries[0] = _entry(alice);
        vm.prank(provider);
        (, uint256 successes,) = registry.batchVerifyIdentities(entries);
        assertEq(successes, 0);
        assertEq(registry.identity(alice), address(0));
        assertEq(registry.identity(carol), alice);
        // 3. A frozen wallet does not shake the freeze off by moving back and forth.
        _freeze(carol);
        _move(carol, alice);
        _move(alice, makeAddress("dave"));
        assertFalse(registry.isVerified(makeAddress("dave")));
    }

    /* MODULES */

    function test_attack_moduleThatMisbehaves() public {
        // 1. The admin was given a module that throws, burns, floods, lies about its size, writes or calls back.
        _verify(alice);
        _verify(bob);
        HostileModule module = new HostileModule(registry);
        vm.startPrank(admin);
        registry.addComplianceModule(address(module));
        // It may call `pause`, if only it could write.
        registry.grantRole(0, address(module));
        vm.stopPrank();
        assertTrue(registry.canTransfer(alice, bob, 100, 0, 0).allowed);
        // 2. Every misbehaviour is a refusal that names its kind, and none costs more than the module's allowance.
        for (uint256 trick = 1; trick <= 12; ++trick) {
            uint256 left = gasleft();
            IIdentityClaims.TransferCheckResult memory result = registry.canTransfer(alice, bob, trick, 0, 0);
            assertLt(left - gasleft(), 150_000);
            assertFalse(result.allowed);
            // Called back with little gas the registry does not guess, so the module has no answer to give.
            assertEq(result.reason, 11);
        }
        assertEq(module.written(), 0);
        assertFalse(registry.paused());
        // 3. Nobody's identity hangs on it, and the admin takes it out.
        assertTrue(registry.isVerified(alice));
        vm.prank(admin);
        registry.removeComplianceModule(address(module));
        assertTrue(registry.canTransfer(alice, bob, 1, 0, 0).allowed);
    }

    function test_attack_moduleThatLostItsCode() public {
        _verify(alice);
        _verify(bob);
        HostileModule module = new HostileModule(registry);
        vm.prank(admin);
        registry.addComplianceModule(address(module));
        vm.etch(address(module), "");
        // A call to nothing succeeds: that is no consent.
        assertEq(registry.canTransfer(alice, bob, 100, 0, 0).reason, 11);
    }

    /// A caller gives just so little gas that the module fails: the check must not pass that off as the module's word.
    function test_attack_starveAModule() public {
        _verify(alice);
        _verify(bob);
        CautiousModule module = new CautiousModule();
        vm.prank(admin);
        registry.addComplianceModule(address(module));
        uint256 reverted = 0;
        for (uint256 gas = 100_000; gas < 130_000; gas += 50) {
            (bool success, bytes memory answer) =
                address(registry).staticcall{gas: gas}(abi.encodeCall(registry.canTransfer, (alice, bob, 1, 1, 0)));
            if (!success) ++reverted;
            else assertTrue(abi.decode(answer, (IIdentityClaims.TransferCheckResult)).allowed);
        }
        assertGt(reverted, 0);
        assertLt(reverted, 600);
    }
}

/// @notice Has a version, but cannot stand behind a proxy.
contract Forgery {
    function version() external pure returns (uint256) {
        return 99;
    }

    function proxiableUUID() external pure returns (bytes32) {
        revert();
    }
}

