// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A proxy that moves only to what its factory serves, and only forward.
interface IFactoryServed {
    error NotServed(address implementation, address served);
    error NotAnUpgrade(uint256 currentVersion, uint256 newVersion);

    /// @notice Rises with every implementation. Not `version`, which is a string in ERC-3643.
    function implementationVersion() external view returns (uint256);

    /// @notice The factory whose implementations this proxy may run.
    function factory() external view returns (address);
}
