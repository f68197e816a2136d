// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Calls that a token may refuse without stopping the caller. A call that was starved is no refusal.
library AttemptLib {
    /// @dev Between the measurement and the call.
    uint256 private constant CALL_GAS = 5_000;

    /// @notice Calls `token` with at most `gasLimit`, or with what there is.
    /// @return isAccepted Whether the call went through and did not answer `false`.
    /// @return isStarved Whether it failed perhaps for want of gas only.
    /// @dev Each frame keeps 1/64 of the gas it was given, so running out some frames below still uses most of it. With
    /// half of the limit, and half of that left over, a failure is the token's own too.
    function attempt(address token, bytes memory data, uint256 gasLimit)
        internal
        returns (bool isAccepted, bool isStarved)
    {
        uint256 left = gasleft();
        uint256 given = left > CALL_GAS ? (left - CALL_GAS) / 64 * 63 : 0;
        if (given > gasLimit) given = gasLimit;
        uint256 used;
        assembly ("memory-safe") {
            // At most one word of the answer is copied: long return data would be paid by the caller.
            mstore(0x00, 1)
            used := gas()
            isAccepted := call(given, token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            used := sub(used, gas())
            isAccepted := and(
                isAccepted,
                or(iszero(returndatasize()), and(gt(returndatasize(), 0x1f), eq(mload(0x00), 1)))
            )
        }
        isStarved = !isAccepted && given < gasLimit && (given < gasLimit / 2 || used > given / 2);
    }
}
