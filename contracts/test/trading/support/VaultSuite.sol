// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TradingVault} from "../../../src/trading/TradingVault.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice Carries the creation code of the vault, so that the test contracts need not.
contract VaultSuite {
    address public immutable implementation;
    TradingVault public immutable vault;

    constructor(address admin, address operator, address feeRecipient) {
        implementation = address(new TradingVault());
        bytes memory initialisation = abi.encodeCall(ITradingVault.initialize, (admin, operator, feeRecipient));
        vault = TradingVault(address(new ERC1967Proxy(implementation, initialisation)));
    }
}
