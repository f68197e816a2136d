// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Burns all the gas of any call.
contract GasBurnerEverything {
    fallback() external payable {
        while (true) {}
    }
}
