// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A proxy that moves only to what its factory serves, and only forward.
interface IServedUpgrade {
    error NotServed(address implementation, address served);
    error NotAnUpgrade(uint256 currentVersion, uint256 newVersion);

    /// @notice The factory whose implementations this proxy may run.
    function factory() external view returns (address);
}

/// @notice What a proxy asks its factory.
interface IImplementationSource {
    /// @notice The implementation that proxies of `kind` may run now, or zero.
    function servedImplementation(bytes32 kind) external view returns (address);
}
