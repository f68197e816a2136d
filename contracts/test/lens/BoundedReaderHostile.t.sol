// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IBoundedReader} from "../../src/lens/interfaces/IBoundedReader.sol";
import {ReaderTest} from "../support/ReaderTest.sol";
import {Responder} from "../support/Responder.sol";
import {GasBurnerEverything} from "../support/hostile/GasBurnerEverything.sol";
import {HugeName, HugeRevert} from "../support/hostile/OddTokens.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @notice Targets that try to break the call for everyone else in it.
contract BoundedReaderHostileTest is ReaderTest {
    bytes private _askName = abi.encodeCall(IERC20Metadata.name, ());

    /// @dev The hostile read, then an honest one that must not notice.
    function _readThenNumber(IBoundedReader.Read memory hostile) private returns (IBoundedReader.Answer memory answer) {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](2);
        reads[0] = hostile;
        reads[1] = numberRead();
        IBoundedReader.Answer[] memory answers = readAll(reads);
        assertAnswersSeven(answers[1]);
        return answers[0];
    }

    function test_hostile_cutsAnAnswerOfTenMegabytes() public {
        IBoundedReader.Read memory read = readOf(address(new HugeName(10_000_000)), _askName);
        read.gasLimit = 250_000_000;
        IBoundedReader.Answer memory answer = _readThenNumber(read);
        assertOutcome(answer, IBoundedReader.Outcome.TOO_LARGE);
        assertEq(answer.returnSize, 10_000_064);
        assertEq(answer.data.length, 256);
    }

    function test_hostile_cutsRevertDataOfOneMegabyte() public {
        IBoundedReader.Read memory read = readOf(address(new HugeRevert(1_000_000)), _askName);
        read.gasLimit = 3_000_000;
        IBoundedReader.Answer memory answer = _readThenNumber(read);
        assertOutcome(answer, IBoundedReader.Outcome.REVERTED);
        assertEq(answer.returnSize, 1_000_000);
        assertEq(answer.data.length, 256);
    }

    function test_hostile_stopsAGasBurnerAtItsLimit() public {
        IBoundedReader.Answer memory answer = _readThenNumber(readOf(address(new GasBurnerEverything()), _askName));
        assertOutcome(answer, IBoundedReader.Outcome.OUT_OF_GAS);
        assertGe(answer.gasUsed, 100_000);
        assertLt(answer.gasUsed, 100_300);
    }

    function testFuzz_hostile_tellsAGasBurnerBehindTwoCalls(uint32 gasLimit, bool twice) public {
        IBoundedReader.Read memory read =
            readOf(address(responder), abi.encodeCall(Responder.burnAllInside, (twice ? 1 : 0)));
        read.gasLimit = uint32(bound(gasLimit, 100_000, 5_000_000));
        IBoundedReader.Answer memory answer = _readThenNumber(read);
        assertOutcome(answer, IBoundedReader.Outcome.OUT_OF_GAS);
    }

    function test_hostile_answersNoCodeForAnEmptyAccount() public {
        IBoundedReader.Answer memory answer = _readThenNumber(readOf(makeAddress("nobody"), _askName));
        assertOutcome(answer, IBoundedReader.Outcome.NO_CODE);
        assertEq(answer.codeSize, 0);
        assertEq(answer.target, makeAddress("nobody"));
    }

    function test_hostile_answersNoCodeForTheZeroAddress() public {
        assertOutcome(_readThenNumber(readOf(address(0), _askName)), IBoundedReader.Outcome.NO_CODE);
    }

    function test_hostile_answersNoCodeOnceTheCodeIsGone() public {
        address target = address(new Responder());
        assertOutcome(_readThenNumber(readOf(target, abi.encodeCall(Responder.number, ()))), IBoundedReader.Outcome.OK);
        vm.etch(target, "");
        IBoundedReader.Answer memory answer = _readThenNumber(readOf(target, abi.encodeCall(Responder.number, ())));
        assertOutcome(answer, IBoundedReader.Outcome.NO_CODE);
    }

    function test_hostile_answersNoCodeForAContractThatDestroyedItselfAtBirth() public {
        address target;
        bytes memory callerThenSelfdestruct = hex"33ff";
        assembly ("memory-safe") {
            target := create(0, add(callerThenSelfdestruct, 0x20), mload(callerThenSelfdestruct))
        }
        assertNotEq(target, address(0));
        assertOutcome(_readThenNumber(readOf(target, _askName)), IBoundedReader.Outcome.NO_CODE);
    }

    function test_hostile_answersNoCodeForAPrecompile() public {
        assertOutcome(_readThenNumber(readOf(address(4), "echo")), IBoundedReader.Outcome.NO_CODE);
    }
}
