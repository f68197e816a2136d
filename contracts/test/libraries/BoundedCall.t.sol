// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../src/libraries/BoundedCall.sol";
import {BaseTest} from "../support/BaseTest.sol";
import {Deployless} from "../support/Deployless.sol";
import {Responder} from "../support/Responder.sol";

/// @dev Has no code of its own to deploy: what comes out of its creation is the answer.
contract AnswersInstead {
    constructor(bytes memory result) {
        BoundedCall.answerFromConstructor(result);
    }
}

contract BoundedCallTest is BaseTest {
    Responder private _responder = new Responder();

    function canAffordWith(uint256 gasLimit, uint256 reserve) external view returns (bool) {
        return BoundedCall.canAfford(gasLimit, reserve);
    }

    /// @dev The reference: Solidity's own call, which copies everything, cut afterwards.
    function _reference(bytes memory callData, uint256 maxReturn) private view returns (bool, uint256, bytes memory) {
        (bool success, bytes memory all) = address(_responder).staticcall(callData);
        uint256 kept = all.length < maxReturn ? all.length : maxReturn;
        bytes memory cut = new bytes(kept);
        for (uint256 i = 0; i < kept; ++i) {
            cut[i] = all[i];
        }
        return (success, all.length, cut);
    }

    function _assertSameAsReference(bytes memory callData, uint256 maxReturn) private view {
        (bool success, uint256 size, bytes memory data) = _reference(callData, maxReturn);
        (bool boundedSuccess, uint256 boundedSize,, bytes memory boundedData) =
            BoundedCall.boundedStaticCall(address(_responder), 1_000_000, maxReturn, callData);
        assertEq(boundedSuccess, success, "success");
        assertEq(boundedSize, size, "size");
        assertEq(boundedData, data, "data");
    }

    function testFuzz_boundedStaticCall_answersLikeSolidity(bytes calldata answer, uint256 maxReturn) public view {
        _assertSameAsReference(abi.encodeCall(Responder.answer, (answer)), bound(maxReturn, 0, 400));
    }

    function testFuzz_boundedStaticCall_failsLikeSolidity(bytes calldata reason, uint256 maxReturn) public view {
        _assertSameAsReference(abi.encodeCall(Responder.fail, (reason)), bound(maxReturn, 0, 400));
    }

    function testFuzz_boundedStaticCall_leavesMemoryAlone(bytes calldata answer, uint256 maxReturn) public view {
        bytes memory before = abi.encode("before", answer);
        bytes32 beforeHash = keccak256(before);
        bytes memory callData = abi.encodeCall(Responder.answer, (answer));
        (,,, bytes memory first) =
            BoundedCall.boundedStaticCall(address(_responder), 1_000_000, bound(maxReturn, 0, 400), callData);
        bytes32 firstHash = keccak256(first);
        (,,, bytes memory second) = BoundedCall.boundedStaticCall(address(_responder), 1_000_000, 400, callData);
        bytes memory fresh = new bytes(64);

        assertEq(keccak256(before), beforeHash, "earlier memory");
        assertEq(keccak256(first), firstHash, "first answer");
        assertEq(keccak256(fresh), keccak256(new bytes(64)), "fresh memory is zero");
        if (answer.length <= 400) assertEq(second, answer, "second answer");
    }

    function testFuzz_boundedWordAndPair_areTheFirstWordsOfTheAnswer(bytes calldata answer) public view {
        bytes memory question = abi.encodeCall(Responder.answer, (answer));
        (bool isAnswered, uint256 value) = BoundedCall.boundedWord(address(_responder), 1_000_000, question);
        assertEq(isAnswered, answer.length >= 32, "one word");
        assertEq(value, isAnswered ? uint256(bytes32(answer)) : 0, "its value");
        (bool isPair, uint256 first, uint256 second) = BoundedCall.boundedPair(address(_responder), 1_000_000, question);
        assertEq(isPair, answer.length >= 64, "two words");
        assertEq(first, isPair ? uint256(bytes32(answer)) : 0, "the first");
        assertEq(second, isPair ? uint256(bytes32(answer[32:])) : 0, "the second");
    }

    /// @dev Fuzzed answers are often shorter than a word.
    function testFuzz_boundedWordAndPair_takeWholeWords(uint256[2] calldata words, uint256 size) public view {
        size = bound(size, 0, 64);
        bytes memory answer = abi.encode(words);
        assembly ("memory-safe") {
            mstore(answer, size)
        }
        this.testFuzz_boundedWordAndPair_areTheFirstWordsOfTheAnswer(answer);
    }

    function testFuzz_boundedWordAndPair_takeNothingFromAFailure(uint256[2] calldata words) public view {
        bytes memory question = abi.encodeCall(Responder.fail, (abi.encode(words)));
        (bool isAnswered, uint256 value) = BoundedCall.boundedWord(address(_responder), 1_000_000, question);
        (bool isPair, uint256 first, uint256 second) = BoundedCall.boundedPair(address(_responder), 1_000_000, question);
        assertFalse(isAnswered || isPair);
        assertEq(value | first | second, 0);
    }

    function test_boundedWordAndPair_takeNothingFromAnAccountWithoutCode() public view {
        (bool isAnswered,) = BoundedCall.boundedWord(address(0xbeef), 100_000, "");
        (bool isPair,,) = BoundedCall.boundedPair(address(0xbeef), 100_000, "");
        assertFalse(isAnswered || isPair);
    }

    function testFuzz_boundedWordAndPair_leaveMemoryAlone(uint256[2] calldata words) public view {
        bytes memory before = abi.encode("before", words);
        bytes32 beforeHash = keccak256(before);
        bytes memory question = abi.encodeCall(Responder.answer, (abi.encode(words)));
        bytes32 questionHash = keccak256(question);
        BoundedCall.boundedWord(address(_responder), 1_000_000, question);
        BoundedCall.boundedPair(address(_responder), 1_000_000, question);
        bytes memory fresh = new bytes(64);

        assertEq(keccak256(before), beforeHash, "earlier memory");
        assertEq(keccak256(question), questionHash, "the question");
        assertEq(keccak256(fresh), keccak256(new bytes(64)), "fresh memory is zero");
    }

    /// @dev The most that can come back is copied by nobody.
    function test_boundedPair_copiesNothingOfAHugeAnswer() public view {
        bytes memory question = abi.encodeCall(Responder.answerZeroes, (1_000_000));
        (,, uint256 gasUsed,) = BoundedCall.boundedStaticCall(address(_responder), 5_000_000, 64, question);
        uint256 gasBefore = gasleft();
        (bool isAnswered,,) = BoundedCall.boundedPair(address(_responder), 5_000_000, question);
        uint256 spent = gasBefore - gasleft();
        assertTrue(isAnswered);
        assertLt(spent, gasUsed + 5_000, "the caller paid for the answer");
    }

    function test_boundedStaticCall_refusesWrites() public view {
        (bool success,,,) =
            BoundedCall.boundedStaticCall(address(_responder), 100_000, 32, abi.encodeCall(Responder.write, ()));
        assertFalse(success);
        assertEq(_responder.counter(), 0);
    }

    function testFuzz_boundedStaticCall_spendsNoMoreThanTheLimit(uint256 gasLimit) public view {
        gasLimit = bound(gasLimit, 0, 2_000_000);
        (bool success,, uint256 gasUsed,) =
            BoundedCall.boundedStaticCall(address(_responder), gasLimit, 32, abi.encodeCall(Responder.burnAll, ()));
        assertFalse(success);
        assertGe(gasUsed, gasLimit);
        assertLe(gasUsed, gasLimit + 3_000);
    }

    function test_boundedStaticCall_copiesNothingOfAHugeAnswer() public view {
        uint256 gasBefore = gasleft();
        (bool success, uint256 size, uint256 gasUsed, bytes memory data) = BoundedCall.boundedStaticCall(
            address(_responder), 5_000_000, 64, abi.encodeCall(Responder.answerZeroes, (1_000_000))
        );
        uint256 spentHere = gasBefore - gasleft() - gasUsed;
        assertTrue(success);
        assertEq(size, 1_000_000);
        assertEq(data, new bytes(64));
        assertLt(spentHere, 5_000, "the caller paid for the answer");
    }

    function testFuzz_canAfford_promisesTheWholeLimit(uint256 frame, uint256 gasLimit, uint256 reserve) public view {
        gasLimit = bound(gasLimit, 0, 3_000_000);
        reserve = bound(reserve, 0, 1_000_000);
        frame = bound(frame, 10_000, 5_000_000);
        // What the callee spends before it looks at its gas.
        uint256 dispatch = 1_000_000 - _responder.requireGas{gas: 1_000_000}(0);
        try this.callIfAffordable{gas: frame}(gasLimit, reserve) returns (bool called, uint256 given, uint256 left) {
            if (!called) return;
            assertEq(given + dispatch, gasLimit, "the callee got less than promised");
            assertGe(left, reserve, "the reserve was touched");
        } catch {
            // A frame too small to ask the question.
            assertLt(frame, 30_000);
        }
    }

    /// @dev Frames around the one that just suffices, where the 1/64 that a caller keeps back decides.
    function test_canAfford_countsWhatTheCallerKeepsBack() public view {
        uint256 gasLimit = 3_000_000;
        uint256 dispatch = 1_000_000 - _responder.requireGas{gas: 1_000_000}(0);
        uint256 calls = 0;
        for (uint256 frame = gasLimit; frame < gasLimit + 80_000; frame += 500) {
            (bool called, uint256 given,) = this.callIfAffordable{gas: frame}(gasLimit, 0);
            if (!called) continue;
            ++calls;
            assertEq(given + dispatch, gasLimit, "the callee got less than promised");
        }
        assertGt(calls, 0, "no frame sufficed");
        assertLt(calls, 160, "every frame sufficed");
    }

    function callIfAffordable(uint256 gasLimit, uint256 reserve)
        external
        view
        returns (bool called, uint256 given, uint256 left)
    {
        bytes memory callData = abi.encodeCall(Responder.requireGas, (0));
        address target = address(_responder);
        if (!BoundedCall.canAfford(gasLimit, reserve)) return (false, 0, 0);
        (bool success,,, bytes memory data) = BoundedCall.boundedStaticCall(target, gasLimit, 32, callData);
        left = gasleft();
        // A limit too small for the callee to answer proves nothing.
        if (!success) return (false, 0, 0);
        return (true, abi.decode(data, (uint256)), left);
    }

    function test_canAfford_isFalseWhenTheReserveIsMissing() public view {
        assertTrue(this.canAffordWith{gas: 1_000_000}(500_000, 400_000));
        assertFalse(this.canAffordWith{gas: 1_000_000}(500_000, 500_000));
        assertFalse(this.canAffordWith{gas: 1_000_000}(1_000_000, 0));
    }

    function testFuzz_answerFromConstructor_isTheWholeAnswer(bytes calldata result) public {
        // EIP-3541: code may not start with 0xef.
        vm.assume(result.length != 0 && result[0] != 0xef);
        bytes memory code = abi.encodePacked(type(AnswersInstead).creationCode, abi.encode(result));
        assertEq(Deployless.run(code), result);
    }
}
