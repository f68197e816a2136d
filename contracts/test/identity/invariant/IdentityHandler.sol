// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IdentityRegistry} from "../../../src/identity/IdentityRegistry.sol";
import {IIdentityClaims} from "../../../src/identity/interfaces/IIdentityClaims.sol";
import {BaseTest} from "../../support/BaseTest.sol";

/// @notice Holds every role and keeps books of its own, in the plainest way, of what the registry should say.
contract IdentityHandler is BaseTest {
    struct Expected {
        bool isVerified;
        bool isGivenUp;
        bool isFrozen;
        address person;
        uint64 soft;
        uint64 hard;
        bytes32[8] hashes;
        uint64[8] expiries;
    }

    uint256 public constant WALLETS = 5;

    IdentityRegistry public immutable registry;
    uint256 private nonce;
    mapping(address wallet => Expected) private _expected;
    /// @notice The person whose identity was the last in a wallet.
    mapping(address wallet => address) public ownerOf;

    constructor(IdentityRegistry registry_) {
        registry = registry_;
    }

    /* PROVIDERS */

    function verify(uint256 who, uint64 soft, uint64 hard) external {
        address wallet = walletAt(who);
        Expected storage e = _expected[wallet];
        (soft, hard) = _expiries(soft, hard);
        if (e.isVerified || e.isGivenUp) {
            vm.expectRevert();
            registry.verifyIdentity(wallet, _hash(), IIdentityClaims.InvestorType.RETAIL, soft, hard, 1);
            return;
        }
        registry.verifyIdentity(wallet, _hash(), IIdentityClaims.InvestorType.RETAIL, soft, hard, 1);
        _noteVerified(wallet, soft, hard);
    }

    function batchVerify(uint256 first, uint256 second, uint64 soft, uint64 hard) external {
        (soft, hard) = _expiries(soft, hard);
        IIdentityClaims.IdentityInput[] memory entries = new IIdentityClaims.IdentityInput[](2);
        uint256 successes = 0;
        for (uint256 i = 0; i < 2; ++i) {
            address wallet = walletAt(i == 0 ? first : second);
            IIdentityClaims.InvestorType kind = IIdentityClaims.InvestorType.PROFESSIONAL;
            entries[i] = IIdentityClaims.IdentityInput(wallet, _hash(), kind, soft, hard, 1);
            if (_expected[wallet].isVerified || _expected[wallet].isGivenUp) continue;
            _noteVerified(wallet, soft, hard);
            ++successes;
        }
        (, uint256 told,) = registry.batchVerifyIdentities(entries);
        assertEq(told, successes, "successes");
    }

    function update(uint256 who, uint64 soft, uint64 hard) external {
        address wallet = walletAt(who);
        Expected storage e = _expected[wallet];
        if (!e.isVerified) return;
        (soft, hard) = _expiries(soft, hard);
        registry.updateIdentity(wallet, _hash(), IIdentityClaims.InvestorType.RETAIL, soft, hard, 1);
        (e.soft, e.hard) = (soft, hard);
    }

    function addClaim(uint256 who, uint256 slot, uint64 expiry) external {
        address wallet = walletAt(who);
        slot %= 8;
        if (!_counts(wallet)) return;
        (expiry,) = _expiries(expiry, 0);
        bytes32 hash = _hash();
        registry.addClaim(wallet, IIdentityClaims.ClaimType(slot), hash, expiry);
        (_expected[wallet].hashes[slot], _expected[wallet].expiries[slot]) = (hash, expiry);
    }

    function revokeClaim(uint256 who, uint256 slot) external {
        address wallet = walletAt(who);
        slot %= 8;
        if (!_isClaimActive(wallet, slot)) vm.expectRevert();
        else _expected[wallet].hashes[slot] = 0;
        registry.revokeClaim(wallet, IIdentityClaims.ClaimType(slot));
    }

    /* OPERATORS AND OFFICERS */

    function revoke(uint256 who) external {
        address wallet = walletAt(who);
        if (!_expected[wallet].isVerified) return;
        registry.revokeIdentity(wallet);
        _expected[wallet].isVerified = false;
    }

    function move(uint256 from, uint256 to) external {
        address lost = walletAt(from);
        address found = walletAt(to);
        if (lost == found || !_expected[lost].isVerified || _expected[found].isVerified) return;
        address person = _expected[lost].person;
        if (ownerOf[found] != address(0) && ownerOf[found] != person) {
            vm.expectRevert(
                abi.encodeWithSelector(IIdentityClaims.WalletOfAnother.selector, found, ownerOf[found], person)
            );
            registry.moveIdentity(lost, found);
            return;
        }
        registry.moveIdentity(lost, found);
        ownerOf[found] = person;
        bool isFrozen = _expected[lost].isFrozen || _expected[found].isFrozen;
        bool staysFrozen = _expected[lost].isFrozen;
        _expected[found] = _expected[lost];
        _expected[found].isFrozen = isFrozen;
        delete _expected[lost];
        (_expected[lost].isGivenUp, _expected[lost].isFrozen) = (true, staysFrozen);
    }

    function toggleFreeze(uint256 who) external {
        address wallet = walletAt(who);
        if (_expected[wallet].isFrozen) registry.unfreezeAddress(wallet);
        else registry.freezeAddress(wallet);
        _expected[wallet].isFrozen = !_expected[wallet].isFrozen;
    }

    function wait(uint256 duration) external {
        skipTime(bound(duration, 1, 30));
    }

    /* BOOKS */

    function walletAt(uint256 index) public pure returns (address) {
        return address(uint160(0x1000 + index % WALLETS));
    }

    function expected(address wallet) external view returns (Expected memory) {
        return _expected[wallet];
    }

    function _counts(address wallet) private view returns (bool) {
        return _expected[wallet].isVerified && !_isOver(_expected[wallet].hard);
    }

    function _isClaimActive(address wallet, uint256 slot) private view returns (bool) {
        return _counts(wallet) && _expected[wallet].hashes[slot] != 0 && !_isOver(_expected[wallet].expiries[slot]);
    }

    function _noteVerified(address wallet, uint64 soft, uint64 hard) private {
        Expected storage e = _expected[wallet];
        (e.isVerified, e.soft, e.hard) = (true, soft, hard);
        if (e.person == address(0)) e.person = wallet;
        ownerOf[wallet] = e.person;
        delete e.hashes;
        delete e.expiries;
    }

    /// Near enough for the clock to reach them; each missing in every fourth case.
    function _expiries(uint64 soft, uint64 hard) private view returns (uint64, uint64) {
        uint64 time = uint64(vm.getBlockTimestamp());
        uint64 first = soft % 4 == 0 ? 0 : time + 1 + soft % 60;
        uint64 second = hard % 4 == 0 ? 0 : (first == 0 ? time : first) + 1 + hard % 60;
        return (first, second);
    }

    function _hash() private returns (bytes32) {
        return keccak256(abi.encode(++nonce));
    }

    function _isOver(uint64 expiry) private view returns (bool) {
        return expiry != 0 && expiry <= vm.getBlockTimestamp();
    }
}
