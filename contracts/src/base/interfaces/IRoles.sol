// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Roles of one contract. Whoever holds `DEFAULT_ADMIN_ROLE` gives and takes all of them.
/// @dev Warning: nothing stops the last admin from leaving.
interface IRoles {
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);

    error NotAuthorized(address account, bytes32 role);

    /// @notice Only the admin.
    function grantRole(bytes32 role, address account) external;

    /// @notice Only the admin.
    function revokeRole(bytes32 role, address account) external;

    /// @notice Gives up one of the caller's own roles.
    function renounceRole(bytes32 role) external;

    function hasRole(bytes32 role, address account) external view returns (bool);
}
