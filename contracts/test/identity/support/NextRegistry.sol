// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IdentityRegistry} from "../../../src/identity/IdentityRegistry.sol";

contract NextRegistry is IdentityRegistry {
    function version() public pure override returns (uint256) {
        return 3;
    }
}
