// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "./BoundedCall.sol";

/// @notice What a token that may be split says of its splits.
interface ISplitSource {
    function splitRatio() external view returns (uint256 numerator, uint256 denominator);

    function splitHoldersLeft() external view returns (uint256);
}

/// @notice Asks a token for its splits, with bounded gas.
/// @dev A silence has to be the token's own: whoever asks looks first whether it can afford to.
library SplitReads {
    /// @notice All splits so far as one ratio of 128 bits; zeros when the token tells none, or what cannot be one.
    function ratio(address token, uint256 gasLimit) internal view returns (uint256 numerator, uint256 denominator) {
        (, numerator, denominator) =
            BoundedCall.boundedPair(token, gasLimit, abi.encodeCall(ISplitSource.splitRatio, ()));
        if (numerator == 0 || denominator == 0) return (0, 0);
        if (numerator > type(uint128).max || denominator > type(uint128).max) return (0, 0);
    }

    /// @notice How many holders a split under way has not converted yet.
    /// @return isAnswered Whether the token tells at all.
    function holdersLeft(address token, uint256 gasLimit) internal view returns (bool isAnswered, uint256 left) {
        return BoundedCall.boundedWord(token, gasLimit, abi.encodeCall(ISplitSource.splitHoldersLeft, ()));
    }
}
