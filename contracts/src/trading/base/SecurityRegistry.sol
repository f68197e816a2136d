// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISecurityRegistry} from "../interfaces/ISecurityRegistry.sol";
import {ITokenDialects} from "../interfaces/ITokenDialects.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {TransferRuleLib} from "../libraries/TransferRuleLib.sol";
import {SplitRecord} from "./SplitRecord.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @title SecurityRegistry
abstract contract SecurityRegistry is ISecurityRegistry, SplitRecord {
    /* CONSTANTS */

    bytes32 private constant ISSUER_ROLE = keccak256("ISSUER_ROLE");
    uint256 private constant MAX_DECIMALS = 30;

    /* STORAGE */

    mapping(address token => Security) private _securities;
    /// @dev How often the security was claimed. Settings count only under the claim they were made in.
    mapping(address token => uint256) private _claims;
    mapping(address token => mapping(uint256 claim => mapping(address quote => bool))) private _quoteAssets;
    mapping(address token => mapping(uint256 claim => mapping(address account => bool))) private _operators;

    modifier onlySecurityAdmin(address token) {
        _checkSecurityAdmin(token);
        _;
    }

    /* FUNCTIONS OF THE TOKEN'S AUTHORITIES */

    /// @inheritdoc ISecurityRegistry
    function registerSecurity(address token, bytes32 isin) external {
        Security storage security = _securities[token];
        require(!security.isRegistered, SecurityAlreadyRegistered(token));
        require(
            _isOwnerOrIssuer(token, msg.sender) || _isAgentOrRoleAdmin(token, msg.sender),
            NotSecurityAuthority(token, msg.sender)
        );
        (bool isAnswered, uint256 decimals) = TokenReads.getter(token, abi.encodeCall(IERC20Metadata.decimals, ()));
        require(isAnswered && decimals <= MAX_DECIMALS, SecurityUnreadable(token));
        // forge-lint: disable-next-line(unsafe-typecast)
        (security.admin, security.decimals, security.isin) = (msg.sender, uint8(decimals), isin);
        (security.isRegistered, security.isActive) = (true, true);
        _readRules(security, token);
        emit SecurityRegistered(token, msg.sender, isin, security.decimals, security.rules, security.splits);
    }

    /// @inheritdoc ISecurityRegistry
    function claimSecurity(address token) external {
        Security storage security = _registered(token);
        require(_isOwnerOrIssuer(token, msg.sender), NotSecurityAuthority(token, msg.sender));
        ++_claims[token];
        security.feeRecipient = address(0);
        emit SecurityCleared(token);
        emit FeeRecipientSet(token, address(0));
        _setAdmin(security, token, msg.sender);
    }

    /* FUNCTIONS OF THE SECURITY'S ADMIN */

    /// @inheritdoc ISecurityRegistry
    function setQuoteAsset(address token, address quote, bool allowed) external onlySecurityAdmin(token) {
        _quoteAssets[token][_claims[token]][quote] = allowed;
        if (allowed) _noteSplit(quote);
        emit QuoteAssetSet(token, quote, allowed);
    }

    /// @inheritdoc ISecurityRegistry
    function setOperator(address token, address operator, bool allowed) external onlySecurityAdmin(token) {
        _operators[token][_claims[token]][operator] = allowed;
        emit OperatorSet(token, operator, allowed);
    }

    /// @inheritdoc ISecurityRegistry
    function setFeeRecipient(address token, address newFeeRecipient) external onlySecurityAdmin(token) {
        _securities[token].feeRecipient = newFeeRecipient;
        emit FeeRecipientSet(token, newFeeRecipient);
    }

    /// @inheritdoc ISecurityRegistry
    function deactivateSecurity(address token) external onlySecurityAdmin(token) {
        _securities[token].isActive = false;
        emit SecurityActive(token, false);
    }

    /// @inheritdoc ISecurityRegistry
    function activateSecurity(address token) external onlySecurityAdmin(token) {
        _securities[token].isActive = true;
        emit SecurityActive(token, true);
    }

    /// @inheritdoc ISecurityRegistry
    function refreshSecurity(address token) external onlySecurityAdmin(token) {
        Security storage security = _securities[token];
        _readRules(security, token);
        emit SecurityRulesRead(token, security.rules, security.splits);
    }

    /// @inheritdoc ISecurityRegistry
    function transferSecurityAdmin(address token, address newAdmin) external onlySecurityAdmin(token) {
        _securities[token].pendingAdmin = newAdmin;
        emit SecurityAdminTransferStarted(token, msg.sender, newAdmin);
    }

    /// @inheritdoc ISecurityRegistry
    function acceptSecurityAdmin(address token) external {
        Security storage security = _registered(token);
        require(msg.sender == security.pendingAdmin, NotPendingSecurityAdmin(token, msg.sender));
        _setAdmin(security, token, msg.sender);
    }

    /* INTERNAL */

    function _checkSecurityAdmin(address token) private view {
        require(msg.sender == _registered(token).admin, NotSecurityAdmin(token, msg.sender));
    }

    function _readRules(Security storage security, address token) private {
        security.rules = TransferRuleLib.probe(token);
        _noteSplit(token);
        // Once told, always asked: a token that is silent now may have been split.
        security.splits = _tellsSplits(token);
    }

    function _setAdmin(Security storage security, address token, address newAdmin) private {
        emit SecurityAdminTransferred(token, security.admin, newAdmin);
        (security.admin, security.pendingAdmin) = (newAdmin, address(0));
    }

    function _isOwnerOrIssuer(address token, address account) private view returns (bool) {
        (bool isAnswered, uint256 owner) = TokenReads.getter(token, abi.encodeCall(ITokenDialects.owner, ()));
        if (isAnswered && owner == uint160(account)) return true;
        if (_says(token, abi.encodeCall(ITokenDialects.isIssuer, (account)))) return true;
        return _says(token, abi.encodeCall(ITokenDialects.hasRole, (ISSUER_ROLE, account)));
    }

    function _isAgentOrRoleAdmin(address token, address account) private view returns (bool) {
        if (_says(token, abi.encodeCall(ITokenDialects.isAgent, (account)))) return true;
        return _says(token, abi.encodeCall(ITokenDialects.hasRole, (bytes32(0), account)));
    }

    function _says(address token, bytes memory question) private view returns (bool) {
        return TokenReads.isTrue(token, question, TokenReads.GETTER_GAS);
    }

    function _security(address token) internal view returns (Security storage) {
        return _securities[token];
    }

    function _registered(address token) private view returns (Security storage security) {
        security = _securities[token];
        require(security.isRegistered, SecurityNotRegistered(token));
    }

    /* VIEWS */

    /// @inheritdoc ISecurityRegistry
    function isQuoteAsset(address token, address quote) public view returns (bool) {
        return _quoteAssets[token][_claims[token]][quote];
    }

    /// @inheritdoc ISecurityRegistry
    function isOperator(address token, address account) public view returns (bool) {
        return _operators[token][_claims[token]][account];
    }

    /// @inheritdoc ISecurityRegistry
    function securityOf(address token) external view returns (Security memory) {
        return _securities[token];
    }
}
