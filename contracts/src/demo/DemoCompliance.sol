// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICompliance} from "./interfaces/ICompliance.sol";
import {IERC3643} from "./interfaces/IERC3643.sol";
import {IExplainedCompliance} from "./interfaces/IExplainedCompliance.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title DemoCompliance
/// @notice Three rules: countries that may not receive, a maximum balance, a maximum number of holders. 0 is no maximum.
contract DemoCompliance is IExplainedCompliance, Ownable {
    bytes32 public constant COUNTRY_BLOCKED = "COUNTRY_BLOCKED";
    bytes32 public constant MAX_BALANCE = "MAX_BALANCE";
    bytes32 public constant MAX_HOLDERS = "MAX_HOLDERS";

    event CountryBlocked(uint16 indexed country, bool blocked);
    event MaxBalanceSet(uint256 maxBalance);
    event MaxHoldersSet(uint256 maxHolders);

    /* STORAGE */

    /// @inheritdoc ICompliance
    address public getTokenBound;

    uint256 public maxBalance;
    uint256 public maxHolders;
    uint256 public holderCount;
    mapping(uint16 country => bool) public isCountryBlocked;
    mapping(address account => bool) private _isHolder;

    modifier onlyToken() {
        _checkToken();
        _;
    }

    modifier onlyOwnerOrToken(address token) {
        _checkOwnerOrToken(token);
        _;
    }

    /* CONSTRUCTOR */

    constructor(address owner_) Ownable(owner_) {}

    /* OWNER FUNCTIONS */

    function setCountryBlocked(uint16 country, bool blocked) external onlyOwner {
        isCountryBlocked[country] = blocked;
        emit CountryBlocked(country, blocked);
    }

    function setMaxBalance(uint256 newMaxBalance) external onlyOwner {
        maxBalance = newMaxBalance;
        emit MaxBalanceSet(newMaxBalance);
    }

    function setMaxHolders(uint256 newMaxHolders) external onlyOwner {
        maxHolders = newMaxHolders;
        emit MaxHoldersSet(newMaxHolders);
    }

    /// @inheritdoc ICompliance
    function bindToken(address token) external onlyOwnerOrToken(token) {
        require(getTokenBound == address(0), TokenAlreadyBound(getTokenBound));
        getTokenBound = token;
        emit TokenBound(token);
    }

    /// @inheritdoc ICompliance
    function unbindToken(address token) external onlyOwnerOrToken(token) {
        require(isTokenBound(token), NotTheBoundToken(token));
        getTokenBound = address(0);
        emit TokenUnbound(token);
    }

    /* TOKEN FUNCTIONS */

    /// @inheritdoc ICompliance
    function transferred(address from, address to, uint256) external onlyToken {
        _recount(from);
        _recount(to);
    }

    /// @inheritdoc ICompliance
    function created(address to, uint256) external onlyToken {
        _recount(to);
    }

    /// @inheritdoc ICompliance
    function destroyed(address from, uint256) external onlyToken {
        _recount(from);
    }

    /* INTERNAL */

    function _checkToken() internal view {
        require(isTokenBound(msg.sender), NotTheBoundToken(msg.sender));
    }

    function _checkOwnerOrToken(address token) internal view {
        require(msg.sender == owner() || msg.sender == token, NotOwnerOrToken(msg.sender));
    }

    /// @dev Reads the balance rather than adding amounts up, so a self-transfer or a zero amount counts right.
    function _recount(address account) internal {
        bool holds = IERC3643(getTokenBound).balanceOf(account) != 0;
        if (holds == _isHolder[account]) return;
        _isHolder[account] = holds;
        holderCount = holds ? holderCount + 1 : holderCount - 1;
    }

    /* VIEWS */

    /// @inheritdoc ICompliance
    function isTokenBound(address token) public view returns (bool) {
        return token != address(0) && token == getTokenBound;
    }

    /// @inheritdoc ICompliance
    function canTransfer(address from, address to, uint256 amount) external view returns (bool) {
        return brokenRule(from, to, amount) == bytes32(0);
    }

    /// @inheritdoc IExplainedCompliance
    function brokenRule(address from, address to, uint256 amount) public view returns (bytes32) {
        IERC3643 token = IERC3643(getTokenBound);
        if (isCountryBlocked[token.identityRegistry().investorCountry(to)]) return COUNTRY_BLOCKED;
        if (from == to || amount == 0) return bytes32(0);
        if (maxBalance != 0 && token.balanceOf(to) + amount > maxBalance) return MAX_BALANCE;
        bool leaves = _isHolder[from] && token.balanceOf(from) == amount;
        bool joins = !_isHolder[to];
        if (maxHolders != 0 && joins && !leaves && holderCount >= maxHolders) return MAX_HOLDERS;
        return bytes32(0);
    }
}
