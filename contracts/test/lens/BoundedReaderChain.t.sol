// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IBoundedReader} from "../../src/lens/interfaces/IBoundedReader.sol";
import {ReaderTest} from "../support/ReaderTest.sol";
import {Responder} from "../support/Responder.sol";

/// @notice Reads whose target another read answers.
contract BoundedReaderChainTest is ReaderTest {
    bytes private _askNumber = abi.encodeCall(Responder.number, ());

    function _readAfterAnswer(bytes memory answer) private returns (IBoundedReader.Answer memory) {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](2);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.answer, (answer)));
        reads[1] = readAfter(0, _askNumber);
        return readAll(reads)[1];
    }

    function _assertSkipped(IBoundedReader.Answer memory answer) private pure {
        assertOutcome(answer, IBoundedReader.Outcome.SKIPPED);
        assertEq(answer.target, address(0));
        assertEq(answer.gasUsed, 0);
        assertEq(answer.codeSize, 0);
        assertEq(answer.data, "");
    }

    function test_chain_followsAnAnsweredAddress() public {
        assertAnswersSeven(_readAfterAnswer(abi.encode(address(responder))));
    }

    function test_chain_followsAChainOfThree() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](3);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.self, ()));
        reads[1] = readAfter(0, abi.encodeCall(Responder.self, ()));
        reads[2] = readAfter(1, _askNumber);
        assertAnswersSeven(readAll(reads)[2]);
    }

    function test_chain_ignoresTheFixedTargetOfAChainedRead() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](2);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.self, ()));
        reads[1] = readAfter(0, _askNumber);
        reads[1].target = makeAddress("ignored");
        assertAnswersSeven(readAll(reads)[1]);
    }

    function test_chain_answersNoCodeForAnAddressWithoutCode() public {
        address nobody = makeAddress("nobody");
        IBoundedReader.Answer memory answer = _readAfterAnswer(abi.encode(nobody));
        assertOutcome(answer, IBoundedReader.Outcome.NO_CODE);
        assertEq(answer.target, nobody);
    }

    function test_chain_skipsAfterTheZeroAddress() public {
        _assertSkipped(_readAfterAnswer(abi.encode(address(0))));
    }

    function testFuzz_chain_skipsAfterDirtyUpperBytes(uint96 upper) public {
        vm.assume(upper != 0);
        uint256 word = uint256(upper) << 160 | uint160(address(responder));
        _assertSkipped(_readAfterAnswer(abi.encode(word)));
    }

    function testFuzz_chain_skipsAfterAnAnswerThatIsNotOneWord(uint256 size) public {
        size = bound(size, 0, 255);
        vm.assume(size != 32);
        bytes memory answer = new bytes(size);
        bytes memory word = abi.encode(address(responder));
        for (uint256 i = 0; i < size; ++i) {
            answer[i] = word[i % 32];
        }
        _assertSkipped(_readAfterAnswer(answer));
    }

    function test_chain_skipsAfterAnAddressCutOutOfALargerAnswer() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](2);
        bytes memory twoWords = abi.encode(address(responder), address(responder));
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.answer, (twoWords)));
        reads[0].maxReturn = 32;
        reads[1] = readAfter(0, _askNumber);
        _assertSkipped(readAll(reads)[1]);
    }

    function test_chain_skipsAfterAnAddressInRevertData() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](2);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.fail, (abi.encode(address(responder)))));
        reads[1] = readAfter(0, _askNumber);
        _assertSkipped(readAll(reads)[1]);
    }

    function test_chain_skipsAfterASkippedRead() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](3);
        reads[0] = readOf(makeAddress("nobody"), "");
        reads[1] = readAfter(0, _askNumber);
        reads[2] = readAfter(1, _askNumber);
        IBoundedReader.Answer[] memory answers = readAll(reads);
        _assertSkipped(answers[1]);
        _assertSkipped(answers[2]);
    }

    function test_chain_skipsAReadThatFollowsItselfOrALaterOne() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](3);
        reads[0] = readAfter(0, _askNumber);
        reads[1] = readAfter(2, _askNumber);
        reads[2] = readOf(address(responder), abi.encodeCall(Responder.self, ()));
        IBoundedReader.Answer[] memory answers = readAll(reads);
        _assertSkipped(answers[0]);
        _assertSkipped(answers[1]);
        assertOutcome(answers[2], IBoundedReader.Outcome.OK);
    }

    function test_chain_skipsAReadThatFollowsNone() public {
        _assertSkipped(readOne(readAfter(200, _askNumber)));
    }
}
