// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {AgentRole} from "./AgentRole.sol";
import {ICompliance} from "./interfaces/ICompliance.sol";
import {IERC3643} from "./interfaces/IERC3643.sol";
import {IExplainedCompliance} from "./interfaces/IExplainedCompliance.sol";
import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title DemoSecurity
/// @notice A security of the demo: ERC-20 with the permissions of ERC-3643.
contract DemoSecurity is IERC3643, ERC20, AgentRole {
    /* CONSTANTS AND IMMUTABLES */

    string public constant version = "1.0.0";
    bytes32 private constant UNEXPLAINED = "UNEXPLAINED";

    uint8 private immutable _decimals;

    /* STORAGE */

    /// @inheritdoc IERC3643
    IIdentityRegistry public identityRegistry;
    /// @inheritdoc IERC3643
    ICompliance public compliance;
    /// @inheritdoc IERC3643
    address public onchainID;
    /// @inheritdoc IERC3643
    bool public paused;
    /// @inheritdoc IERC3643
    mapping(address account => bool) public isFrozen;
    /// @inheritdoc IERC3643
    mapping(address account => uint256) public getFrozenTokens;

    modifier whenNotPaused() {
        _checkNotPaused();
        _;
    }

    /* CONSTRUCTOR */

    /// @dev Nobody is an agent yet, and `compliance_` is bound here, so it must not be bound to another token.
    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        address identityRegistry_,
        address compliance_,
        address onchainID_,
        address owner_
    ) ERC20(name_, symbol_) Ownable(owner_) {
        _decimals = decimals_;
        _setIdentityRegistry(identityRegistry_);
        _setCompliance(compliance_);
        _setOnchainID(onchainID_);
    }

    /* HOLDER FUNCTIONS */

    /// @inheritdoc IERC20
    function transfer(address to, uint256 amount) public override(ERC20, IERC20) whenNotPaused returns (bool) {
        _checkTransfer(msg.sender, to, amount);
        super.transfer(to, amount);
        compliance.transferred(msg.sender, to, amount);
        return true;
    }

    /// @inheritdoc IERC20
    function transferFrom(address from, address to, uint256 amount)
        public
        override(ERC20, IERC20)
        whenNotPaused
        returns (bool)
    {
        _checkTransfer(from, to, amount);
        super.transferFrom(from, to, amount);
        compliance.transferred(from, to, amount);
        return true;
    }

    /* AGENT FUNCTIONS */

    /// @inheritdoc IERC3643
    function pause() external onlyAgent whenNotPaused {
        paused = true;
        emit Paused(msg.sender);
    }

    /// @inheritdoc IERC3643
    function unpause() external onlyAgent {
        require(paused, TokenNotPaused());
        paused = false;
        emit Unpaused(msg.sender);
    }

    /// @inheritdoc IERC3643
    function setAddressFrozen(address account, bool freeze) external onlyAgent {
        isFrozen[account] = freeze;
        emit AddressFrozen(account, freeze, msg.sender);
    }

    /// @inheritdoc IERC3643
    function freezePartialTokens(address account, uint256 amount) external onlyAgent {
        uint256 free = _freeBalance(account);
        require(amount <= free, FreeBalanceTooLow(account, free, amount));
        getFrozenTokens[account] += amount;
        emit TokensFrozen(account, amount);
    }

    /// @inheritdoc IERC3643
    function unfreezePartialTokens(address account, uint256 amount) external onlyAgent {
        uint256 frozen = getFrozenTokens[account];
        require(amount <= frozen, FrozenBalanceTooLow(account, frozen, amount));
        _release(account, amount);
    }

    /// @inheritdoc IERC3643
    function forcedTransfer(address from, address to, uint256 amount) external onlyAgent returns (bool) {
        require(identityRegistry.isVerified(to), RecipientNotVerified(to));
        _releaseShortfall(from, amount);
        _transfer(from, to, amount);
        compliance.transferred(from, to, amount);
        return true;
    }

    /// @inheritdoc IERC3643
    function mint(address to, uint256 amount) external onlyAgent {
        require(identityRegistry.isVerified(to), RecipientNotVerified(to));
        _mint(to, amount);
        compliance.created(to, amount);
    }

    /// @inheritdoc IERC3643
    function burn(address account, uint256 amount) external onlyAgent {
        _releaseShortfall(account, amount);
        _burn(account, amount);
        compliance.destroyed(account, amount);
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc IERC3643
    function setOnchainID(address newOnchainID) external onlyOwner {
        _setOnchainID(newOnchainID);
    }

    /// @inheritdoc IERC3643
    function setIdentityRegistry(address newIdentityRegistry) external onlyOwner {
        _setIdentityRegistry(newIdentityRegistry);
    }

    /// @inheritdoc IERC3643
    function setCompliance(address newCompliance) external onlyOwner {
        compliance.unbindToken(address(this));
        _setCompliance(newCompliance);
    }

    /* INTERNAL */

    function _checkNotPaused() internal view {
        require(!paused, TokenPaused());
    }

    function _checkTransfer(address from, address to, uint256 amount) internal view {
        require(!isFrozen[from], WalletFrozen(from));
        require(!isFrozen[to], WalletFrozen(to));
        uint256 free = _freeBalance(from);
        require(amount <= free, FreeBalanceTooLow(from, free, amount));
        require(identityRegistry.isVerified(to), RecipientNotVerified(to));
        if (!compliance.canTransfer(from, to, amount)) {
            revert ComplianceRefused(address(compliance), _ruleThatRefuses(from, to, amount));
        }
    }

    /// @dev A compliance contract that only knows the standard has no `brokenRule`.
    function _ruleThatRefuses(address from, address to, uint256 amount) internal view returns (bytes32) {
        try IExplainedCompliance(address(compliance)).brokenRule(from, to, amount) returns (bytes32 rule) {
            return rule;
        } catch {
            return UNEXPLAINED;
        }
    }

    /// @dev Nothing is released when even the whole balance is too low: the move that follows then fails by itself.
    function _releaseShortfall(address account, uint256 amount) internal {
        uint256 free = _freeBalance(account);
        if (amount > free && amount <= balanceOf(account)) _release(account, amount - free);
    }

    function _release(address account, uint256 amount) internal {
        getFrozenTokens[account] -= amount;
        emit TokensUnfrozen(account, amount);
    }

    function _setOnchainID(address newOnchainID) internal {
        onchainID = newOnchainID;
        emit UpdatedTokenInformation(name(), symbol(), _decimals, version, newOnchainID);
    }

    function _setIdentityRegistry(address newIdentityRegistry) internal {
        identityRegistry = IIdentityRegistry(newIdentityRegistry);
        emit IdentityRegistryAdded(newIdentityRegistry);
    }

    function _setCompliance(address newCompliance) internal {
        compliance = ICompliance(newCompliance);
        emit ComplianceAdded(newCompliance);
        compliance.bindToken(address(this));
    }

    /* VIEWS */

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function _freeBalance(address account) internal view returns (uint256) {
        return balanceOf(account) - getFrozenTokens[account];
    }
}
