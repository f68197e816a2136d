// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {InsuranceFund} from "../InsuranceFund.sol";
import {InterestRateModel} from "../InterestRateModel.sol";
import {LendingFactory} from "../LendingFactory.sol";
import {LendingMarket} from "../LendingMarket.sol";
import {LiquidationRouter} from "../LiquidationRouter.sol";
import {SatelliteDeployer} from "./SatelliteDeployer.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice The one way the suite comes into the world: production scripts, the demo and the tests all run it.
library LendingDeployer {
    struct Suite {
        LendingFactory factory;
        address factoryImplementation;
        address satelliteDeployer;
        address market;
        address model;
        address fund;
        address router;
    }

    /// @param owner The factory's owner; has to be the one who runs this, since it serves the implementations.
    /// @param platformWallet Where the infrastructure fee of every market goes.
    function deploy(address owner, address platformWallet) internal returns (Suite memory suite) {
        suite.satelliteDeployer = address(new SatelliteDeployer());
        suite.factoryImplementation = address(new LendingFactory());
        suite.factory = LendingFactory(
            address(
                new ERC1967Proxy(
                    suite.factoryImplementation,
                    abi.encodeCall(LendingFactory.initialize, (owner, suite.satelliteDeployer))
                )
            )
        );
        address factory = address(suite.factory);
        suite.market = address(new LendingMarket(factory, platformWallet));
        suite.model = address(new InterestRateModel(factory));
        suite.fund = address(new InsuranceFund(factory));
        suite.router = address(new LiquidationRouter(factory));
        suite.factory.setImplementation("market", suite.market);
        suite.factory.setImplementation("rateModel", suite.model);
        suite.factory.setImplementation("insuranceFund", suite.fund);
        suite.factory.setImplementation("router", suite.router);
    }
}
