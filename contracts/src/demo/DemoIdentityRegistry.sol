// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AgentRole} from "./AgentRole.sol";
import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title DemoIdentityRegistry
/// @notice Registered means verified: the demo has no claim issuers to consult.
contract DemoIdentityRegistry is IIdentityRegistry, AgentRole {
    /* STORAGE */

    /// @inheritdoc IIdentityRegistry
    mapping(address wallet => address) public identity;

    /// @inheritdoc IIdentityRegistry
    mapping(address wallet => uint16) public investorCountry;

    /* CONSTRUCTOR */

    constructor(address owner_) Ownable(owner_) {}

    /* AGENT FUNCTIONS */

    /// @inheritdoc IIdentityRegistry
    function registerIdentity(address wallet, address identity_, uint16 country) external onlyAgent {
        require(identity_ != address(0), IdentityIsZero());
        require(!contains(wallet), AlreadyRegistered(wallet));
        identity[wallet] = identity_;
        investorCountry[wallet] = country;
        emit IdentityRegistered(wallet, identity_);
        emit CountryUpdated(wallet, country);
    }

    /// @inheritdoc IIdentityRegistry
    function deleteIdentity(address wallet) external onlyAgent {
        require(contains(wallet), NotRegistered(wallet));
        emit IdentityRemoved(wallet, identity[wallet]);
        delete identity[wallet];
        delete investorCountry[wallet];
    }

    /// @inheritdoc IIdentityRegistry
    function updateIdentity(address wallet, address newIdentity) external onlyAgent {
        require(newIdentity != address(0), IdentityIsZero());
        require(contains(wallet), NotRegistered(wallet));
        emit IdentityUpdated(identity[wallet], newIdentity);
        identity[wallet] = newIdentity;
    }

    /// @inheritdoc IIdentityRegistry
    function updateCountry(address wallet, uint16 newCountry) external onlyAgent {
        require(contains(wallet), NotRegistered(wallet));
        investorCountry[wallet] = newCountry;
        emit CountryUpdated(wallet, newCountry);
    }

    /* VIEWS */

    /// @inheritdoc IIdentityRegistry
    function contains(address wallet) public view returns (bool) {
        return identity[wallet] != address(0);
    }

    /// @inheritdoc IIdentityRegistry
    function isVerified(address wallet) external view returns (bool) {
        return contains(wallet);
    }
}
