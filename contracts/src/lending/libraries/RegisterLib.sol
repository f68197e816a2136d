// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../libraries/BoundedCall.sol";

/// @notice Asks a register whether a wallet is verified. Registers answer `bool` or `(bool, uint8)`.
library RegisterLib {
    uint256 private constant GAS_LIMIT = 500_000;
    uint256 private constant GAS_RESERVE = 50_000;

    error RegisterNeedsMoreGas();

    /// @dev A register that cannot answer refuses everyone; one that was only given too little gas is asked again.
    function isVerified(address register, address account) internal view returns (bool) {
        (bool success, uint256 returnSize, uint256 gasUsed, bytes memory data) = BoundedCall.boundedStaticCall(
            register, GAS_LIMIT, 32, abi.encodeWithSignature("isVerified(address)", account)
        );
        if (success) return returnSize >= 32 && abi.decode(data, (uint256)) == 1;
        require(gasUsed >= GAS_LIMIT || gasleft() >= GAS_RESERVE, RegisterNeedsMoreGas());
        return false;
    }
}
