// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BaseTest} from "../../support/BaseTest.sol";

/// @notice Puts implementations in place as they were released.
abstract contract ReleasedStocks is BaseTest {
    string private constant FOLDER = "test/fixtures/stocks/released/";

    function _deployReleased(string memory name, bytes memory arguments) internal returns (address deployed) {
        string memory file = vm.readFile(string.concat(FOLDER, name, ".1.json"));
        bytes memory code = abi.encodePacked(vm.parseJsonBytes(file, ".bytecode"), arguments);
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        require(deployed != address(0), "ReleasedStocks: not deployed");
    }

    /// @dev The token's code says where they are.
    function _placeReleasedLibraries() internal {
        string[5] memory names = ["RefusalModule", "ControlModule", "IssuanceModule", "SetupModule", "SplitModule"];
        for (uint160 i = 0; i < 5; ++i) {
            vm.etch(address(0x5701a1 + i), _deployReleased(names[i], "").code);
        }
    }
}
