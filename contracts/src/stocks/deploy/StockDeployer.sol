// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ComplianceModule} from "../ComplianceModule.sol";
import {StockFactory} from "../StockFactory.sol";
import {StockToken} from "../StockToken.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice The one way the suite comes into the world.
library StockDeployer {
    /// @param owner The factory's owner; has to be the one who runs this, since it serves the implementations.
    function deploy(address owner) internal returns (StockFactory factory) {
        address implementation = address(new StockFactory());
        factory =
            StockFactory(address(new ERC1967Proxy(implementation, abi.encodeCall(StockFactory.initialize, (owner)))));
        factory.setImplementation("stockToken", address(new StockToken(address(factory))));
        factory.setImplementation("complianceModule", address(new ComplianceModule(address(factory))));
    }
}
