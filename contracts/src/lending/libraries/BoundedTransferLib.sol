// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AttemptLib} from "../../libraries/AttemptLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Transfers that may be refused without stopping the caller.
library BoundedTransferLib {
    /// @dev A security that checks one claim of its holder takes 190,000, each further claim 59,000: room for ten.
    uint256 internal constant TRANSFER_GAS = 800_000;

    error TransferNeedsMoreGas();
    error UnexpectedTransfer(address token, uint256 expected, uint256 moved);

    /// @notice Whether exactly `amount` left this contract for `to`.
    /// @dev A caller that starves the token of gas gets a revert, not a refusal that it made itself. A token that moves
    /// another amount than asked reverts the whole call: neither books would be right.
    function tryTransfer(address token, address to, uint256 amount) internal returns (bool) {
        uint256 before = IERC20(token).balanceOf(address(this));
        (bool isAccepted, bool isStarved) =
            AttemptLib.attempt(token, abi.encodeCall(IERC20.transfer, (to, amount)), TRANSFER_GAS);
        require(!isStarved, TransferNeedsMoreGas());
        uint256 left = IERC20(token).balanceOf(address(this));
        if (left == before) return false;
        require(isAccepted && before - left == amount, UnexpectedTransfer(token, amount, before - left));
        return true;
    }
}
