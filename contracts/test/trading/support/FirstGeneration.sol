// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {BaseTest} from "../../support/BaseTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice What version 1 of the vault said in words that version 2 has no more.
interface IFirstVault {
    function saltPrefix(address token) external view returns (bytes4);
    function initialize(address admin, address operator, address feeRecipient) external;
    function version() external view returns (uint256);
    function addToken(address token, TransferRules rules, bool splits) external;
}

/// @notice Deploys the vault as it was first released, from the code that was.
abstract contract FirstGeneration is BaseTest {
    string private constant FILE = "test/fixtures/trading/first-generation.json";

    function _firstVault(address admin, address operator, address feeRecipient) internal returns (address) {
        string memory released = vm.readFile(FILE);
        bytes memory module = vm.parseJsonBytes(released, ".VaultModule");
        // The code of the vault names its library by an address.
        address place = address(bytes20(vm.parseJsonBytes(released, ".module")));
        vm.etch(place, _created(module).code);
        address implementation = _created(vm.parseJsonBytes(released, ".TradingVault"));
        bytes memory initialisation = abi.encodeCall(IFirstVault.initialize, (admin, operator, feeRecipient));
        return address(new ERC1967Proxy(implementation, initialisation));
    }

    function _created(bytes memory code) private returns (address created) {
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        require(created != address(0), "not created");
    }
}
