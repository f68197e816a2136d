// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "./interfaces/IRoles.sol";

/// @title Roles
abstract contract Roles is IRoles {
    /// @custom:storage-location erc7201:tallystick.storage.Roles
    struct RolesStorage {
        mapping(bytes32 role => mapping(address account => bool)) isHolder;
    }

    bytes32 public constant DEFAULT_ADMIN_ROLE = 0x00;

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.Roles")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant ROLES_SLOT = 0x53fcb8b9e4771f6ab514341e7c03201fb0d46ebb8ab1afd8e4772df462d55200;

    modifier onlyRole(bytes32 role) {
        _checkRole(role);
        _;
    }

    /* ADMIN FUNCTIONS */

    /// @inheritdoc IRoles
    function grantRole(bytes32 role, address account) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _grantRole(role, account);
    }

    /// @inheritdoc IRoles
    function revokeRole(bytes32 role, address account) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _revokeRole(role, account);
    }

    /* HOLDER FUNCTIONS */

    /// @inheritdoc IRoles
    function renounceRole(bytes32 role) external {
        _revokeRole(role, msg.sender);
    }

    /* INTERNAL */

    function _grantRole(bytes32 role, address account) internal {
        if (hasRole(role, account)) return;
        _rolesStorage().isHolder[role][account] = true;
        emit RoleGranted(role, account, msg.sender);
    }

    function _revokeRole(bytes32 role, address account) private {
        if (!hasRole(role, account)) return;
        _rolesStorage().isHolder[role][account] = false;
        emit RoleRevoked(role, account, msg.sender);
    }

    function _checkRole(bytes32 role) internal view {
        require(hasRole(role, msg.sender), NotAuthorized(msg.sender, role));
    }

    function _rolesStorage() private pure returns (RolesStorage storage s) {
        assembly ("memory-safe") {
            s.slot := ROLES_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc IRoles
    function hasRole(bytes32 role, address account) public view returns (bool) {
        return _rolesStorage().isHolder[role][account];
    }
}
