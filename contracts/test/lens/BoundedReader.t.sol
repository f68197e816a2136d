// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IBoundedReader} from "../../src/lens/interfaces/IBoundedReader.sol";
import {Deployless} from "../support/Deployless.sol";
import {ReaderTest} from "../support/ReaderTest.sol";
import {Responder} from "../support/Responder.sol";

contract BoundedReaderTest is ReaderTest {
    function test_read_datesTheAnswer() public {
        vm.roll(1_234);
        vm.warp(5_678);
        vm.chainId(99);
        (uint256 blockNumber, uint256 timestamp, uint256 chainId, IBoundedReader.Answer[] memory answers) =
            decode(this.runLens(new IBoundedReader.Read[](0)));
        assertEq(blockNumber, 1_234);
        assertEq(timestamp, 5_678);
        assertEq(chainId, 99);
        assertEq(answers.length, 0);
    }

    function test_read_answersOk() public {
        IBoundedReader.Answer memory answer = readOne(numberRead());
        assertAnswersSeven(answer);
        assertEq(answer.returnSize, 32);
        assertEq(answer.codeSize, address(responder).code.length);
        assertGt(answer.gasUsed, 0);
        assertLt(answer.gasUsed, 3_000);
    }

    function testFuzz_read_keepsAnAnswerUpToItsLimit(bytes calldata data, uint32 maxReturn) public {
        maxReturn = uint32(bound(maxReturn, 0, 300));
        IBoundedReader.Read memory read = readOf(address(responder), abi.encodeCall(Responder.answer, (data)));
        read.maxReturn = maxReturn;
        IBoundedReader.Answer memory answer = readOne(read);
        assertEq(answer.returnSize, data.length);
        if (data.length == 0) {
            assertOutcome(answer, IBoundedReader.Outcome.EMPTY);
            assertEq(answer.data, "");
        } else if (data.length > maxReturn) {
            assertOutcome(answer, IBoundedReader.Outcome.TOO_LARGE);
            assertEq(answer.data, data[:maxReturn]);
        } else {
            assertOutcome(answer, IBoundedReader.Outcome.OK);
            assertEq(answer.data, data);
        }
    }

    function testFuzz_read_keepsRevertDataUpToItsLimit(bytes calldata reason, uint32 maxReturn) public {
        maxReturn = uint32(bound(maxReturn, 0, 300));
        IBoundedReader.Read memory read = readOf(address(responder), abi.encodeCall(Responder.fail, (reason)));
        read.maxReturn = maxReturn;
        IBoundedReader.Answer memory answer = readOne(read);
        assertOutcome(answer, IBoundedReader.Outcome.REVERTED);
        assertEq(answer.returnSize, reason.length);
        assertEq(answer.data, reason.length > maxReturn ? reason[:maxReturn] : reason);
    }

    function test_read_answersRevertedWithTheError() public {
        IBoundedReader.Answer memory answer =
            readOne(readOf(address(responder), abi.encodeCall(Responder.failWithError, (3))));
        assertOutcome(answer, IBoundedReader.Outcome.REVERTED);
        assertEq(answer.data, abi.encodeWithSelector(Responder.AskedToFail.selector, 3));
    }

    function test_read_cannotWrite() public {
        IBoundedReader.Answer memory answer = readOne(readOf(address(responder), abi.encodeCall(Responder.write, ())));
        // A forbidden opcode takes all the gas of its frame, as running out of gas does.
        assertOutcome(answer, IBoundedReader.Outcome.OUT_OF_GAS);
        assertEq(responder.counter(), 0);
    }

    function test_read_answersEmptyForAFunctionWithoutAnswer() public {
        IBoundedReader.Answer memory answer = readOne(readOf(address(responder), abi.encodeCall(Responder.nothing, ())));
        assertOutcome(answer, IBoundedReader.Outcome.EMPTY);
    }

    function test_read_doesNotLetFailuresDisturbLaterReads() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](9);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.failWithError, (1)));
        reads[1] = numberRead();
        reads[2] = readOf(address(responder), abi.encodeCall(Responder.burnAll, ()));
        reads[3] = numberRead();
        reads[4] = readOf(makeAddress("nobody"), "");
        reads[5] = numberRead();
        reads[6] = readOf(address(responder), abi.encodeCall(Responder.answerZeroes, (10_000)));
        reads[7] = readAfter(0, "");
        reads[8] = numberRead();
        IBoundedReader.Answer[] memory answers = readAll(reads);
        assertOutcome(answers[0], IBoundedReader.Outcome.REVERTED);
        assertOutcome(answers[2], IBoundedReader.Outcome.OUT_OF_GAS);
        assertOutcome(answers[4], IBoundedReader.Outcome.NO_CODE);
        assertOutcome(answers[6], IBoundedReader.Outcome.TOO_LARGE);
        assertOutcome(answers[7], IBoundedReader.Outcome.SKIPPED);
        assertAnswersSeven(answers[1]);
        assertAnswersSeven(answers[3]);
        assertAnswersSeven(answers[5]);
        assertAnswersSeven(answers[8]);
    }

    function test_read_refusesReadsWhoseAnswersMightNotFit() public {
        // Head 160, one answer 256: 24,160 bytes of data are the most that fit.
        IBoundedReader.Read memory read = numberRead();
        read.maxReturn = 24_160;
        assertAnswersSeven(readOne(read));

        read.maxReturn = 24_161;
        vm.expectRevert(
            abi.encodeWithSelector(
                Deployless.CreationFailed.selector,
                abi.encodeWithSelector(IBoundedReader.AnswersMightNotFit.selector, 24_608, 24_576)
            )
        );
        this.runLens(only(read));
    }

    function testFuzz_read_neverOutgrowsACreation(uint256 count, uint256 seed) public {
        count = bound(count, 1, 20);
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](count);
        uint256 worst = 160;
        for (uint256 i = 0; i < count; ++i) {
            uint256 maxReturn = uint256(keccak256(abi.encode(seed, i))) % 900;
            reads[i] = readOf(address(responder), abi.encodeCall(Responder.answerZeroes, (10_000)));
            reads[i].maxReturn = uint32(maxReturn);
            worst += 256 + (maxReturn + 31) / 32 * 32;
        }
        // Every target answers all it may: the worst case is the case, to the byte.
        assertEq(this.runLens(reads).length, worst);
    }
}
