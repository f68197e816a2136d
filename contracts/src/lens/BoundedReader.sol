// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../libraries/BoundedCall.sol";
import {IBoundedReader} from "./interfaces/IBoundedReader.sol";

/// @title BoundedReader
/// @notice The lens behind `IBoundedReader.read`: its constructor does all the work and returns the answers.
contract BoundedReader {
    /// @dev EIP-170: the node refuses a creation that returns more.
    uint256 private constant MAX_RESULT_SIZE = 24_576;
    /// @dev Three words of block facts, the offset and the length of the answers.
    uint256 private constant RESULT_HEAD_SIZE = 5 * 32;
    /// @dev Offset in the array, five static words, offset and length of `data`.
    uint256 private constant ANSWER_HEAD_SIZE = 8 * 32;

    /// @dev 200 gas a byte is the price of the "code" this call returns; the rest pays for copying it in memory.
    uint256 private constant GAS_PER_RESULT_BYTE = 220;
    /// @dev Visiting a read without making it: a cold account and the loop around it.
    uint256 private constant GAS_PER_READ = 6_000;
    uint256 private constant GAS_TO_FINISH = 30_000;

    /// @dev Two nested calls may each keep back 1/64: a failure that used 31/32 of its limit ran out of gas inside.
    uint256 private constant OUT_OF_GAS_MARGIN = 32;

    constructor(IBoundedReader.Read[] memory reads) {
        uint256 worstSize = _worstResultSize(reads);
        require(worstSize <= MAX_RESULT_SIZE, IBoundedReader.AnswersMightNotFit(worstSize, MAX_RESULT_SIZE));
        uint256 reserve = GAS_TO_FINISH + GAS_PER_READ * reads.length + GAS_PER_RESULT_BYTE * worstSize;

        IBoundedReader.Answer[] memory answers = new IBoundedReader.Answer[](reads.length);
        for (uint256 i = 0; i < reads.length; ++i) {
            _fill(answers[i], reads[i], _targetOf(reads[i], answers, i), reserve);
        }
        BoundedCall.answerFromConstructor(abi.encode(block.number, block.timestamp, block.chainid, answers));
    }

    /* INTERNAL */

    function _worstResultSize(IBoundedReader.Read[] memory reads) private pure returns (uint256 size) {
        size = RESULT_HEAD_SIZE + ANSWER_HEAD_SIZE * reads.length;
        for (uint256 i = 0; i < reads.length; ++i) {
            size += (uint256(reads[i].maxReturn) + 31) / 32 * 32;
        }
    }

    /// @dev The zero address when the read cannot be made because the read it follows named no address.
    function _targetOf(IBoundedReader.Read memory read, IBoundedReader.Answer[] memory answers, uint256 position)
        private
        pure
        returns (address)
    {
        if (read.targetFrom == 0) return read.target;
        uint256 source = read.targetFrom - 1;
        if (source >= position) return address(0);
        IBoundedReader.Answer memory answer = answers[source];
        if (answer.outcome != uint8(IBoundedReader.Outcome.OK) || answer.data.length != 32) return address(0);
        uint256 word = uint256(bytes32(answer.data));
        // forge-lint: disable-next-line(unsafe-typecast)
        return word > type(uint160).max ? address(0) : address(uint160(word));
    }

    function _fill(
        IBoundedReader.Answer memory answer,
        IBoundedReader.Read memory read,
        address target,
        uint256 reserve
    ) private view {
        if (target == address(0) && read.targetFrom != 0) {
            answer.outcome = uint8(IBoundedReader.Outcome.SKIPPED);
            return;
        }
        answer.target = target;
        answer.codeSize = target.code.length;
        if (answer.codeSize == 0) {
            answer.outcome = uint8(IBoundedReader.Outcome.NO_CODE);
        } else if (!BoundedCall.canAfford(read.gasLimit, reserve)) {
            answer.outcome = uint8(IBoundedReader.Outcome.STARVED);
        } else {
            answer.outcome = uint8(_call(answer, read));
        }
    }

    function _call(IBoundedReader.Answer memory answer, IBoundedReader.Read memory read)
        private
        view
        returns (IBoundedReader.Outcome)
    {
        (bool success, uint256 returnSize, uint256 gasUsed, bytes memory data) =
            BoundedCall.boundedStaticCall(answer.target, read.gasLimit, read.maxReturn, read.callData);
        // The callee paid for its answer's memory out of a 32-bit gas limit, so the size fits 32 bits by far.
        // forge-lint: disable-next-line(unsafe-typecast)
        answer.returnSize = uint32(returnSize);
        answer.gasUsed = gasUsed;
        answer.data = data;

        if (!success) {
            return gasUsed + read.gasLimit / OUT_OF_GAS_MARGIN >= read.gasLimit
                ? IBoundedReader.Outcome.OUT_OF_GAS
                : IBoundedReader.Outcome.REVERTED;
        }
        if (returnSize == 0) return IBoundedReader.Outcome.EMPTY;
        return returnSize > read.maxReturn ? IBoundedReader.Outcome.TOO_LARGE : IBoundedReader.Outcome.OK;
    }
}
