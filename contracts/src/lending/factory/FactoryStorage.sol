// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AssetData, Deployment} from "../interfaces/ILendingFactory.sol";

/// @notice The first claim of a market, which others have to wait for.
struct Priority {
    address signer;
    uint40 until;
}

/// @custom:storage-location erc7201:tallystick.storage.LendingFactory
struct FactoryStorage {
    address owner;
    address pendingOwner;
    address satelliteDeployer;
    uint16 creatorRateCeilingBps;
    uint80 openFee;
    uint80 repayFee;
    address[] markets;
    mapping(bytes32 kind => address) served;
    mapping(address market => Deployment) deployments;
    mapping(address market => address[]) candidates;
    mapping(address market => mapping(address candidate => bool)) isNominated;
    mapping(address market => mapping(address signer => mapping(bytes32 commitment => uint256))) committedAt;
    mapping(address market => Priority) priorities;
    mapping(address market => AssetData) assetData;
}

/// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.LendingFactory")) - 1)) & ~bytes32(uint256(0xff))
bytes32 constant FACTORY_SLOT = 0xe32b2c10d72aac4e16f593d768917a07cf329b734d1111e780597dbec1486800;

function factoryStorage() pure returns (FactoryStorage storage s) {
    assembly ("memory-safe") {
        s.slot := FACTORY_SLOT
    }
}
