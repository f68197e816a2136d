// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Agents as ERC-3643 defines them: appointed by the owner, they run the daily business of a contract.
interface IAgentRole {
    event AgentAdded(address indexed agent);
    event AgentRemoved(address indexed agent);

    error NotAgent(address account);
    error AlreadyAgent(address account);
    error AgentIsZero();

    /// @notice Only the owner.
    function addAgent(address agent) external;

    /// @notice Only the owner.
    function removeAgent(address agent) external;

    function isAgent(address account) external view returns (bool);
}
