// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IImplementationSource, IServedUpgrade} from "./interfaces/IServedUpgrade.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @title ServedUpgrade
/// @dev The factory is an immutable of the implementation: no storage of the proxy can point it elsewhere.
abstract contract ServedUpgrade is IServedUpgrade, Initializable, UUPSUpgradeable {
    /// @inheritdoc IServedUpgrade
    address public immutable factory;

    constructor(address factory_) {
        factory = factory_;
        _disableInitializers();
    }

    /* INTERNAL */

    /// @param versionOfNew The getter of the new implementation: families name theirs differently. It is asked only when
    /// the factory serves that implementation.
    function _checkServed(bytes32 kind, uint256 currentVersion, function() external view returns (uint256) versionOfNew)
        internal
        view
    {
        address newImplementation = versionOfNew.address;
        address served = IImplementationSource(factory).servedImplementation(kind);
        require(newImplementation == served, NotServed(newImplementation, served));
        uint256 newVersion = versionOfNew();
        require(newVersion > currentVersion, NotAnUpgrade(currentVersion, newVersion));
    }
}
