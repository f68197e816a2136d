// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Books in shares that may be split: they grow with every split that the share tells of.
interface ISplitFollower {
    event SplitFollowed(uint256 numerator, uint256 denominator);

    /// @notice Whether the collateral is a share that tells its splits.
    function followsSplits() external view returns (bool);

    /// @notice Whether these are the splits that the books know of.
    function splitsKnown(uint256 numerator, uint256 denominator) external view returns (bool);

    /// @notice When the last split was taken into the books: a price from before values other shares. Zero: none was.
    function splitAt() external view returns (uint256);
}
