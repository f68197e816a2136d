// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Static calls to contracts that may be hostile: the callee can waste neither more gas nor more of the
/// caller's memory than it was given.
library BoundedCall {
    /// @dev What the call costs beside the callee's gas: account access (warm or cold) and the lines around it.
    uint256 private constant CALL_OVERHEAD = 3_000;

    /// @notice Calls `target` with at most `gasLimit` gas and copies at most `maxReturn` bytes of its answer.
    /// @return success Whether the callee returned rather than failed.
    /// @return returnSize Bytes the callee answered, of which `data` holds the first `maxReturn`.
    /// @return gasUsed Gas that left this frame, the price of the call itself included.
    /// @return data The answer or revert data, cut at `maxReturn`.
    function boundedStaticCall(address target, uint256 gasLimit, uint256 maxReturn, bytes memory callData)
        internal
        view
        returns (bool success, uint256 returnSize, uint256 gasUsed, bytes memory data)
    {
        assembly ("memory-safe") {
            let gasBefore := gas()
            // An output area of zero: what Solidity's own staticcall would do, copy everything, is the attack.
            success := staticcall(gasLimit, target, add(callData, 0x20), mload(callData), 0, 0)
            gasUsed := sub(gasBefore, gas())
            returnSize := returndatasize()

            let copied := returnSize
            if gt(copied, maxReturn) { copied := maxReturn }
            data := mload(0x40)
            mstore(data, copied)
            returndatacopy(add(data, 0x20), 0, copied)
            mstore(0x40, and(add(add(data, copied), 0x3f), not(0x1f)))
        }
    }

    /// @notice The first word of an answer, without a copy of it in memory.
    /// @return isAnswered Whether the callee returned at least that much.
    /// @return value Zero when it did not.
    function boundedWord(address target, uint256 gasLimit, bytes memory question)
        internal
        view
        returns (bool isAnswered, uint256 value)
    {
        assembly ("memory-safe") {
            isAnswered := staticcall(gasLimit, target, add(question, 0x20), mload(question), 0x00, 0x20)
            isAnswered := and(isAnswered, gt(returndatasize(), 0x1f))
            value := mul(isAnswered, mload(0x00))
        }
    }

    /// @notice The first two words of an answer, as `boundedWord` does one.
    function boundedPair(address target, uint256 gasLimit, bytes memory question)
        internal
        view
        returns (bool isAnswered, uint256 first, uint256 second)
    {
        assembly ("memory-safe") {
            isAnswered := staticcall(gasLimit, target, add(question, 0x20), mload(question), 0x00, 0x40)
            isAnswered := and(isAnswered, gt(returndatasize(), 0x3f))
            first := mul(isAnswered, mload(0x00))
            second := mul(isAnswered, mload(0x20))
        }
    }

    /// @notice Whether a call made now would really get `gasLimit` and leave at least `reserve` behind.
    /// @dev The EVM silently gives less when 63/64 of what is left is below the limit: a call must not fail for that.
    function canAfford(uint256 gasLimit, uint256 reserve) internal view returns (bool) {
        return gasleft() >= gasLimit + gasLimit / 63 + reserve + CALL_OVERHEAD;
    }

    /// @notice Ends a constructor: the creation answers `result` in the place of deployed code.
    /// @dev Warning: nothing after this call runs.
    function answerFromConstructor(bytes memory result) internal pure {
        assembly ("memory-safe") {
            return(add(result, 0x20), mload(result))
        }
    }
}
