// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Which wallet took the place of a lost one.
library SuccessionLib {
    /// @dev A reader pays at most 35,000 gas.
    uint256 private constant MOST_STEPS = 16;

    /// @dev A wallet that takes a place has no successor itself, so no path leads in a circle.
    function note(mapping(address lost => address) storage successors, address lostWallet, address newWallet) internal {
        if (successors[newWallet] != address(0)) delete successors[newWallet];
        successors[lostWallet] = newWallet;
    }

    /// @return found Through later losses, 16 steps at most; zero when nobody took the place.
    function latest(mapping(address lost => address) storage successors, address wallet)
        internal
        view
        returns (address found)
    {
        address next = successors[wallet];
        for (uint256 i = 0; i < MOST_STEPS && next != address(0); ++i) {
            (found, next) = (next, successors[next]);
        }
    }
}
