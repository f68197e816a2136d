// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../src/identity/interfaces/IIdentityClaims.sol";
import {IdentityTest} from "./IdentityTest.sol";

contract BatchesTest is IdentityTest {
    /* VERIFY */

    function test_batchVerify_onlyProvidersAndNotWhilePaused() public {
        _expectNotAuthorized(operator, registry.KYC_PROVIDER_ROLE());
        vm.prank(operator);
        registry.batchVerifyIdentities(_entries(1));
        vm.prank(admin);
        registry.pause();
        vm.expectRevert(IIdentityClaims.RegistryIsPaused.selector);
        _batch(_entries(1));
    }

    function test_batchVerify_oneToFiveHundred() public {
        vm.expectRevert(IIdentityClaims.NoEntries.selector);
        _batch(_entries(0));
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.TooManyEntries.selector, 501, 500));
        _batch(_entries(501));
        (uint256 processed, uint256 successes, uint256[] memory failed) = _batch(_entries(500));
        assertEq(processed, 500);
        assertEq(successes, 500);
        assertEq(failed.length, 0);
        assertTrue(registry.isVerified(_wallet(499)));
    }

    function test_batchVerify_skipsAndTellsWhatCouldNotBeVerifiedSingly() public {
        _verify(_wallet(0));
        _verify(_wallet(1));
        _move(_wallet(1), makeAddress("new wallet"));
        _verify(_wallet(2));
        _revoke(_wallet(2));
        IIdentityClaims.IdentityInput[] memory entries = _entries(12);
        entries[3].user = address(0);
        entries[4].kycHash = 0;
        entries[5].investorType = IIdentityClaims.InvestorType.NONE;
        entries[6].softExpiry = _now();
        entries[7].hardExpiry = 1;
        (entries[8].softExpiry, entries[8].hardExpiry) = (_now() + 1, _now() + 1);
        entries[10].user = _wallet(9);
        uint256[] memory expected = new uint256[](9);
        (expected[0], expected[1], expected[2], expected[3], expected[4]) = (0, 1, 3, 4, 5);
        (expected[5], expected[6], expected[7], expected[8]) = (6, 7, 8, 10);

        vm.expectEmit(address(registry));
        emit IIdentityClaims.BatchVerified(12, 12, 3, expected);
        (uint256 processed, uint256 successes, uint256[] memory failed) = _batch(entries);
        assertEq(processed, 12);
        assertEq(successes, 3);
        assertEq(failed, expected);
        assertTrue(registry.isVerified(_wallet(2)));
        assertTrue(registry.isVerified(_wallet(9)));
        assertTrue(registry.isVerified(_wallet(11)));
        assertFalse(registry.contains(_wallet(1)));
    }

    function testFuzz_batchVerify_doesWhatSingleCallsDo(uint256 seed) public {
        IIdentityClaims.IdentityInput[] memory entries = _entries(8);
        for (uint256 i = 0; i < 8; ++i) {
            uint256 dice = uint256(keccak256(abi.encode(seed, i)));
            entries[i].user = _wallet(dice % 5);
            entries[i].softExpiry = uint64(_now() - 2 + (dice >> 16) % 6);
            entries[i].hardExpiry = uint64((dice >> 32) % 3 == 0 ? 0 : _now() - 2 + (dice >> 48) % 6);
            if ((dice >> 64) % 6 == 0) entries[i].kycHash = 0;
        }
        uint256 state = vm.snapshotState();
        (,, uint256[] memory failed) = _batch(entries);
        bytes32 afterBatch = _records();
        vm.revertToState(state);
        uint256 failures = 0;
        for (uint256 i = 0; i < 8; ++i) {
            if (_verifySingly(entries[i])) continue;
            assertEq(failed[failures++], i);
        }
        assertEq(failures, failed.length);
        assertEq(_records(), afterBatch);
    }

    function test_batchVerify_stopsWhenGasRunsLowAndSaysHowFarItCame() public {
        IIdentityClaims.IdentityInput[] memory entries = _entries(50);
        (bool success, bytes memory answer) = _batchWithGas(entries, 1_000_000);
        assertTrue(success);
        (uint256 processed, uint256 successes,) = abi.decode(answer, (uint256, uint256, uint256[]));
        assertEq(processed, successes);
        assertGe(processed, 10);
        assertLt(processed, 14);
        assertTrue(registry.isVerified(_wallet(processed - 1)));
        assertFalse(registry.isVerified(_wallet(processed)));
        // The rest goes into the next call: what was done is skipped.
        (uint256 all, uint256 more, uint256[] memory failed) = _batch(entries);
        assertEq(all, 50);
        assertEq(more, 50 - processed);
        assertEq(failed.length, processed);
    }

    function test_batchVerify_revertsWhenItCouldNotEvenBegin() public {
        (bool success, bytes memory answer) = _batchWithGas(_entries(2), 130_000);
        assertFalse(success);
        assertEq(bytes32(answer), bytes32(IIdentityClaims.BatchNeedsMoreGas.selector));
    }

    /// From where it can begin it never fails, whatever the gas: neither at an entry nor when it tells the failures.
    function test_batchVerify_neverRunsOutOfGas() public {
        IIdentityClaims.IdentityInput[] memory good = _entries(12);
        IIdentityClaims.IdentityInput[] memory mixed = _entries(30);
        for (uint256 i = 0; i < 30; ++i) {
            if (i % 3 != 0) mixed[i].kycHash = 0;
        }
        IIdentityClaims.IdentityInput[] memory bad = _entries(500);
        for (uint256 i = 0; i < 500; ++i) {
            bad[i].kycHash = 0;
        }
        for (uint256 gas = 200_000; gas < 1_200_000; gas += 7_001) {
            _assertSucceeds(good, gas);
            _assertSucceeds(mixed, gas);
            _assertSucceeds(bad, gas + 300_000);
        }
    }

    /* REVOKE */

    function test_batchRevoke_onlyOperators() public {
        _expectNotAuthorized(provider, registry.REGISTER_OPERATOR_ROLE());
        vm.prank(provider);
        registry.batchRevokeIdentities(new address[](1));
    }

    function test_batchRevoke_oneToAThousandWithinOneTransaction() public {
        vm.startPrank(operator);
        vm.expectRevert(IIdentityClaims.NoEntries.selector);
        registry.batchRevokeIdentities(new address[](0));
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.TooManyEntries.selector, 1_001, 1_000));
        registry.batchRevokeIdentities(new address[](1_001));
        vm.stopPrank();
        address[] memory users = new address[](1_000);
        IIdentityClaims.IdentityInput[] memory page = new IIdentityClaims.IdentityInput[](500);
        for (uint256 i = 0; i < 1_000; ++i) {
            users[i] = _wallet(i);
            page[i % 500] = _entry(users[i]);
            if (i % 500 == 499) _batch(page);
        }
        vm.cool(address(registry));
        vm.prank(operator);
        assertEq(registry.batchRevokeIdentities{gas: 16_000_000}(users), 1_000);
        assertFalse(registry.contains(_wallet(999)));
    }

    function test_batchRevoke_skipsTheOthersAndRunsWhilePaused() public {
        _verify(alice);
        _verify(bob);
        _revoke(bob);
        address[] memory users = new address[](5);
        (users[0], users[1], users[2], users[3], users[4]) = (bob, alice, stranger, address(0), alice);
        vm.prank(admin);
        registry.pause();
        vm.expectEmit(address(registry));
        emit IIdentityClaims.IdentityRevoked(alice, operator);
        vm.prank(operator);
        assertEq(registry.batchRevokeIdentities(users), 1);
        assertFalse(registry.contains(alice));
    }

    /* HELPERS */

    function _batch(IIdentityClaims.IdentityInput[] memory entries)
        private
        returns (uint256, uint256, uint256[] memory)
    {
        vm.prank(provider);
        return registry.batchVerifyIdentities(entries);
    }

    function _batchWithGas(IIdentityClaims.IdentityInput[] memory entries, uint256 gas)
        private
        returns (bool, bytes memory)
    {
        bytes memory data = abi.encodeCall(registry.batchVerifyIdentities, (entries));
        vm.prank(provider);
        return address(registry).call{gas: gas}(data);
    }

    function _assertSucceeds(IIdentityClaims.IdentityInput[] memory entries, uint256 gas) private {
        uint256 state = vm.snapshotState();
        vm.cool(address(registry));
        (bool success, bytes memory answer) = _batchWithGas(entries, gas);
        assertTrue(success, "ran out of gas");
        (uint256 processed,,) = abi.decode(answer, (uint256, uint256, uint256[]));
        assertGt(processed, 0);
        vm.revertToState(state);
    }

    function _verifySingly(IIdentityClaims.IdentityInput memory e) private returns (bool success) {
        bytes memory data = abi.encodeCall(
            registry.verifyIdentity, (e.user, e.kycHash, e.investorType, e.softExpiry, e.hardExpiry, e.country)
        );
        vm.prank(provider);
        (success,) = address(registry).call(data);
    }

    function _records() private view returns (bytes32 all) {
        for (uint256 i = 0; i < 5; ++i) {
            all = keccak256(abi.encode(all, registry.identityOf(_wallet(i)), registry.identity(_wallet(i))));
        }
    }
}
