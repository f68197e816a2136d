// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IIdentitySource} from "../../base/interfaces/IIdentitySource.sol";
import {BoundedCall} from "../../libraries/BoundedCall.sol";
import {Account, StockStorage} from "../StockStorage.sol";
import {IComplianceModule} from "../interfaces/IComplianceModule.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";

/// @dev In the order in which they are asked.
enum Rule {
    SUCCESS,
    PAUSED,
    SPLIT_UNDER_WAY,
    INSUFFICIENT_BALANCE,
    TOKENS_FROZEN,
    SENDER_WALLET_FROZEN,
    SENDER_NOT_VERIFIED,
    RECEIVER_WALLET_FROZEN,
    RECEIVER_NOT_VERIFIED,
    REGISTRY_MODULE_REFUSED,
    REGISTRY_MODULE_FAILED,
    SENDER_LOCKED,
    BELOW_MIN_HOLDING,
    RECIPIENT_EXCEEDS_MAX,
    CUSTOM_RULE_VIOLATION,
    MODULE_FAILED
}

/// @notice Who may send what to whom.
library RuleLib {
    /// @dev Ours takes 20,000. One that burns all costs the sender no more.
    uint256 internal constant MODULE_GAS = 100_000;
    /// @dev What the registry gives each of its modules, and what passes it on.
    uint256 private constant REGISTRY_MODULE_GAS = 110_000;
    /// @dev For the rest of the transfer.
    uint256 private constant GAS_RESERVE = 20_000;

    function firstBroken(StockStorage storage s, address from, address to, uint256 amount)
        internal
        view
        returns (Rule)
    {
        Account memory sender = s.accounts[from];
        Rule rule = _firstBrokenBySender(s, sender, from, amount);
        if (rule != Rule.SUCCESS) return rule;
        Account memory receiver = s.accounts[to];
        if (receiver.isFrozen) return Rule.RECEIVER_WALLET_FROZEN;
        if (!receiver.isAuthorized && !_isVerified(s, to)) return Rule.RECEIVER_NOT_VERIFIED;
        return askModules(s, from, to, amount, sender.balance, receiver.balance);
    }

    /// @dev The same rules for a sender, and no receiver.
    function firstBrokenByRedeeming(StockStorage storage s, address account, uint256 amount)
        internal
        view
        returns (Rule)
    {
        Account memory sender = s.accounts[account];
        Rule rule = _firstBrokenBySender(s, sender, account, amount);
        if (rule != Rule.SUCCESS) return rule;
        return askModules(s, account, address(0), amount, sender.balance, 0);
    }

    /// @dev First those of the registry, which speak for every token, then the token's own.
    function askModules(
        StockStorage storage s,
        address from,
        address to,
        uint256 amount,
        uint256 fromBalance,
        uint256 toBalance
    ) internal view returns (Rule rule) {
        rule = _askRegistry(s, from, to, amount, fromBalance, toBalance);
        if (rule == Rule.SUCCESS) rule = _askModule(s, from, to, amount, fromBalance, toBalance);
    }

    /// @dev A module that fails, burns its gas or answers nonsense refuses. It is called without the right to write, so
    /// there is nothing to re-enter.
    function _askModule(
        StockStorage storage s,
        address from,
        address to,
        uint256 amount,
        uint256 fromBalance,
        uint256 toBalance
    ) private view returns (Rule) {
        address module = s.complianceModule;
        if (module == address(0)) return Rule.SUCCESS;
        require(BoundedCall.canAfford(MODULE_GAS, GAS_RESERVE), IStockToken.ModuleNeedsMoreGas());
        (bool success, uint256 size,, bytes memory answer) = BoundedCall.boundedStaticCall(
            module,
            MODULE_GAS,
            64,
            abi.encodeCall(IComplianceModule.canTransfer, (from, to, amount, fromBalance, toBalance))
        );
        if (!success || size < 64) return Rule.MODULE_FAILED;
        (uint256 isAllowed, uint256 reason) = abi.decode(answer, (uint256, uint256));
        if (isAllowed == 1) return Rule.SUCCESS;
        if (isAllowed != 0 || reason > 4) return Rule.MODULE_FAILED;
        if (reason == 1) return Rule.SENDER_LOCKED;
        if (reason == 2) return Rule.BELOW_MIN_HOLDING;
        if (reason == 3) return Rule.RECIPIENT_EXCEEDS_MAX;
        return Rule.CUSTOM_RULE_VIOLATION;
    }

    /// @notice The most that the modules of the registry can take of one transfer.
    function registryGas(StockStorage storage s) internal view returns (uint256) {
        (bool success, uint256 size,, bytes memory answer) = BoundedCall.boundedStaticCall(
            s.identityRegistry, gasleft(), 64, abi.encodeCall(IIdentitySource.complianceModules, ())
        );
        if (!success || size < 64) return 0;
        (, uint256 count) = abi.decode(answer, (uint256, uint256));
        return count * REGISTRY_MODULE_GAS;
    }

    function requireEligible(StockStorage storage s, address account) internal view {
        require(s.accounts[account].isAuthorized || _isVerified(s, account), IStockToken.RecipientNotVerified(account));
    }

    /// @dev The registry is trusted to bound its modules, and to say so when the gas would not do for them. One without
    /// modules, of ERC-3643 or of our first version, does not know the question: it fails at once.
    function _askRegistry(
        StockStorage storage s,
        address from,
        address to,
        uint256 amount,
        uint256 fromBalance,
        uint256 toBalance
    ) private view returns (Rule) {
        uint256 left = gasleft();
        (bool success, uint256 size, uint256 gasUsed, bytes memory answer) = BoundedCall.boundedStaticCall(
            s.identityRegistry,
            left,
            64,
            abi.encodeCall(IIdentitySource.moduleObjection, (from, to, amount, fromBalance, toBalance))
        );
        if (success && size == 64) {
            (uint256 reason,) = abi.decode(answer, (uint256, uint256));
            if (reason == 0) return Rule.SUCCESS;
            return reason == 10 ? Rule.REGISTRY_MODULE_REFUSED : Rule.REGISTRY_MODULE_FAILED;
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        bool isStarved = size == 4 && bytes4(answer) == IIdentitySource.CheckNeedsMoreGas.selector;
        require(success || (!isStarved && gasUsed <= left / 2), IStockToken.ModuleNeedsMoreGas());
        return Rule.SUCCESS;
    }

    function _firstBrokenBySender(StockStorage storage s, Account memory sender, address from, uint256 amount)
        private
        view
        returns (Rule)
    {
        if (s.isPaused) return Rule.PAUSED;
        if (s.isSplitting) return Rule.SPLIT_UNDER_WAY;
        if (amount > sender.balance) return Rule.INSUFFICIENT_BALANCE;
        if (amount > sender.balance - sender.frozen) return Rule.TOKENS_FROZEN;
        if (sender.isFrozen) return Rule.SENDER_WALLET_FROZEN;
        if (!sender.isAuthorized && !_isVerified(s, from)) return Rule.SENDER_NOT_VERIFIED;
        return Rule.SUCCESS;
    }

    function _isVerified(StockStorage storage s, address account) private view returns (bool) {
        return account != address(0) && IIdentitySource(s.identityRegistry).isVerified(account);
    }
}
