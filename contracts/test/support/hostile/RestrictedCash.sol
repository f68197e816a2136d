// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice Looks like a plain ERC-20 to whoever asks the usual questions, and is paused, blocked and judged by its owner.
contract RestrictedCash is ERC20 {
    error Refused();

    address public immutable owner;
    address public ruleEngine;
    bool public paused;
    mapping(address account => bool) public isBlacklisted;
    uint256 public snapshots;

    constructor() ERC20("", "") {
        owner = msg.sender;
        _mint(msg.sender, 1_000e18);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, Refused());
        _;
    }

    function pause() external onlyOwner {
        paused = true;
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
    }

    function setRuleEngine(address ruleEngine_) external onlyOwner {
        ruleEngine = ruleEngine_;
    }

    function snapshot() external onlyOwner returns (uint256) {
        return ++snapshots;
    }

    /// @dev Written into the code, so that a proxy answers them too.
    function name() public pure override returns (string memory) {
        return "Restricted Cash";
    }

    function symbol() public pure override returns (string memory) {
        return "RCASH";
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!paused && !isBlacklisted[from] && !isBlacklisted[to] && ruleEngine == address(0), Refused());
        super._update(from, to, amount);
    }
}
