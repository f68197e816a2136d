// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IComplianceDialect, IRegistryDialect, ITokenDialects, ITokenWithRules} from "../interfaces/ITokenDialects.sol";
import {TransferRules} from "../interfaces/TradingTypes.sol";
import {TokenReads} from "./TokenReads.sol";

/// @notice The rules of a token, asked before anything moves. A rule that does not answer refuses.
library TransferRuleLib {
    /// @dev In place of the token's code when it does not answer.
    uint8 internal constant NO_ANSWER = 255;

    /// @notice The token's own word on a transfer.
    /// @return code 0 when it would pass.
    /// @return rule The first 32 bytes of the name of the rule.
    function ownRule(address token, address from, address to, uint256 amount)
        internal
        view
        returns (uint8 code, bytes32 rule)
    {
        bytes memory question = abi.encodeCall(ITokenWithRules.canTransfer, (from, to, amount));
        (bool isAnswered, bytes memory answer) = TokenReads.words(token, question, TokenReads.RULE_GAS, 3, 4);
        if (!isAnswered) return (NO_ANSWER, "NO_ANSWER");
        uint256 first = abi.decode(answer, (uint256));
        // forge-lint: disable-next-line(unsafe-typecast)
        code = first > type(uint8).max ? NO_ANSWER : uint8(first);
        if (answer.length == 128) (,,, rule) = abi.decode(answer, (uint256, uint256, uint256, bytes32));
    }

    /// @notice ERC-1404's word on a transfer.
    function restriction(address token, address from, address to, uint256 amount) internal view returns (uint8) {
        bytes memory question = abi.encodeCall(ITokenDialects.detectTransferRestriction, (from, to, amount));
        (bool isAnswered, uint256 code) = TokenReads.word(token, question, TokenReads.RULE_GAS);
        // forge-lint: disable-next-line(unsafe-typecast)
        return isAnswered && code <= type(uint8).max ? uint8(code) : NO_ANSWER;
    }

    function isPaused(address token) internal view returns (bool) {
        return !TokenReads.isFalse(token, abi.encodeCall(ITokenDialects.paused, ()));
    }

    function isWalletFrozen(address token, address account) internal view returns (bool) {
        return !TokenReads.isFalse(token, abi.encodeCall(ITokenDialects.isFrozen, (account)));
    }

    function registryOf(address token) internal view returns (address) {
        return TokenReads.contractAt(token, abi.encodeCall(ITokenDialects.identityRegistry, ()));
    }

    function complianceOf(address token) internal view returns (address) {
        return TokenReads.contractAt(token, abi.encodeCall(ITokenDialects.compliance, ()));
    }

    function isVerified(address registry, address account) internal view returns (bool isAnswered, bool verified) {
        bytes memory question = abi.encodeCall(IRegistryDialect.isVerified, (account));
        uint256 value;
        (isAnswered, value) = TokenReads.word(registry, question, TokenReads.RULE_GAS);
        verified = isAnswered && value == 1;
    }

    function isCompliant(address compliance, address from, address to, uint256 amount)
        internal
        view
        returns (bool isAnswered, bool allowed)
    {
        bytes memory question = abi.encodeCall(IComplianceDialect.canTransfer, (from, to, amount));
        uint256 value;
        (isAnswered, value) = TokenReads.word(compliance, question, TokenReads.RULE_GAS);
        allowed = isAnswered && value == 1;
    }

    /// @notice Which rules a token speaks, by asking it.
    function probe(address token) internal view returns (TransferRules) {
        bytes memory question = abi.encodeCall(ITokenWithRules.canTransfer, (token, token, 0));
        (bool isAnswered,) = TokenReads.words(token, question, TokenReads.RULE_GAS, 3, 3);
        if (isAnswered) return TransferRules.CAN_TRANSFER;
        question = abi.encodeCall(ITokenDialects.detectTransferRestriction, (token, token, 0));
        (isAnswered,) = TokenReads.word(token, question, TokenReads.RULE_GAS);
        return isAnswered ? TransferRules.ERC1404 : TransferRules.ERC3643;
    }
}
