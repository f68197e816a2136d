// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockFactory} from "../../../src/stocks/StockFactory.sol";
import {StockDeployer} from "../../../src/stocks/deploy/StockDeployer.sol";

/// @notice Carries the creation code of the whole suite, so that the test contracts need not.
contract StockSuite {
    StockFactory public immutable factory;

    constructor(address owner) {
        factory = StockDeployer.deploy(address(this));
        factory.transferOwnership(owner);
    }
}
