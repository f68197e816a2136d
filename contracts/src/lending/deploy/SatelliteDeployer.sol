// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../CustodyAdapter.sol";
import {FreezeAdapter} from "../FreezeAdapter.sol";
import {SecurityPriceOracle} from "../SecurityPriceOracle.sol";

/// @notice Holds the code of adapters that keep collateral in custody: one contract cannot hold that of all parts.
library CustodyAdapterCode {
    function create(address market, address token) external returns (address) {
        return address(new CustodyAdapter(market, token));
    }
}

/// @notice Holds the code of adapters that freeze collateral in the wallet.
library FreezeAdapterCode {
    function create(address market, address token) external returns (address) {
        return address(new FreezeAdapter(market, token));
    }
}

/// @notice Creates the parts of a market that are not upgradeable. Stateless; anyone may call it.
/// @dev Outside the factory, whose code has no room for theirs.
contract SatelliteDeployer {
    function deployOracle(address market, uint256 initialPrice) external returns (address) {
        return address(new SecurityPriceOracle(market, initialPrice));
    }

    function deployFreezeAdapter(address market, address token) external returns (address) {
        return FreezeAdapterCode.create(market, token);
    }

    function deployCustodyAdapter(address market, address token) external returns (address) {
        return CustodyAdapterCode.create(market, token);
    }
}
