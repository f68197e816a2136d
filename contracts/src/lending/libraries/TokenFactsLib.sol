// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../libraries/BoundedCall.sol";
import {SplitReads} from "../../libraries/SplitReads.sol";

/// @notice A token that knows which wallet took another's place.
interface ISuccessionSource {
    function successorOf(address wallet) external view returns (address);
}

/// @notice Asks a share for what other tokens do not tell: its splits, and who took a lost wallet's place. A token that
/// does not answer has neither.
library TokenFactsLib {
    /// @dev Ours takes 12,000, behind its proxy.
    uint256 private constant GETTER_GAS = 40_000;
    /// @dev A token that asks its registry in turn.
    uint256 private constant SUCCESSOR_GAS = 250_000;

    error TokenNeedsMoreGas();

    /// @notice All splits so far as one ratio; zeros when the token tells none.
    function splitRatio(address token) internal view returns (uint256 numerator, uint256 denominator) {
        _requireGas(GETTER_GAS);
        return SplitReads.ratio(token, GETTER_GAS);
    }

    /// @return isAnswered Whether the token tells at all.
    /// @return isUnderWay Whether some holders are converted and some are not.
    function splitState(address token) internal view returns (bool isAnswered, bool isUnderWay) {
        _requireGas(GETTER_GAS);
        uint256 left;
        (isAnswered, left) = SplitReads.holdersLeft(token, GETTER_GAS);
        isUnderWay = left != 0;
    }

    /// @notice The wallet that took the place of a lost one by the token's own record, or zero.
    function successorOf(address token, address wallet) internal view returns (address) {
        bytes memory question = abi.encodeCall(ISuccessionSource.successorOf, (wallet));
        _requireGas(SUCCESSOR_GAS);
        (, uint256 successor) = BoundedCall.boundedWord(token, SUCCESSOR_GAS, question);
        // forge-lint: disable-next-line(unsafe-typecast)
        return successor > type(uint160).max ? address(0) : address(uint160(successor));
    }

    /// @dev A silence has to be the token's own.
    function _requireGas(uint256 gasLimit) private view {
        require(BoundedCall.canAfford(gasLimit, 0), TokenNeedsMoreGas());
    }
}
