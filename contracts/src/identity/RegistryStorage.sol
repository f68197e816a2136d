// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentityClaims} from "./interfaces/IIdentityClaims.sol";

/// @dev `GIVEN_UP` once the identity was moved to another wallet.
enum Standing {
    NONE,
    VERIFIED,
    REVOKED,
    GIVEN_UP
}

/// @dev Three slots: the hash; who verified whom, and when; what ends it.
struct IdentityRecord {
    bytes32 kycHash;
    address provider;
    uint48 verifiedAt;
    uint16 country;
    IIdentityClaims.InvestorType investorType;
    Standing standing;
    /// @dev Of the wallet: outlives the identity.
    bool isFrozen;
    uint64 softExpiry;
    uint64 hardExpiry;
    /// @dev Where the claims are. Each verification opens a new one, so nothing of a revoked identity comes back.
    uint64 dossier;
}

/// @dev Two slots.
struct ClaimRecord {
    bytes32 dataHash;
    address issuer;
    uint48 issuedAt;
    uint48 expiry;
}

/// @custom:storage-location erc7201:tallystick.storage.IdentityRegistry
struct RegistryStorage {
    bool isPaused;
    uint64 dossiers;
    address[] modules;
    mapping(address user => IdentityRecord) records;
    mapping(uint64 dossier => ClaimRecord[8]) claims;
    /// @dev Whom a wallet stands for when an identity was moved to it; zero: for itself.
    mapping(address user => address) movedPerson;
    mapping(address account => string) names;
    /// @dev Who gave a wallet up. Zero for one that was given up before version 2.
    mapping(address wallet => address) givenUpBy;
    address announcedUpgrade;
    uint64 upgradeReadyAt;
    /// @dev Where the identity of a given-up wallet went, since version 2.
    mapping(address wallet => address) successors;
}

/// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.IdentityRegistry")) - 1)) & ~bytes32(uint256(0xff))
bytes32 constant REGISTRY_SLOT = 0x67222d218dc40c6da88fdc10af52b6cabdf37640377f3fc2f03abfba58ff6f00;

function registryStorage() pure returns (RegistryStorage storage s) {
    assembly ("memory-safe") {
        s.slot := REGISTRY_SLOT
    }
}
