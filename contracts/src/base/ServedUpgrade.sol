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

    function _checkServed(bytes32 kind, address newImplementation) internal view {
        address served = IImplementationSource(factory).servedImplementation(kind);
        require(newImplementation == served, NotServed(newImplementation, served));
        uint256 newVersion = IServedUpgrade(newImplementation).version();
        require(newVersion > version(), NotAnUpgrade(version(), newVersion));
    }

    /* VIEWS */

    /// @inheritdoc IServedUpgrade
    function version() public view virtual returns (uint256);
}
