// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISecurityRegistry} from "../interfaces/ISecurityRegistry.sol";
import {ISignedOrderSettlement} from "../interfaces/ISignedOrderSettlement.sol";
import {ITokenDialects} from "../interfaces/ITokenDialects.sol";
import {TransferRules} from "../interfaces/TradingTypes.sol";
import {TokenReads} from "./TokenReads.sol";
import {TransferRuleLib} from "./TransferRuleLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The security leg: whether it would go through, and the delivery itself. Codes: `deliveryCheck`.
library DeliveryLib {
    uint8 internal constant SCHEME_AGENT = 1;
    uint8 internal constant SCHEME_CONTROLLER = 2;
    bytes32 internal constant REASON = "SETTLEMENT";

    function check(
        ISecurityRegistry.Security storage security,
        address token,
        address seller,
        address buyer,
        uint256 quantity
    ) internal view returns (uint8 code, uint8 tokenCode) {
        code = _checkState(security, token, seller, buyer, true);
        if (code != 0) return (code, 0);
        (bool isAnswered, bool isVerified) = TransferRuleLib.isVerified(TransferRuleLib.registryOf(token), buyer);
        if (!isAnswered) return (8, 0);
        if (!isVerified) return (9, 0);
        if (unfrozen(token, seller) < quantity) return (10, 0);
        (code, tokenCode) = _checkRules(security.rules, token, seller, buyer, quantity);
        if (code == 0 && schemeOf(token) == 0) code = 14;
    }

    function checkResting(ISecurityRegistry.Security storage security, address token, address seller, uint256 quantity)
        internal
        view
        returns (uint8 code)
    {
        code = _checkState(security, token, seller, seller, false);
        if (code != 0) return code;
        if (unfrozen(token, seller) < quantity) return 10;
        if (schemeOf(token) == 0) return 14;
    }

    /// @notice Moves the security, and makes sure that nothing else moved: a delivery role could take frozen shares.
    function deliver(address token, address seller, address buyer, uint256 quantity) internal {
        uint256 held = IERC20(token).balanceOf(seller);
        uint256 before = IERC20(token).balanceOf(buyer);
        uint256 frozen = ITokenDialects(token).getFrozenTokens(seller);
        if (schemeOf(token) == SCHEME_AGENT) ITokenDialects(token).forcedTransfer(seller, buyer, quantity);
        else ITokenDialects(token).forceTransfer(seller, buyer, quantity, REASON);
        uint256 sent = held - IERC20(token).balanceOf(seller);
        uint256 received = IERC20(token).balanceOf(buyer) - before;
        require(
            sent == quantity && received == quantity,
            ISignedOrderSettlement.SecurityLegFailed(token, quantity, sent, received)
        );
        uint256 frozenNow = ITokenDialects(token).getFrozenTokens(seller);
        require(frozenNow == frozen, ISignedOrderSettlement.FrozenPartTouched(token, seller, frozen, frozenNow));
    }

    /// @dev The agent first: a controller takes frozen shares before free ones.
    function schemeOf(address token) internal view returns (uint8) {
        if (_says(token, abi.encodeCall(ITokenDialects.isAgent, (address(this))))) return SCHEME_AGENT;
        if (_says(token, abi.encodeCall(ITokenDialects.isController, (address(this))))) return SCHEME_CONTROLLER;
        return 0;
    }

    function unfrozen(address token, address holder) internal view returns (uint256) {
        (bool hasBalance, uint256 balance) = TokenReads.getter(token, abi.encodeCall(IERC20.balanceOf, (holder)));
        (bool hasFrozen, uint256 frozen) =
            TokenReads.getter(token, abi.encodeCall(ITokenDialects.getFrozenTokens, (holder)));
        return hasBalance && hasFrozen && balance > frozen ? balance - frozen : 0;
    }

    function _checkState(
        ISecurityRegistry.Security storage security,
        address token,
        address seller,
        address buyer,
        bool withBuyer
    ) private view returns (uint8) {
        if (!security.isRegistered) return 1;
        if (!security.isActive) return 2;
        if (withBuyer && buyer == address(0)) return 3;
        if (TransferRuleLib.isPaused(token)) return 4;
        if (TransferRuleLib.isWalletFrozen(token, seller)) return 5;
        if (withBuyer && TransferRuleLib.isWalletFrozen(token, buyer)) return 6;
        return TransferRuleLib.registryOf(token) == address(0) ? 7 : 0;
    }

    function _checkRules(TransferRules rules, address token, address seller, address buyer, uint256 quantity)
        private
        view
        returns (uint8 code, uint8 tokenCode)
    {
        if (rules == TransferRules.CAN_TRANSFER) {
            (tokenCode,) = TransferRuleLib.ownRule(token, seller, buyer, quantity);
            return (tokenCode == 0 ? 0 : 13, tokenCode);
        }
        address compliance = TransferRuleLib.complianceOf(token);
        if (compliance == address(0)) return (11, 0);
        (bool isAnswered, bool isAllowed) = TransferRuleLib.isCompliant(compliance, seller, buyer, quantity);
        if (!isAnswered) return (11, 0);
        if (!isAllowed) return (12, 0);
        if (rules == TransferRules.ERC1404) {
            tokenCode = TransferRuleLib.restriction(token, seller, buyer, quantity);
            if (tokenCode != 0) return (13, tokenCode);
        }
    }

    function _says(address token, bytes memory question) private view returns (bool) {
        return TokenReads.isTrue(token, question, TokenReads.GETTER_GAS);
    }
}
