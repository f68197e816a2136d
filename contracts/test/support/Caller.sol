// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Makes several calls in one transaction, as a multicall, a Safe or a relayer would.
contract Caller {
    struct Call {
        address target;
        uint256 value;
        bytes callData;
    }

    event CallFailed(uint256 indexed position, bytes reason);

    error InnerCallFailed(uint256 position, bytes reason);

    receive() external payable {}

    /// @param allowFailure Whether the transaction succeeds although one of its calls fails.
    function callAll(Call[] calldata calls, bool allowFailure) external payable returns (bool[] memory succeeded) {
        succeeded = new bool[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory answer) = calls[i].target.call{value: calls[i].value}(calls[i].callData);
            require(success || allowFailure, InnerCallFailed(i, answer));
            if (!success) emit CallFailed(i, answer);
            succeeded[i] = success;
        }
    }
}
