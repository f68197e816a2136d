// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IImplementationSource} from "../../base/interfaces/IServedUpgrade.sol";
import {IFactoryServed} from "./interfaces/IFactoryServed.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @title FactoryServed
/// @dev The factory is an immutable of the implementation: no storage of the proxy can point it elsewhere.
abstract contract FactoryServed is IFactoryServed, Initializable, UUPSUpgradeable {
    /// @inheritdoc IFactoryServed
    address public immutable factory;

    constructor(address factory_) {
        factory = factory_;
        _disableInitializers();
    }

    /* INTERNAL */

    function _checkServed(bytes32 kind, address newImplementation) internal view {
        address served = IImplementationSource(factory).servedImplementation(kind);
        require(newImplementation == served, NotServed(newImplementation, served));
        uint256 newVersion = IFactoryServed(newImplementation).implementationVersion();
        require(newVersion > implementationVersion(), NotAnUpgrade(implementationVersion(), newVersion));
    }

    /* VIEWS */

    /// @inheritdoc IFactoryServed
    function implementationVersion() public view virtual returns (uint256);
}
