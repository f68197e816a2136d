// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITradingVault} from "../interfaces/ITradingVault.sol";
import {TransferRules} from "../interfaces/TradingTypes.sol";
import {TransferRuleLib} from "./TransferRuleLib.sol";

/// @notice What a token would say about both parties, asked because settling in a vault moves no token.
library VaultRules {
    /* CODES of `TokenRuleRefused` for tokens that have none of their own */

    uint8 internal constant PAUSED = 1;
    uint8 internal constant WALLET_FROZEN = 2;
    uint8 internal constant NO_REGISTRY = 3;
    uint8 internal constant NOT_VERIFIED = 4;
    uint8 internal constant NO_COMPLIANCE = 5;
    uint8 internal constant COMPLIANCE_REFUSED = 6;

    /// @dev The giver's shares lie here, so the token cannot be asked about the pair. It is asked whether the giver may
    /// hold and send at all (nothing, to itself), and whether the taker may have the amount from here.
    function check(TransferRules rules, address token, address giver, address taker, uint256 amount) internal view {
        if (rules == TransferRules.NONE) return;
        if (rules == TransferRules.CAN_TRANSFER) {
            (uint8 code, bytes32 rule) = TransferRuleLib.ownRule(token, giver, giver, 0);
            _require(code, token, giver, rule);
            (code, rule) = TransferRuleLib.ownRule(token, address(this), taker, amount);
            _require(code, token, taker, rule);
            return;
        }
        _check3643(token, giver, taker, amount);
        if (rules != TransferRules.ERC1404) return;
        _require(TransferRuleLib.restriction(token, giver, giver, 0), token, giver, "RESTRICTED");
        _require(TransferRuleLib.restriction(token, address(this), taker, amount), token, taker, "RESTRICTED");
    }

    function _check3643(address token, address giver, address taker, uint256 amount) private view {
        if (TransferRuleLib.isPaused(token)) _require(PAUSED, token, address(0), "PAUSED");
        address registry = TransferRuleLib.registryOf(token);
        if (registry == address(0)) _require(NO_REGISTRY, token, address(0), "NO_REGISTRY");
        _checkParty(token, registry, giver);
        _checkParty(token, registry, taker);
        address compliance = TransferRuleLib.complianceOf(token);
        if (compliance == address(0)) _require(NO_COMPLIANCE, token, address(0), "NO_COMPLIANCE");
        (, bool isAllowed) = TransferRuleLib.isCompliant(compliance, address(this), taker, amount);
        if (!isAllowed) _require(COMPLIANCE_REFUSED, token, taker, "COMPLIANCE_REFUSED");
    }

    function _checkParty(address token, address registry, address party) private view {
        if (TransferRuleLib.isWalletFrozen(token, party)) _require(WALLET_FROZEN, token, party, "WALLET_FROZEN");
        (, bool isVerified) = TransferRuleLib.isVerified(registry, party);
        if (!isVerified) _require(NOT_VERIFIED, token, party, "NOT_VERIFIED");
    }

    function _require(uint8 code, address token, address account, bytes32 rule) private pure {
        require(code == 0, ITradingVault.TokenRuleRefused(token, account, code, rule));
    }
}
