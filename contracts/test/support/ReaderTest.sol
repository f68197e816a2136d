// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedReader} from "../../src/lens/BoundedReader.sol";
import {IBoundedReader} from "../../src/lens/interfaces/IBoundedReader.sol";
import {BaseTest} from "./BaseTest.sol";
import {Deployless} from "./Deployless.sol";
import {Responder} from "./Responder.sol";

/// @notice Builds reads and runs the lens on them, with as much gas as a test wants it to have.
abstract contract ReaderTest is BaseTest {
    Responder internal responder = new Responder();

    function runLens(IBoundedReader.Read[] calldata reads) external returns (bytes memory) {
        return Deployless.run(abi.encodePacked(type(BoundedReader).creationCode, abi.encode(reads)));
    }

    function readAll(IBoundedReader.Read[] memory reads) internal returns (IBoundedReader.Answer[] memory answers) {
        (,,, answers) = decode(this.runLens(reads));
    }

    function readOne(IBoundedReader.Read memory read) internal returns (IBoundedReader.Answer memory) {
        return readAll(only(read))[0];
    }

    function decode(bytes memory result)
        internal
        pure
        returns (uint256 blockNumber, uint256 timestamp, uint256 chainId, IBoundedReader.Answer[] memory answers)
    {
        return abi.decode(result, (uint256, uint256, uint256, IBoundedReader.Answer[]));
    }

    function only(IBoundedReader.Read memory read) internal pure returns (IBoundedReader.Read[] memory reads) {
        reads = new IBoundedReader.Read[](1);
        reads[0] = read;
    }

    function readOf(address target, bytes memory callData) internal pure returns (IBoundedReader.Read memory) {
        return IBoundedReader.Read(target, 0, 100_000, 256, callData);
    }

    /// @dev Reads `callData` on the address that read number `source` answers.
    function readAfter(uint8 source, bytes memory callData) internal pure returns (IBoundedReader.Read memory) {
        return IBoundedReader.Read(address(0), source + 1, 100_000, 256, callData);
    }

    function numberRead() internal view returns (IBoundedReader.Read memory) {
        return readOf(address(responder), abi.encodeCall(Responder.number, ()));
    }

    function assertOutcome(IBoundedReader.Answer memory answer, IBoundedReader.Outcome expected) internal pure {
        assertEq(answer.outcome, uint256(expected), "outcome");
    }

    function assertAnswersSeven(IBoundedReader.Answer memory answer) internal view {
        assertOutcome(answer, IBoundedReader.Outcome.OK);
        assertEq(answer.data, abi.encode(uint256(7)));
        assertEq(answer.target, address(responder));
    }
}
