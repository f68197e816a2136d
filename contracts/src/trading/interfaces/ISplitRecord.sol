// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What was seen of the splits of tokens that move between wallets.
interface ISplitRecord {
    /* EVENTS */

    /// @notice The token told another ratio than before. Orders that name it, signed until now, are dead.
    event SplitSeen(address indexed token, uint256 generation, uint256 numerator, uint256 denominator);

    /* ANYONE */

    /// @notice Writes down what the token says now. Every settlement does it by itself for both tokens.
    function syncSplit(address token) external;

    /* VIEWS */

    /// @notice What was last seen. A token that never told a ratio is at 1:1.
    /// @return isTold Whether the token ever told a ratio: from then on, nothing settles while it does not.
    /// @return generation How often the ratio changed.
    function splitsSeen(address token)
        external
        view
        returns (bool isTold, uint256 generation, uint256 numerator, uint256 denominator);
}
