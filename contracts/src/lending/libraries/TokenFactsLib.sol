// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../libraries/BoundedCall.sol";

/// @notice What a share says about itself that other tokens do not: its splits, and which wallet took another's place.
interface IShareFacts {
    function splitRatio() external view returns (uint256 numerator, uint256 denominator);

    function splitHoldersLeft() external view returns (uint256);

    function successorOf(address wallet) external view returns (address);
}

/// @notice Asks a token for such facts. One that does not answer has none.
library TokenFactsLib {
    /// @dev Ours takes 12,000, behind its proxy.
    uint256 private constant GETTER_GAS = 40_000;
    /// @dev A token that asks its registry in turn.
    uint256 private constant SUCCESSOR_GAS = 250_000;

    error TokenNeedsMoreGas();

    /// @notice All splits so far as one ratio; zeros when the token tells none.
    function splitRatio(address token) internal view returns (uint256 numerator, uint256 denominator) {
        (bool isAnswered, bytes memory answer) = _ask(token, abi.encodeCall(IShareFacts.splitRatio, ()), 2, GETTER_GAS);
        if (!isAnswered) return (0, 0);
        (numerator, denominator) = abi.decode(answer, (uint256, uint256));
        bool isRatio =
            numerator != 0 && denominator != 0 && numerator <= type(uint128).max && denominator <= type(uint128).max;
        if (!isRatio) return (0, 0);
    }

    /// @return isAnswered Whether the token tells at all.
    /// @return isUnderWay Whether some holders are converted and some are not.
    function splitState(address token) internal view returns (bool isAnswered, bool isUnderWay) {
        bytes memory answer;
        (isAnswered, answer) = _ask(token, abi.encodeCall(IShareFacts.splitHoldersLeft, ()), 1, GETTER_GAS);
        if (isAnswered) isUnderWay = abi.decode(answer, (uint256)) != 0;
    }

    /// @notice The wallet that took the place of a lost one by the token's own record, or zero.
    function successorOf(address token, address wallet) internal view returns (address) {
        (bool isAnswered, bytes memory answer) =
            _ask(token, abi.encodeCall(IShareFacts.successorOf, (wallet)), 1, SUCCESSOR_GAS);
        uint256 successor = isAnswered ? abi.decode(answer, (uint256)) : 0;
        // forge-lint: disable-next-line(unsafe-typecast)
        return successor > type(uint160).max ? address(0) : address(uint160(successor));
    }

    /// @dev A silence has to be the token's own.
    function _ask(address token, bytes memory question, uint256 words, uint256 gasLimit)
        private
        view
        returns (bool isAnswered, bytes memory answer)
    {
        require(BoundedCall.canAfford(gasLimit, 0), TokenNeedsMoreGas());
        uint256 size;
        (isAnswered, size,, answer) = BoundedCall.boundedStaticCall(token, gasLimit, words * 32, question);
        isAnswered = isAnswered && size >= words * 32;
    }
}
