// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {RegisteredStockTest} from "../support/RegisteredStockTest.sol";

/// @notice A wallet with shares lost its identity. Somebody else's identity is moved onto it, and the shares with it.
contract StrangerInALostWalletTest is RegisteredStockTest {
    address private aliceAgain = makeAddress("alice again");
    address private carolAgain = makeAddress("carol again");

    function test_attack_moveAnotherPersonOntoAGivenUpWallet() public {
        // 1. Alice lost her wallet; her shares are still there.
        identities.moveIdentity(alice, aliceAgain);
        // 2. The thief has the key, and Carol's identity is moved onto the wallet: it would be verified, and could send.
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.WalletOfAnother.selector, alice, alice, carol));
        identities.moveIdentity(carol, alice);
        vm.prank(alice);
        expectRestricted(IStockToken.TransferRestrictionCode.SENDER_NOT_ELIGIBLE, "SENDER_NOT_VERIFIED");
        stock.transfer(bob, 1);
        // 3. The shares wait for Alice.
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        assertHolds(aliceAgain, 1_000, 0);
    }

    function test_attack_moveAnotherPersonOntoARevokedWallet() public {
        identities.revokeIdentity(alice);
        vm.expectRevert(abi.encodeWithSelector(IIdentityClaims.WalletOfAnother.selector, alice, alice, carol));
        identities.moveIdentity(carol, alice);
    }

    /// A registry of others may call any wallet anybody's: what counts for shares is whose they were when they came.
    function test_attack_recoverSharesAsTheNewPersonOfTheWallet() public {
        stock = plainStock;
        // 1. The registry gives Alice's wallet to Carol, who has another one too.
        registry.moveIdentity(carol, alice);
        registry.register(carolAgain, carol);
        // 2. Carol recovers "her" shares.
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.NotSameIdentity.selector, alice, carolAgain));
        stock.recoveryAddress(alice, carolAgain, carol);
        // 3. She has the token note anew whose wallet it is, which anyone may after an exchange of the registry.
        vm.prank(carolAgain);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.IdentityKnown.selector, alice, alice));
        stock.refreshIdentity(alice);
        // 4. Alice recovers them.
        registry.register(aliceAgain, alice);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        assertHolds(aliceAgain, 1_000, 0);
    }

    /// An issuer, or who stole its key, puts a registry in place in which everybody is the thief.
    function test_attack_exchangeTheRegistryOvernight() public {
        stock = plainStock;
        // 1. It exchanges the registry without a word.
        vm.startPrank(issuer);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotAnnounced.selector, address(identities)));
        stock.setIdentityRegistry(address(identities));
        // 2. It announces it: everybody has 14 days to leave or to object.
        vm.expectEmit(address(stock));
        emit IStockToken.IdentityRegistryAnnounced(address(identities), block.timestamp + 14 days);
        stock.announceIdentityRegistry(address(identities));
        skipTime(14 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IStockToken.RegistryNotReady.selector, block.timestamp + 1));
        stock.setIdentityRegistry(address(identities));
        assertEq(stock.identityRegistry(), address(registry));
    }
}
