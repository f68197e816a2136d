// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {IdentityTest} from "../IdentityTest.sol";
import {IdentityHandler} from "./IdentityHandler.sol";

contract IdentityInvariantTest is IdentityTest, InvariantTest {
    IdentityHandler private handler;

    function setUp() public override {
        super.setUp();
        handler = new IdentityHandler(registry);
        vm.startPrank(admin);
        registry.addKYCProvider(address(handler), "Handler");
        registry.addRegisterOperator(address(handler), "Handler");
        registry.addComplianceOfficer(address(handler));
        vm.stopPrank();
        targetContract(address(handler));
        bytes4[] memory selectors = new bytes4[](9);
        (selectors[0], selectors[1]) = (handler.verify.selector, handler.batchVerify.selector);
        (selectors[2], selectors[3]) = (handler.update.selector, handler.addClaim.selector);
        (selectors[4], selectors[5]) = (handler.revokeClaim.selector, handler.revoke.selector);
        (selectors[6], selectors[7]) = (handler.move.selector, handler.toggleFreeze.selector);
        selectors[8] = handler.wait.selector;
        targetSelectors(address(handler), selectors);
    }

    function invariant_theRegistrySaysWhatHappenedAndNoPersonIsBehindTwoWallets() public view {
        uint256 count = handler.WALLETS();
        address[] memory persons = new address[](count);
        for (uint256 i = 0; i < count; ++i) {
            address wallet = handler.walletAt(i);
            IdentityHandler.Expected memory e = handler.expected(wallet);
            bool counts = e.isVerified && !_isOver(e.hard);
            persons[i] = e.isVerified ? e.person : address(0);
            _checkIdentity(wallet, e, counts);
            _checkClaims(wallet, e, counts);
            _checkTransfer(wallet, handler.walletAt(i + 1));
            for (uint256 j = 0; j < i && e.isVerified; ++j) {
                assertNotEq(persons[i], persons[j], "two wallets");
            }
        }
    }

    function _checkIdentity(address wallet, IdentityHandler.Expected memory e, bool counts) private view {
        assertEq(registry.contains(wallet), e.isVerified, "contains");
        assertEq(registry.identityOf(wallet).isRevoked, !e.isVerified, "revoked");
        assertEq(registry.identity(wallet), e.isVerified ? e.person : address(0), "person");
        assertEq(registry.isAddressFrozen(wallet), e.isFrozen, "frozen");
        assertEq(registry.isVerified(wallet), counts && !e.isFrozen, "verified");
        assertEq(registry.investorCountry(wallet), e.isVerified ? 1 : 0, "country");
        IIdentityClaims.KycStatus expected = IIdentityClaims.KycStatus.REVOKED;
        if (e.isVerified && !counts) expected = IIdentityClaims.KycStatus.HARD_EXPIRED;
        if (counts) expected = IIdentityClaims.KycStatus(_isOver(e.soft) ? 1 : 0);
        _assertStatus(wallet, expected);
    }

    function _checkClaims(address wallet, IdentityHandler.Expected memory e, bool counts) private view {
        IIdentityClaims.Claim[] memory claims = registry.getClaims(wallet);
        uint256 found = 0;
        bool isRight = true;
        for (uint256 slot = 0; slot < 8; ++slot) {
            if (e.hashes[slot] == 0) continue;
            (IIdentityClaims.Claim memory claim, bool isActive) =
                registry.claimOf(wallet, IIdentityClaims.ClaimType(slot));
            bool shouldBeActive = counts && !_isOver(e.expiries[slot]);
            isRight = isRight && isActive == shouldBeActive && claim.dataHash == e.hashes[slot];
            if (!isActive) continue;
            IIdentityClaims.Claim memory listed = claims[found++];
            isRight = isRight && listed.dataHash == claim.dataHash && uint256(listed.claimType) == slot;
        }
        assertTrue(isRight, "claims");
        assertEq(found, claims.length, "an empty slot is listed");
    }

    function _checkTransfer(address from, address to) private view {
        IIdentityClaims.TransferCheckResult memory result = registry.canTransfer(from, to, 1, 1, 1);
        assertEq(result.allowed, registry.isVerified(from) && registry.isVerified(to), "transfer");
        assertEq(result.allowed, result.reason == 0, "reason");
    }

    function _isOver(uint64 expiry) private view returns (bool) {
        return expiry != 0 && expiry <= vm.getBlockTimestamp();
    }
}
