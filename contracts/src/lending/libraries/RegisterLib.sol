// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../libraries/BoundedCall.sol";

/// @notice Asks a register whether a wallet is verified. Registers answer `bool` or `(bool, uint8)`.
library RegisterLib {
    /// @dev A register that checks one claim takes 120,000, each further claim 59,000: room for twelve.
    uint256 private constant GAS_LIMIT = 800_000;

    error RegisterNeedsMoreGas();

    /// @dev A register that cannot answer refuses everyone. One that was starved has not answered, even if it said no:
    /// registers catch calls of their own that run out of gas.
    function isVerified(address register, address account) internal view returns (bool) {
        uint256 left = gasleft();
        bool isEnough = BoundedCall.canAfford(GAS_LIMIT, 0);
        (bool success, uint256 returnSize, uint256 gasUsed, bytes memory data) = BoundedCall.boundedStaticCall(
            register, GAS_LIMIT, 32, abi.encodeWithSignature("isVerified(address)", account)
        );
        if (success && returnSize >= 32 && abi.decode(data, (uint256)) == 1) return true;
        require(isEnough || gasUsed <= left / 2, RegisterNeedsMoreGas());
        return false;
    }
}
