// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TransferRules} from "./TradingTypes.sol";

/// @notice Which securities settle here, for which money and by whose hand. Each security has its own admin; nobody
/// stands above them.
interface ISecurityRegistry {
    /* TYPES */

    struct Security {
        address admin;
        uint8 decimals;
        bool isRegistered;
        bool isActive;
        TransferRules rules;
        /// @dev Whether the token ever told a `splitRatio`.
        bool splits;
        address pendingAdmin;
        /// @dev Zero: no fees can be taken.
        address feeRecipient;
        /// @dev Text, padded with zeros on the right.
        bytes32 isin;
    }

    /* EVENTS */

    event SecurityRegistered(
        address indexed token, address indexed admin, bytes32 isin, uint8 decimals, TransferRules rules, bool splits
    );
    event SecurityRulesRead(address indexed token, TransferRules rules, bool splits);
    event SecurityActive(address indexed token, bool isActive);
    /// @notice No operator, quote asset and fee recipient that was set until now counts any more.
    event SecurityCleared(address indexed token);
    event QuoteAssetSet(address indexed token, address indexed quote, bool allowed);
    event OperatorSet(address indexed token, address indexed operator, bool allowed);
    event FeeRecipientSet(address indexed token, address indexed feeRecipient);
    event SecurityAdminTransferStarted(address indexed token, address indexed admin, address indexed newAdmin);
    event SecurityAdminTransferred(address indexed token, address indexed previousAdmin, address indexed newAdmin);

    /* ERRORS */

    error SecurityAlreadyRegistered(address token);
    error SecurityNotRegistered(address token);
    error NotSecurityAuthority(address token, address account);
    error NotSecurityAdmin(address token, address account);
    error NotPendingSecurityAdmin(address token, address account);
    error SecurityUnreadable(address token);

    /* FUNCTIONS OF THE TOKEN'S AUTHORITIES */

    /// @notice By the token's owner, an agent, an issuer or an admin of its roles, who becomes the security's admin.
    function registerSecurity(address token, bytes32 isin) external;

    /// @notice Takes the administration over, whoever has it, without what the former admin left behind: operators, quote
    /// assets, fee recipient and nominee are to be named again. Only the token's owner or an issuer.
    function claimSecurity(address token) external;

    /* FUNCTIONS OF THE SECURITY'S ADMIN */

    function setQuoteAsset(address token, address quote, bool allowed) external;

    function setOperator(address token, address operator, bool allowed) external;

    function setFeeRecipient(address token, address newFeeRecipient) external;

    function deactivateSecurity(address token) external;

    function activateSecurity(address token) external;

    /// @notice Asks the token again which rules it speaks, as after an upgrade of it. One that ever told its splits is asked
    /// for them on.
    function refreshSecurity(address token) external;

    /// @notice Nominates the next admin, who has to accept.
    function transferSecurityAdmin(address token, address newAdmin) external;

    /// @notice Only the nominee.
    function acceptSecurityAdmin(address token) external;

    /* VIEWS */

    function securityOf(address token) external view returns (Security memory);

    function isQuoteAsset(address token, address quote) external view returns (bool);

    function isOperator(address token, address account) external view returns (bool);
}
