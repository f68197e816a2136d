// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentitySource} from "../../base/interfaces/IIdentitySource.sol";
import {BoundedCall} from "../../libraries/BoundedCall.sol";

/// @notice Asks compliance modules, any of which may be hostile.
library ModuleLib {
    uint256 private constant GAS_LIMIT = 100_000;

    uint8 internal constant REFUSED = 10;
    uint8 internal constant FAILED = 11;

    /// @notice 0 when all agree, or why one does not, and which. The first that does not ends the asking, so gas is burnt
    /// once at most.
    function firstObjection(address[] storage modules, bytes memory question)
        internal
        view
        returns (uint8 reason, address module)
    {
        uint256 count = modules.length;
        for (uint256 i = 0; i < count; ++i) {
            module = modules[i];
            reason = _objection(module, question);
            if (reason != 0) return (reason, module);
        }
        return (0, address(0));
    }

    /// @dev A module that was starved has not answered, even if it said no: it may catch calls that run out of gas.
    function _objection(address module, bytes memory question) private view returns (uint8) {
        uint256 left = gasleft();
        bool isEnough = BoundedCall.canAfford(GAS_LIMIT, 0);
        (bool success, uint256 returnSize, uint256 gasUsed, bytes memory data) =
            BoundedCall.boundedStaticCall(module, GAS_LIMIT, 32, question);
        bool isAnswer = success && returnSize == 32;
        uint256 answer = isAnswer ? abi.decode(data, (uint256)) : 0;
        if (answer == 1) return 0;
        require(isEnough || gasUsed <= left / 2, IIdentitySource.CheckNeedsMoreGas());
        return isAnswer && answer == 0 ? REFUSED : FAILED;
    }
}
