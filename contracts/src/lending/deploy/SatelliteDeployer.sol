// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../CustodyAdapter.sol";
import {FreezeAdapter} from "../FreezeAdapter.sol";
import {SecurityPriceOracle} from "../SecurityPriceOracle.sol";

/// @notice Creates adapters that keep collateral in custody. Holds their code, as one contract cannot hold that of all parts.
contract CustodyAdapterDeployer {
    function deploy(address market, address token) external returns (address) {
        return address(new CustodyAdapter(market, token));
    }
}

/// @notice Creates adapters that freeze collateral in the wallet.
contract FreezeAdapterDeployer {
    function deploy(address market, address token) external returns (address) {
        return address(new FreezeAdapter(market, token));
    }
}

/// @notice Creates the parts of a market that are not upgradeable. Stateless; anyone may call it.
/// @dev Outside the factory, whose code has no room for theirs.
contract SatelliteDeployer {
    CustodyAdapterDeployer private immutable custody = new CustodyAdapterDeployer();
    FreezeAdapterDeployer private immutable freeze = new FreezeAdapterDeployer();

    function deployOracle(address market, uint256 initialPrice) external returns (address) {
        return address(new SecurityPriceOracle(market, initialPrice));
    }

    function deployFreezeAdapter(address market, address token) external returns (address) {
        return freeze.deploy(market, token);
    }

    function deployCustodyAdapter(address market, address token) external returns (address) {
        return custody.deploy(market, token);
    }
}
