// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ServedUpgrade} from "../../../src/base/ServedUpgrade.sol";
import {ComplianceModule} from "../../../src/stocks/ComplianceModule.sol";
import {stockStorage} from "../../../src/stocks/StockStorage.sol";
import {IImplementationVersioned} from "../../../src/stocks/base/interfaces/IImplementationVersioned.sol";

/// @notice A later token that can do nothing but read what the earlier one kept, and be upgraded by anyone.
contract NextStock is ServedUpgrade, IImplementationVersioned {
    uint256 private immutable _version;

    constructor(address factory_, uint256 version_) ServedUpgrade(factory_) {
        _version = version_;
    }

    function _authorizeUpgrade(address newImplementation) internal view override {
        _checkServed(
            "stockToken", implementationVersion(), IImplementationVersioned(newImplementation).implementationVersion
        );
    }

    function totalSupply() external view returns (uint256) {
        return stockStorage().totalSupply;
    }

    function holders() external view returns (address[] memory) {
        return stockStorage().holders;
    }

    function implementationVersion() public view returns (uint256) {
        return _version;
    }
}

contract NextModule is ComplianceModule {
    constructor(address factory_) ComplianceModule(factory_) {}

    function implementationVersion() public pure override returns (uint256) {
        return 3;
    }
}
