// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A rule that the identity registry asks about every transfer, issue and redemption by a sub-issuer, of every stock.
interface IRegistryModule {
    /// @notice Asked by a static call with 100,000 gas. Anything but 32 bytes of `true` or `false` counts as a failure.
    /// @param from Zero when securities are issued.
    /// @param to Zero when a sub-issuer redeems.
    function canTransfer(address from, address to, uint256 amount, uint256 fromBalance, uint256 toBalance)
        external
        view
        returns (bool);
}
