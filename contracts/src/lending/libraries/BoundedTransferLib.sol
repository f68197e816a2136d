// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Transfers that may be refused without stopping the caller.
library BoundedTransferLib {
    /// @dev A security that checks one claim of its holder takes 190,000, each further claim 60,000.
    uint256 internal constant TRANSFER_GAS = 400_000;
    /// @dev Between the check and the call.
    uint256 private constant CALL_GAS = 5_000;

    error TransferNeedsMoreGas();
    error UnexpectedTransfer(address token, uint256 expected, uint256 moved);

    /// @notice Whether exactly `amount` left this contract for `to`.
    /// @dev A caller that starves the token of gas gets a revert, not a refusal that it made itself. A token that moves
    /// another amount than asked reverts the whole call: neither books would be right.
    function tryTransfer(address token, address to, uint256 amount) internal returns (bool) {
        uint256 before = IERC20(token).balanceOf(address(this));
        bytes memory data = abi.encodeCall(IERC20.transfer, (to, amount));
        bool accepted;
        require(gasleft() > TRANSFER_GAS + TRANSFER_GAS / 63 + CALL_GAS, TransferNeedsMoreGas());
        uint256 gasLimit = TRANSFER_GAS;
        assembly ("memory-safe") {
            // At most one word of the answer is copied: long return data would be paid by the caller.
            mstore(0x00, 1)
            accepted := call(gasLimit, token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            accepted := and(accepted, or(iszero(returndatasize()), and(gt(returndatasize(), 0x1f), eq(mload(0x00), 1))))
        }
        uint256 left = IERC20(token).balanceOf(address(this));
        if (left == before) return false;
        require(accepted && before - left == amount, UnexpectedTransfer(token, amount, before - left));
        return true;
    }
}
