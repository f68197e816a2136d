// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../base/interfaces/IRoles.sol";
import {StockStorage, stockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";

/// @title StockRoles
/// @dev Every change of a role goes through `_setRole`, so the events of the roles and those of the token agree.
abstract contract StockRoles is IRoles {
    bytes32 public constant DEFAULT_ADMIN_ROLE = 0x00;
    bytes32 public constant ISSUER_ROLE = keccak256("ISSUER_ROLE");
    bytes32 public constant SUB_ISSUER_ROLE = keccak256("SUB_ISSUER_ROLE");
    bytes32 public constant CONTROLLER_ROLE = keccak256("CONTROLLER_ROLE");
    bytes32 public constant LEGAL_OPERATOR_ROLE = keccak256("LEGAL_OPERATOR_ROLE");
    bytes32 public constant AGENT_ROLE = keccak256("AGENT_ROLE");
    uint256 public constant MAX_ISSUERS = 16;

    modifier onlyRole(bytes32 role) {
        _checkRole(role);
        _;
    }

    /* ADMIN FUNCTIONS */

    /// @inheritdoc IRoles
    function grantRole(bytes32 role, address account) external {
        _checkAdminOf(role);
        if (!hasRole(role, account)) _setRole(role, account, true);
    }

    /// @inheritdoc IRoles
    function revokeRole(bytes32 role, address account) external {
        _checkAdminOf(role);
        if (hasRole(role, account)) _setRole(role, account, false);
    }

    /* HOLDER FUNCTIONS */

    /// @inheritdoc IRoles
    function renounceRole(bytes32 role) external {
        _checkRole(role);
        _setRole(role, msg.sender, false);
    }

    /* INTERNAL */

    function _setRole(bytes32 role, address account, bool isGranted) internal {
        require(account != address(0), IStockToken.AccountIsZero());
        require(!isGranted || !hasRole(role, account), IStockToken.AlreadyGranted(role, account));
        stockStorage().isHolderOf[role][account] = isGranted;
        if (isGranted) emit RoleGranted(role, account, msg.sender);
        else emit RoleRevoked(role, account, msg.sender);
        if (role == SUB_ISSUER_ROLE) {
            require(!isGranted || stockStorage().areSubIssuersAllowed, IStockToken.SubIssuersNotAllowed());
            emit IStockToken.SubIssuerUpdated(account, isGranted);
        } else if (role == CONTROLLER_ROLE) {
            emit IStockToken.ControllerUpdated(account, isGranted);
        } else if (role == AGENT_ROLE) {
            if (isGranted) emit IStockToken.AgentAdded(account);
            else emit IStockToken.AgentRemoved(account);
        } else if (role == ISSUER_ROLE) {
            if (isGranted) _addIssuer(account);
            else _removeIssuer(account);
        } else {
            require(role == LEGAL_OPERATOR_ROLE || role == DEFAULT_ADMIN_ROLE, IStockToken.UnknownRole(role));
        }
    }

    function _addIssuer(address account) private {
        address[] storage issuers = stockStorage().issuers;
        require(issuers.length < MAX_ISSUERS, IStockToken.TooManyIssuers(MAX_ISSUERS));
        issuers.push(account);
    }

    /// @dev Keeps the order: `owner` is who has been issuer for longest.
    function _removeIssuer(address account) private {
        address[] storage issuers = stockStorage().issuers;
        uint256 count = issuers.length;
        require(count > 1, IStockToken.LastIssuer());
        bool isPassed;
        for (uint256 i = 0; i < count; ++i) {
            if (isPassed) issuers[i - 1] = issuers[i];
            else isPassed = issuers[i] == account;
        }
        issuers.pop();
    }

    function _checkRole(bytes32 role) internal view {
        require(hasRole(role, msg.sender), NotAuthorized(msg.sender, role));
    }

    function _checkAdminOf(bytes32 role) private view {
        bytes32 adminRole = getRoleAdmin(role);
        require(
            hasRole(DEFAULT_ADMIN_ROLE, msg.sender) || hasRole(adminRole, msg.sender),
            NotAuthorized(msg.sender, adminRole)
        );
    }

    /* VIEWS */

    /// @inheritdoc IRoles
    function hasRole(bytes32 role, address account) public view returns (bool) {
        return stockStorage().isHolderOf[role][account];
    }

    /// @notice Who, besides `DEFAULT_ADMIN_ROLE`, gives and takes the role.
    function getRoleAdmin(bytes32 role) public pure returns (bytes32) {
        bool isIssuers = role == SUB_ISSUER_ROLE || role == CONTROLLER_ROLE || role == AGENT_ROLE;
        return isIssuers ? ISSUER_ROLE : DEFAULT_ADMIN_ROLE;
    }
}
