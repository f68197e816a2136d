// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../libraries/BoundedCall.sol";
import {ISignedOrders} from "../interfaces/ISignedOrders.sol";

/// @notice Reads of foreign contracts. No answer is no value: whoever asks decides what silence means.
library TokenReads {
    /// @dev A getter, behind a proxy that asks a third contract for its implementation.
    uint256 internal constant GETTER_GAS = 100_000;
    /// @dev Ten claims of a T-REX identity.
    uint256 internal constant RULE_GAS = 700_000;

    /// @dev Reverts when a callee would get less than `gasLimit`: a silence must be the callee's own.
    function requireGas(uint256 gasLimit) internal view {
        require(BoundedCall.canAfford(gasLimit, 0), ISignedOrders.NeedsMoreGas());
    }

    function word(address target, bytes memory question, uint256 gasLimit)
        internal
        view
        returns (bool isAnswered, uint256 value)
    {
        requireGas(gasLimit);
        return BoundedCall.boundedWord(target, gasLimit, question);
    }

    /// @notice Up to `most` words of an answer that has at least `least`.
    function words(address target, bytes memory question, uint256 gasLimit, uint256 least, uint256 most)
        internal
        view
        returns (bool isAnswered, bytes memory answer)
    {
        requireGas(gasLimit);
        bool success;
        uint256 size;
        (success, size,, answer) = BoundedCall.boundedStaticCall(target, gasLimit, most * 32, question);
        isAnswered = success && size >= least * 32;
    }

    function getter(address target, bytes memory question) internal view returns (bool isAnswered, uint256 value) {
        return word(target, question, GETTER_GAS);
    }

    /// @notice Whether the answer is a plain `true`.
    function isTrue(address target, bytes memory question, uint256 gasLimit) internal view returns (bool) {
        (bool isAnswered, uint256 value) = word(target, question, gasLimit);
        return isAnswered && value == 1;
    }

    /// @notice Whether the answer is a plain `false`.
    function isFalse(address target, bytes memory question) internal view returns (bool) {
        (bool isAnswered, uint256 value) = getter(target, question);
        return isAnswered && value == 0;
    }

    /// @notice An address with code, or zero.
    function contractAt(address target, bytes memory question) internal view returns (address found) {
        (bool isAnswered, uint256 value) = getter(target, question);
        if (!isAnswered || value > type(uint160).max) return address(0);
        // forge-lint: disable-next-line(unsafe-typecast)
        found = address(uint160(value));
        if (found.code.length == 0) return address(0);
    }
}
