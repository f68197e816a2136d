// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "../IdentityTest.sol";

/// @notice Whole transactions. The bars hold with `forge test --isolate`, which charges each call as its own transaction.
contract IdentityGasTest is IdentityTest {
    function setUp() public override {
        super.setUp();
        _verify(bob);
        _addClaim(bob, IIdentityClaims.ClaimType.AML, 0);
    }

    function test_gas_verifyIdentityFirst() public {
        _verify(alice, _now() + 30 days, _now() + 365 days);
        _assertAtMost("verifyIdentity first", 110_000);
    }

    function test_gas_updateIdentity() public {
        _update(bob, 0, _now() + 365 days);
        _assertAtMost("updateIdentity", 60_000);
    }

    function test_gas_addClaimFirst() public {
        _addClaim(bob, IIdentityClaims.ClaimType.PEP_CHECK, _now() + 365 days);
        _assertAtMost("addClaim first", 90_000);
    }

    function test_gas_addClaimAgain() public {
        _addClaim(bob, IIdentityClaims.ClaimType.AML, _now() + 365 days);
        _assertAtMost("addClaim again", 60_000);
    }

    function test_gas_revokeClaim() public {
        _revokeClaim(bob, IIdentityClaims.ClaimType.AML);
        _assertAtMost("revokeClaim", 50_000);
    }

    function test_gas_moveIdentity() public {
        _move(bob, alice);
        _assertAtMost("moveIdentity", 200_000);
    }

    function test_gas_batchVerifyIdentities() public {
        IIdentityClaims.IdentityInput[] memory entries = _entries(100);
        vm.prank(provider);
        registry.batchVerifyIdentities(entries);
        _assertAtMost("batchVerifyIdentities of 100", 7_700_000);
    }

    function test_gas_batchRevokeIdentities() public {
        IIdentityClaims.IdentityInput[] memory entries = _entries(100);
        address[] memory users = new address[](100);
        for (uint256 i = 0; i < 100; ++i) {
            users[i] = entries[i].user;
        }
        vm.prank(provider);
        registry.batchVerifyIdentities(entries);
        vm.prank(operator);
        registry.batchRevokeIdentities(users);
        _assertAtMost("batchRevokeIdentities of 100", 1_500_000);
    }

    function _assertAtMost(string memory name, uint256 bar) private {
        assertLe(vm.snapshotGasLastCall(name), bar, name);
    }
}
