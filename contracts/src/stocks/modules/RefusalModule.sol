// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../interfaces/IStockToken.sol";
import {Rule} from "../libraries/RuleLib.sol";

/// @notice What a broken rule is called.
library RefusalModule {
    function refuse(Rule rule) external pure {
        revert IStockToken.TransferRestricted(uint8(_codeOf(rule)), _nameOf(rule));
    }

    /// @notice Code and name of a rule, as readers of `canTransfer` know them.
    function explain(Rule rule) external pure returns (IStockToken.TransferRestrictionCode, string memory) {
        return (_codeOf(rule), _nameOf(rule));
    }

    function _codeOf(Rule rule) private pure returns (IStockToken.TransferRestrictionCode) {
        if (rule == Rule.SUCCESS) return IStockToken.TransferRestrictionCode.SUCCESS;
        if (rule <= Rule.SPLIT_UNDER_WAY) return IStockToken.TransferRestrictionCode.PAUSED;
        if (rule == Rule.INSUFFICIENT_BALANCE) return IStockToken.TransferRestrictionCode.INSUFFICIENT_BALANCE;
        if (rule <= Rule.SENDER_WALLET_FROZEN) return IStockToken.TransferRestrictionCode.SENDER_TOKENS_FROZEN;
        if (rule == Rule.SENDER_NOT_VERIFIED) return IStockToken.TransferRestrictionCode.SENDER_NOT_ELIGIBLE;
        if (rule == Rule.RECEIVER_WALLET_FROZEN) return IStockToken.TransferRestrictionCode.RECEIVER_TOKENS_FROZEN;
        if (rule == Rule.RECEIVER_NOT_VERIFIED) return IStockToken.TransferRestrictionCode.RECEIVER_NOT_ELIGIBLE;
        return IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED;
    }

    function _nameOf(Rule rule) private pure returns (string memory) {
        if (rule == Rule.SUCCESS) return "SUCCESS";
        if (rule == Rule.PAUSED) return "PAUSED";
        if (rule == Rule.SPLIT_UNDER_WAY) return "SPLIT_UNDER_WAY";
        if (rule == Rule.INSUFFICIENT_BALANCE) return "INSUFFICIENT_BALANCE";
        if (rule == Rule.TOKENS_FROZEN) return "TOKENS_FROZEN";
        if (rule == Rule.SENDER_WALLET_FROZEN || rule == Rule.RECEIVER_WALLET_FROZEN) return "WALLET_FROZEN";
        if (rule == Rule.SENDER_NOT_VERIFIED) return "SENDER_NOT_VERIFIED";
        if (rule == Rule.RECEIVER_NOT_VERIFIED) return "RECEIVER_NOT_VERIFIED";
        if (rule == Rule.REGISTRY_MODULE_REFUSED) return "REGISTRY_MODULE_REFUSED";
        if (rule == Rule.REGISTRY_MODULE_FAILED) return "REGISTRY_MODULE_FAILED";
        if (rule == Rule.SENDER_LOCKED) return "SENDER_LOCKED";
        if (rule == Rule.BELOW_MIN_HOLDING) return "BELOW_MIN_HOLDING";
        if (rule == Rule.RECIPIENT_EXCEEDS_MAX) return "RECIPIENT_EXCEEDS_MAX";
        if (rule == Rule.CUSTOM_RULE_VIOLATION) return "CUSTOM_RULE_VIOLATION";
        return "MODULE_FAILED";
    }
}
