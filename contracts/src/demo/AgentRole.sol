// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IAgentRole} from "./interfaces/IAgentRole.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title AgentRole
abstract contract AgentRole is IAgentRole, Ownable {
    /* STORAGE */

    /// @inheritdoc IAgentRole
    mapping(address account => bool) public isAgent;

    modifier onlyAgent() {
        _checkAgent();
        _;
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc IAgentRole
    function addAgent(address agent) external onlyOwner {
        require(agent != address(0), AgentIsZero());
        require(!isAgent[agent], AlreadyAgent(agent));
        isAgent[agent] = true;
        emit AgentAdded(agent);
    }

    /// @inheritdoc IAgentRole
    function removeAgent(address agent) external onlyOwner {
        require(isAgent[agent], NotAgent(agent));
        isAgent[agent] = false;
        emit AgentRemoved(agent);
    }

    /* INTERNAL */

    function _checkAgent() internal view {
        require(isAgent[msg.sender], NotAgent(msg.sender));
    }
}
