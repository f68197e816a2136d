// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Reads of contracts that may be hostile, all in one `eth_call` and all at one block.
/// @dev Nothing is ever deployed. The call has no `to`; its data is the creation code of `BoundedReader` followed by
/// `abi.encode(reads)`; its answer is what `read` below would return. The function exists for that encoding alone.
///
/// Three limits of the node apply to a creation and therefore to the whole call: 49,152 bytes of data (EIP-3860),
/// 24,576 bytes of answer (EIP-170), and 200 gas for every byte of answer.
interface IBoundedReader {
    enum Outcome {
        OK, // Answered at least one byte and at most `maxReturn`.
        REVERTED, // Failed with gas to spare; `data` holds the first `maxReturn` bytes of the revert data.
        OUT_OF_GAS, // Failed after (almost) the whole `gasLimit`; an invalid opcode looks the same.
        EMPTY, // Succeeded without answering anything.
        TOO_LARGE, // Answered more than `maxReturn`; `data` holds the first `maxReturn` bytes.
        NO_CODE, // The target has no code (yet, any more, or ever).
        SKIPPED, // The read that should have named the target did not answer an address.
        STARVED // Too little gas left in the whole call to give this read its limit. Says nothing about the target.
    }

    /// @param target The contract to read, unless `targetFrom` says otherwise.
    /// @param targetFrom 0 to use `target`; i + 1 to use the address answered by read number i, which must come before.
    /// @param gasLimit Gas the read gets: all of it or it is not made.
    /// @param maxReturn Bytes of the answer that are kept.
    /// @param callData Selector and arguments.
    struct Read {
        address target;
        uint8 targetFrom;
        uint32 gasLimit;
        uint32 maxReturn;
        bytes callData;
    }

    /// @param returnSize Bytes the target answered, kept or not.
    /// @param gasUsed Gas the read cost, the roughly 100 gas of the call itself included.
    /// @param target The contract that was read; zero when the read was skipped.
    /// @param codeSize Bytes of code at `target`.
    struct Answer {
        uint8 outcome;
        uint32 returnSize;
        uint256 gasUsed;
        address target;
        uint256 codeSize;
        bytes data;
    }

    /// @dev The answers could, if every target answered its `maxReturn`, outgrow what a creation may return. Refused
    /// before any read, so that it shows on the first try and not on the day a target turns hostile.
    error AnswersMightNotFit(uint256 worstSize, uint256 maxSize);

    function read(Read[] calldata reads)
        external
        view
        returns (uint256 blockNumber, uint256 timestamp, uint256 chainId, Answer[] memory answers);
}
