// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TradingVault} from "../../../src/trading/TradingVault.sol";

/// @notice The vault of today under a later number: what a proxy may be upgraded to, and goes on.
contract LaterVault is TradingVault {
    function version() public pure override returns (uint256) {
        return 1_000;
    }
}
