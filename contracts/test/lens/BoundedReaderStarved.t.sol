// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IBoundedReader} from "../../src/lens/interfaces/IBoundedReader.sol";
import {ReaderTest} from "../support/ReaderTest.sol";
import {Responder} from "../support/Responder.sol";

/// @notice A read gets all of its gas limit or is not made, and the answers always arrive.
contract BoundedReaderStarvedTest is ReaderTest {
    function _burnerThenNumber(uint32 burnerGas) private view returns (IBoundedReader.Read[] memory reads) {
        reads = new IBoundedReader.Read[](2);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.burnAll, ()));
        reads[0].gasLimit = burnerGas;
        reads[1] = numberRead();
    }

    function test_starved_whenTheLimitExceedsTheFrame() public {
        (,,, IBoundedReader.Answer[] memory answers) =
            decode(this.runLens{gas: 3_000_000}(_burnerThenNumber(4_000_000)));
        assertOutcome(answers[0], IBoundedReader.Outcome.STARVED);
        assertEq(answers[0].gasUsed, 0);
        assertEq(answers[0].target, address(responder));
        assertEq(answers[0].codeSize, address(responder).code.length);
        assertAnswersSeven(answers[1]);
    }

    function test_starved_whenAnEarlierReadAteTheFrame() public {
        IBoundedReader.Read[] memory reads = _burnerThenNumber(2_000_000);
        reads[1].gasLimit = 1_000_000;
        (,,, IBoundedReader.Answer[] memory answers) = decode(this.runLens{gas: 3_400_000}(reads));
        assertOutcome(answers[0], IBoundedReader.Outcome.OUT_OF_GAS);
        assertOutcome(answers[1], IBoundedReader.Outcome.STARVED);
    }

    function test_starved_skipsWhatFollowsAStarvedRead() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](2);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.self, ()));
        reads[0].gasLimit = 4_000_000;
        reads[1] = readAfter(0, abi.encodeCall(Responder.number, ()));
        (,,, IBoundedReader.Answer[] memory answers) = decode(this.runLens{gas: 3_000_000}(reads));
        assertOutcome(answers[0], IBoundedReader.Outcome.STARVED);
        assertOutcome(answers[1], IBoundedReader.Outcome.SKIPPED);
    }

    /// @dev Whatever the frame and the limits: a read that needs 9/10 of its limit is never reported as failed.
    function testFuzz_starved_neverFailsAReadForWantOfGas(uint256 frame, uint256[6] memory limits, uint256 burners)
        public
    {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](limits.length);
        for (uint256 i = 0; i < limits.length; ++i) {
            uint32 gasLimit = uint32(bound(limits[i], 10_000, 2_000_000));
            bool burns = burners >> i & 1 == 1;
            reads[i] = readOf(
                address(responder),
                burns
                    ? abi.encodeCall(Responder.burnAll, ())
                    : abi.encodeCall(Responder.requireGas, (uint256(gasLimit) * 9 / 10))
            );
            reads[i].gasLimit = gasLimit;
        }
        // The least frame in which the lens can be created and its answers paid for, whatever they are.
        (,,, IBoundedReader.Answer[] memory answers) =
            decode(this.runLens{gas: bound(frame, 1_500_000, 14_000_000)}(reads));
        for (uint256 i = 0; i < answers.length; ++i) {
            if (answers[i].outcome == uint8(IBoundedReader.Outcome.STARVED)) continue;
            bool burns = burners >> i & 1 == 1;
            assertOutcome(answers[i], burns ? IBoundedReader.Outcome.OUT_OF_GAS : IBoundedReader.Outcome.OK);
        }
    }

    function test_starved_paysForTheLargestResultAfterBurners() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](40);
        for (uint256 i = 0; i < reads.length; ++i) {
            reads[i] = i % 2 == 0
                ? readOf(address(responder), abi.encodeCall(Responder.answerZeroes, (10_000)))
                : readOf(address(responder), abi.encodeCall(Responder.burnAll, ()));
            reads[i].maxReturn = 352;
        }
        for (uint256 frame = 8_000_000; frame < 12_000_000; frame += 237_000) {
            (,,, IBoundedReader.Answer[] memory answers) = decode(this.runLens{gas: frame}(reads));
            assertEq(answers.length, 40);
        }
    }

    function test_starved_paysForVisitingManyColdAccountsAfterABurner() public {
        IBoundedReader.Read[] memory reads = new IBoundedReader.Read[](90);
        reads[0] = readOf(address(responder), abi.encodeCall(Responder.burnAll, ()));
        reads[0].maxReturn = 0;
        bool burned = false;
        bool starved = false;
        // Limits around the most that the frame can spare.
        for (uint32 gasLimit = 1_500_000; gasLimit < 2_600_000; gasLimit += 10_000) {
            reads[0].gasLimit = gasLimit;
            for (uint256 i = 1; i < reads.length; ++i) {
                // Never visited before, so always cold.
                reads[i] = readOf(address(uint160(uint256(keccak256(abi.encode(gasLimit, i))))), "");
                reads[i].maxReturn = 0;
            }
            (,,, IBoundedReader.Answer[] memory answers) = decode(this.runLens{gas: 8_500_000}(reads));
            assertOutcome(answers[89], IBoundedReader.Outcome.NO_CODE);
            if (answers[0].outcome == uint8(IBoundedReader.Outcome.STARVED)) starved = true;
            else burned = true;
        }
        assertTrue(burned && starved, "the limits miss the border");
    }
}
