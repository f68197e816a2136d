// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ServedUpgrade} from "../base/ServedUpgrade.sol";
import {CONTROLLERS, StockStorage, stockStorage} from "./StockStorage.sol";
import {StockERC20} from "./base/StockERC20.sol";
import {StockRoles} from "./base/StockRoles.sol";
import {StockViews} from "./base/StockViews.sol";
import {IImplementationVersioned} from "./base/interfaces/IImplementationVersioned.sol";
import {IComplianceModule} from "./interfaces/IComplianceModule.sol";
import {IStockToken} from "./interfaces/IStockToken.sol";
import {LedgerLib} from "./libraries/LedgerLib.sol";
import {ControlModule} from "./modules/ControlModule.sol";
import {IssuanceModule} from "./modules/IssuanceModule.sol";
import {SetupModule} from "./modules/SetupModule.sol";
import {SplitModule} from "./modules/SplitModule.sol";

/// @title StockToken
/// @dev Says who may call what, and when; the modules, linked libraries over one storage, say what happens. Calls that
/// leave the token are static, or the last thing it does.
contract StockToken is StockERC20, StockRoles, StockViews, ServedUpgrade, IImplementationVersioned {
    using LedgerLib for StockStorage;

    /* CONSTANTS */

    bytes32 public constant KIND = "stockToken";

    modifier whenNotPaused() {
        _checkNotPaused();
        _;
    }

    modifier whenNoSplit() {
        _checkNoSplit();
        _;
    }

    /* CONSTRUCTOR */

    constructor(address factory_) ServedUpgrade(factory_) {}

    /// @inheritdoc IStockToken
    function initialize(StockTerms calldata terms, address module) external initializer {
        SetupModule.initialize(stockStorage(), terms, module);
        _setRole(DEFAULT_ADMIN_ROLE, terms.issuer, true);
        _setRole(ISSUER_ROLE, terms.issuer, true);
        address operator = terms.legalOperator == address(0) ? terms.issuer : terms.legalOperator;
        _setRole(LEGAL_OPERATOR_ROLE, operator, true);
    }

    /* ISSUER AND SUB-ISSUER FUNCTIONS */

    /// @inheritdoc IStockToken
    function issue(address to, uint256 amount, bytes32 reason) external whenNotPaused whenNoSplit {
        IssuanceModule.issue(stockStorage(), _countedSubIssuer(), to, amount, reason);
    }

    /// @inheritdoc IStockToken
    function batchIssue(address[] calldata recipients, uint256[] calldata amounts, bytes32 reason)
        external
        whenNotPaused
        whenNoSplit
        returns (uint256)
    {
        return IssuanceModule.batchIssue(stockStorage(), _countedSubIssuer(), recipients, amounts, reason);
    }

    /// @inheritdoc IStockToken
    function redeem(uint256 amount, bytes32 reason) external whenNotPaused whenNoSplit {
        _redeem(msg.sender, amount, reason);
    }

    /// @inheritdoc IStockToken
    function redeemFrom(address account, uint256 amount, bytes32 reason) external whenNotPaused whenNoSplit {
        _redeem(account, amount, reason);
    }

    /* CONTROLLER FUNCTIONS */

    /// @inheritdoc IStockToken
    function freezeTokens(address account, uint256 amount) external onlyRole(CONTROLLER_ROLE) whenNoSplit {
        ControlModule.freeze(stockStorage(), account, CONTROLLERS, amount);
    }

    /// @inheritdoc IStockToken
    function unfreezeTokens(address account, uint256 amount) external onlyRole(CONTROLLER_ROLE) whenNoSplit {
        ControlModule.unfreeze(stockStorage(), account, CONTROLLERS, amount);
    }

    /// @inheritdoc IStockToken
    function forceTransfer(address from, address to, uint256 amount, bytes32 reason)
        external
        onlyRole(CONTROLLER_ROLE)
        whenNoSplit
    {
        ControlModule.forceTransfer(stockStorage(), from, to, amount, reason);
    }

    /* ISSUER FUNCTIONS */

    /// @inheritdoc IStockToken
    function redeemFor(address subIssuer, address account, uint256 amount, bytes32 reason)
        external
        onlyRole(ISSUER_ROLE)
        whenNotPaused
        whenNoSplit
    {
        require(subIssuer != address(0), AccountIsZero());
        IssuanceModule.redeem(stockStorage(), subIssuer, account, amount, reason);
    }

    /// @inheritdoc IStockToken
    function pause() external onlyRole(ISSUER_ROLE) whenNotPaused {
        stockStorage().isPaused = true;
        emit Paused(msg.sender);
    }

    /// @inheritdoc IStockToken
    function unpause() external onlyRole(ISSUER_ROLE) {
        require(stockStorage().isPaused, TokenNotPaused());
        stockStorage().isPaused = false;
        emit Unpaused(msg.sender);
    }

    /// @inheritdoc IStockToken
    function stockSplit(uint256 numerator, uint256 denominator, uint256 maxHolders)
        external
        onlyRole(ISSUER_ROLE)
        whenNotPaused
        whenNoSplit
    {
        SplitModule.start(stockStorage(), numerator, denominator, maxHolders);
    }

    /// @inheritdoc IStockToken
    function addSubIssuer(address account) external onlyRole(ISSUER_ROLE) {
        _setRole(SUB_ISSUER_ROLE, account, true);
    }

    /// @inheritdoc IStockToken
    function removeSubIssuer(address account) external onlyRole(ISSUER_ROLE) {
        require(hasRole(SUB_ISSUER_ROLE, account), NotSubIssuer(account));
        _setRole(SUB_ISSUER_ROLE, account, false);
    }

    /// @inheritdoc IStockToken
    function addController(address account) external onlyRole(ISSUER_ROLE) {
        _setRole(CONTROLLER_ROLE, account, true);
    }

    /// @inheritdoc IStockToken
    function removeController(address account) external onlyRole(ISSUER_ROLE) {
        require(hasRole(CONTROLLER_ROLE, account), NotController(account));
        _setRole(CONTROLLER_ROLE, account, false);
    }

    /// @inheritdoc IStockToken
    function setSubIssuerCap(address subIssuer, uint256 cap) external onlyRole(ISSUER_ROLE) whenNoSplit {
        require(subIssuer != address(0), AccountIsZero());
        IssuanceModule.setCap(stockStorage(), subIssuer, cap);
    }

    /// @inheritdoc IStockToken
    function setSubIssuersAllowed(bool allowed) external onlyRole(ISSUER_ROLE) {
        SetupModule.setSubIssuersAllowed(stockStorage(), allowed);
    }

    /// @inheritdoc IStockToken
    function announceIdentityRegistry(address newRegistry) external onlyRole(ISSUER_ROLE) {
        SetupModule.announceIdentityRegistry(stockStorage(), newRegistry);
    }

    /// @inheritdoc IStockToken
    function setIdentityRegistry(address newRegistry) external onlyRole(ISSUER_ROLE) {
        SetupModule.exchangeIdentityRegistry(stockStorage(), newRegistry);
    }

    /// @inheritdoc IStockToken
    function setComplianceModule(address newModule) external onlyRole(ISSUER_ROLE) {
        SetupModule.setComplianceModule(stockStorage(), newModule);
    }

    /// @inheritdoc IStockToken
    function setMetadataURI(string calldata newURI) external onlyRole(ISSUER_ROLE) {
        SetupModule.setMetadataURI(stockStorage(), newURI);
    }

    /// @inheritdoc IStockToken
    function addAuthorizedContract(address account) external onlyRole(ISSUER_ROLE) {
        SetupModule.setAuthorized(stockStorage(), account, true);
    }

    /// @inheritdoc IStockToken
    function removeAuthorizedContract(address account) external onlyRole(ISSUER_ROLE) {
        SetupModule.setAuthorized(stockStorage(), account, false);
    }

    /// @inheritdoc IStockToken
    function setDefaultLimits(uint256 maxHolding, uint256 minHolding) external onlyRole(ISSUER_ROLE) {
        _module().setDefaultLimits(maxHolding, minHolding);
    }

    /// @inheritdoc IStockToken
    function setUserLimits(address account, uint256 maxHolding, uint256 minHolding) external onlyRole(ISSUER_ROLE) {
        _module().setUserLimits(account, maxHolding, minHolding);
    }

    /// @inheritdoc IStockToken
    function setLockup(address account, uint64 until) external onlyRole(ISSUER_ROLE) {
        _module().setLockup(account, until);
    }

    /// @inheritdoc IStockToken
    function releaseSurplus(address agent, address account, uint256 amount) external onlyRole(ISSUER_ROLE) whenNoSplit {
        ControlModule.releaseSurplus(stockStorage(), agent, account, amount);
    }

    /// @inheritdoc IStockToken
    function addAgent(address agent) external onlyRole(ISSUER_ROLE) {
        _setRole(AGENT_ROLE, agent, true);
    }

    /// @inheritdoc IStockToken
    function removeAgent(address agent) external onlyRole(ISSUER_ROLE) {
        require(hasRole(AGENT_ROLE, agent), NotAgent(agent));
        _setRole(AGENT_ROLE, agent, false);
    }

    /* AGENT FUNCTIONS */

    /// @inheritdoc IStockToken
    function setAddressFrozen(address account, bool freeze) external onlyRole(AGENT_ROLE) whenNoSplit {
        stockStorage().accounts[account].isFrozen = freeze;
        emit AddressFrozen(account, freeze, msg.sender);
    }

    /// @inheritdoc IStockToken
    function freezePartialTokens(address account, uint256 amount) external onlyRole(AGENT_ROLE) whenNoSplit {
        ControlModule.freeze(stockStorage(), account, msg.sender, amount);
    }

    /// @inheritdoc IStockToken
    function unfreezePartialTokens(address account, uint256 amount) external onlyRole(AGENT_ROLE) whenNoSplit {
        ControlModule.unfreeze(stockStorage(), account, msg.sender, amount);
    }

    /// @inheritdoc IStockToken
    function forcedTransfer(address from, address to, uint256 amount)
        external
        onlyRole(AGENT_ROLE)
        whenNoSplit
        returns (bool)
    {
        ControlModule.forcedTransfer(stockStorage(), msg.sender, from, to, amount);
        return true;
    }

    /// @inheritdoc IStockToken
    function recoveryAddress(address lostWallet, address newWallet, address investorOnchainID)
        external
        whenNoSplit
        returns (bool)
    {
        if (!hasRole(ISSUER_ROLE, msg.sender)) _checkRole(AGENT_ROLE);
        ControlModule.recover(stockStorage(), lostWallet, newWallet, investorOnchainID);
        return true;
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc IStockToken
    function continueSplit(uint256 maxHolders) external returns (uint256 left) {
        return SplitModule.proceed(stockStorage(), maxHolders);
    }

    /// @inheritdoc IStockToken
    function refreshIdentity(address account) external {
        StockStorage storage s = stockStorage();
        require(
            !s.isIdentityNoted(account) || hasRole(ISSUER_ROLE, msg.sender),
            IdentityKnown(account, s.identityAtEntry[account])
        );
        require(s.noteIdentity(account) != address(0), IdentityUnknown(account));
    }

    /* INTERNAL */

    /// @dev The factory says which implementation, the legal operator says whether.
    function _authorizeUpgrade(address newImplementation) internal view override onlyRole(LEGAL_OPERATOR_ROLE) {
        _checkServed(KIND, implementationVersion(), IImplementationVersioned(newImplementation).implementationVersion);
    }

    /// @dev Only the issuer's own role redeems from others: a sub-issuer could issue again what it took, for itself.
    function _redeem(address account, uint256 amount, bytes32 reason) private {
        if (_countedSubIssuer() == address(0)) {
            IssuanceModule.redeem(stockStorage(), address(0), account, amount, reason);
        } else {
            IssuanceModule.redeemAsSubIssuer(stockStorage(), account, amount, reason);
        }
    }

    /// @dev An issuer counts as issuer even if it is a sub-issuer too.
    function _countedSubIssuer() private view returns (address) {
        if (hasRole(ISSUER_ROLE, msg.sender)) return address(0);
        _checkRole(SUB_ISSUER_ROLE);
        require(stockStorage().areSubIssuersAllowed, SubIssuersNotAllowed());
        return msg.sender;
    }

    function _checkNotPaused() private view {
        require(!stockStorage().isPaused, TokenPaused());
    }

    function _checkNoSplit() private view {
        require(!stockStorage().isSplitting, SplitUnderWay());
    }

    function _module() private view returns (IComplianceModule module) {
        module = IComplianceModule(stockStorage().complianceModule);
        require(address(module) != address(0), NoComplianceModule());
    }

    /* VIEWS */

    /// @inheritdoc IStockToken
    function version() external pure virtual returns (string memory) {
        return "2.0.0";
    }

    /// @inheritdoc IImplementationVersioned
    function implementationVersion() public pure virtual returns (uint256) {
        return 2;
    }

    /// @inheritdoc IStockToken
    function isAgent(address account) external view returns (bool) {
        return hasRole(AGENT_ROLE, account);
    }

    /// @inheritdoc IStockToken
    function isIssuer(address account) external view returns (bool) {
        return hasRole(ISSUER_ROLE, account);
    }

    /// @inheritdoc IStockToken
    function isSubIssuer(address account) external view returns (bool) {
        return hasRole(SUB_ISSUER_ROLE, account);
    }

    /// @inheritdoc IStockToken
    function isController(address account) external view returns (bool) {
        return hasRole(CONTROLLER_ROLE, account);
    }

    /// @inheritdoc IStockToken
    function isLegalOperator(address account) external view returns (bool) {
        return hasRole(LEGAL_OPERATOR_ROLE, account);
    }
}
