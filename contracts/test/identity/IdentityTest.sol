// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../src/base/interfaces/IRoles.sol";
import {IdentityRegistry} from "../../src/identity/IdentityRegistry.sol";
import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {BaseTest} from "../support/BaseTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice A registry with one holder of each role, and nobody verified.
abstract contract IdentityTest is BaseTest {
    bytes32 internal constant HASH = keccak256("kyc");
    uint16 internal constant GERMANY = 276;

    IdentityRegistry internal implementation;
    IdentityRegistry internal registry;

    address internal admin = makeAddress("admin");
    address internal legalOperator = makeAddress("legal operator");
    address internal provider = makeAddress("provider");
    address internal otherProvider = makeAddress("other provider");
    address internal operator = makeAddress("operator");
    address internal officer = makeAddress("officer");
    address internal stranger = makeAddress("stranger");
    address internal alice = makeAddress("alice");
    address internal bob = makeAddress("bob");

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        implementation = new IdentityRegistry();
        bytes memory start = abi.encodeCall(IdentityRegistry.initialize, (admin, legalOperator));
        registry = IdentityRegistry(address(new ERC1967Proxy(address(implementation), start)));
        vm.startPrank(admin);
        registry.addKYCProvider(provider, "Provider One");
        registry.addKYCProvider(otherProvider, "Provider Two");
        registry.addRegisterOperator(operator, "Operator");
        registry.addComplianceOfficer(officer);
        vm.stopPrank();
    }

    function _verify(address user) internal {
        _verify(user, 0, 0);
    }

    function _verify(address user, uint64 softExpiry, uint64 hardExpiry) internal {
        vm.prank(provider);
        registry.verifyIdentity(user, HASH, IIdentityClaims.InvestorType.RETAIL, softExpiry, hardExpiry, GERMANY);
    }

    function _update(address user, uint64 softExpiry, uint64 hardExpiry) internal {
        vm.prank(otherProvider);
        registry.updateIdentity(
            user, keccak256("renewed"), IIdentityClaims.InvestorType.PROFESSIONAL, softExpiry, hardExpiry, 250
        );
    }

    function _addClaim(address user, IIdentityClaims.ClaimType claimType, uint64 expiry) internal {
        vm.prank(provider);
        registry.addClaim(user, claimType, keccak256(abi.encode(user, claimType)), expiry);
    }

    function _revokeClaim(address user, IIdentityClaims.ClaimType claimType) internal {
        vm.prank(provider);
        registry.revokeClaim(user, claimType);
    }

    function _revoke(address user) internal {
        vm.prank(operator);
        registry.revokeIdentity(user);
    }

    function _move(address lostWallet, address newWallet) internal {
        vm.prank(operator);
        registry.moveIdentity(lostWallet, newWallet);
    }

    /// @dev As long ago as an upgrade needs.
    function _announce(address next) internal {
        vm.prank(legalOperator);
        registry.announceUpgrade(next);
        skipTime(registry.UPGRADE_DELAY());
    }

    function _freeze(address user) internal {
        vm.prank(officer);
        registry.freezeAddress(user);
    }

    function _entry(address user) internal pure returns (IIdentityClaims.IdentityInput memory) {
        return IIdentityClaims.IdentityInput(user, HASH, IIdentityClaims.InvestorType.RETAIL, 0, 0, GERMANY);
    }

    function _entries(uint256 count) internal pure returns (IIdentityClaims.IdentityInput[] memory entries) {
        entries = new IIdentityClaims.IdentityInput[](count);
        for (uint256 i = 0; i < count; ++i) {
            entries[i] = _entry(_wallet(i));
        }
    }

    function _wallet(uint256 index) internal pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encode("wallet", index)))));
    }

    function _now() internal view returns (uint64) {
        return uint64(vm.getBlockTimestamp());
    }

    function _assertStatus(address user, IIdentityClaims.KycStatus status) internal view {
        assertEq(uint256(registry.statusOf(user)), uint256(status), "status");
    }

    function _expectNotAuthorized(address account, bytes32 role) internal {
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, account, role));
    }

    function _expectError(bytes4 selector, address about) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, about));
    }
}
