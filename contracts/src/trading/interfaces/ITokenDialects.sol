// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What is asked of tokens, in the dialects they speak. None has to know all of it.
interface ITokenDialects {
    /* ERC-3643 */

    function paused() external view returns (bool);
    function isFrozen(address account) external view returns (bool);
    function getFrozenTokens(address account) external view returns (uint256);
    function identityRegistry() external view returns (address);
    function compliance() external view returns (address);
    function isAgent(address account) external view returns (bool);
    function forcedTransfer(address from, address to, uint256 amount) external returns (bool);

    /* CONTROLLED TOKENS */

    function isController(address account) external view returns (bool);
    function isIssuer(address account) external view returns (bool);
    function forceTransfer(address from, address to, uint256 amount, bytes32 reason) external;
    function hasRole(bytes32 role, address account) external view returns (bool);
    function owner() external view returns (address);

    /* RULES */

    function detectTransferRestriction(address from, address to, uint256 amount) external view returns (uint8);
}

/// @notice The token's own word on a transfer.
interface ITokenWithRules {
    function canTransfer(address from, address to, uint256 amount)
        external
        view
        returns (uint8 code, string memory rule);
}

interface IRegistryDialect {
    function isVerified(address account) external view returns (bool);
}

interface IComplianceDialect {
    function canTransfer(address from, address to, uint256 amount) external view returns (bool);
}
