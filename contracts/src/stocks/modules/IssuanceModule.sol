// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ratio, StockStorage, SubIssuer} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";
import {LedgerLib} from "../libraries/LedgerLib.sol";
import {Rule, RuleLib} from "../libraries/RuleLib.sol";
import {RefusalModule} from "./RefusalModule.sol";

/// @notice Shares come and go, and what each sub-issuer has outstanding is kept.
library IssuanceModule {
    using LedgerLib for StockStorage;
    using RuleLib for StockStorage;

    uint256 private constant MOST_RECIPIENTS = 200;
    /// @dev A first holding takes 130,000, and a module is given room for 125,000; those of the registry come on top.
    uint256 private constant ISSUE_GAS = 300_000;

    /// @param subIssuer Zero when the issuer issues.
    function issue(StockStorage storage s, address subIssuer, address to, uint256 amount, bytes32 reason) external {
        _issue(s, subIssuer, to, amount, reason);
    }

    function batchIssue(
        StockStorage storage s,
        address subIssuer,
        address[] calldata recipients,
        uint256[] calldata amounts,
        bytes32 reason
    ) external returns (uint256 processed) {
        uint256 total = recipients.length;
        require(total != 0, IStockToken.NoRecipients());
        require(total <= MOST_RECIPIENTS, IStockToken.TooManyRecipients(total, MOST_RECIPIENTS));
        require(total == amounts.length, IStockToken.ArrayLengthMismatch(total, amounts.length));
        uint256 needed = ISSUE_GAS + s.registryGas();
        while (processed < total && gasleft() >= needed) {
            _issue(s, subIssuer, recipients[processed], amounts[processed], reason);
            ++processed;
        }
        require(processed != 0, IStockToken.BatchNeedsMoreGas());
        emit IStockToken.BatchIssueCompleted(processed, total, reason);
    }

    /// @notice By the issuer, from whomever it likes.
    /// @param subIssuer Whose outstanding falls; zero for nobody's.
    function redeem(StockStorage storage s, address subIssuer, address account, uint256 amount, bytes32 reason)
        external
    {
        _redeem(s, subIssuer, account, amount, reason);
    }

    /// @notice By the calling sub-issuer: its own shares, or those of a holder who gave it an allowance.
    /// @dev Under the sender's rules: issued again, the shares would have moved.
    function redeemAsSubIssuer(StockStorage storage s, address account, uint256 amount, bytes32 reason) external {
        if (account != msg.sender) s.spendAllowance(account, msg.sender, amount);
        Rule rule = s.firstBrokenByRedeeming(account, amount);
        if (rule != Rule.SUCCESS) RefusalModule.refuse(rule);
        _redeem(s, msg.sender, account, amount, reason);
    }

    function setCap(StockStorage storage s, address subIssuer, uint256 cap) external {
        SubIssuer storage record = _settle(s, subIssuer);
        emit IStockToken.SubIssuerCapUpdated(subIssuer, record.cap, cap);
        record.cap = cap;
    }

    /* INTERNAL */

    function _redeem(StockStorage storage s, address subIssuer, address account, uint256 amount, bytes32 reason)
        private
    {
        if (subIssuer != address(0)) {
            uint256 outstanding = _settle(s, subIssuer).outstanding;
            require(amount <= outstanding, IStockToken.SubIssuerRedemptionExceeded(subIssuer, outstanding, amount));
            // forge-lint: disable-next-line(unsafe-typecast)
            s.subIssuers[subIssuer].outstanding = uint128(outstanding - amount);
        }
        s.burn(account, amount);
        emit IStockToken.Redeemed(account, amount, reason, msg.sender);
    }

    function _issue(StockStorage storage s, address subIssuer, address to, uint256 amount, bytes32 reason) private {
        require(amount != 0, IStockToken.AmountIsZero());
        s.requireEligible(to);
        Rule rule = s.askModules(address(0), to, amount, 0, s.accounts[to].balance);
        if (rule != Rule.SUCCESS) RefusalModule.refuse(rule);
        s.mint(to, amount);
        if (subIssuer != address(0)) _count(s, subIssuer, amount);
        emit IStockToken.Issued(to, amount, reason, msg.sender);
    }

    /// @dev The amount was minted, so it fits.
    function _count(StockStorage storage s, address subIssuer, uint256 amount) private {
        SubIssuer storage record = _settle(s, subIssuer);
        uint256 outstanding = uint256(record.outstanding) + amount;
        if (outstanding > type(uint128).max) outstanding = type(uint128).max;
        require(
            record.cap == 0 || outstanding <= record.cap,
            IStockToken.SubIssuerCapExceeded(subIssuer, record.cap, outstanding)
        );
        // forge-lint: disable-next-line(unsafe-typecast)
        record.outstanding = uint128(outstanding);
    }

    function _settle(StockStorage storage s, address subIssuer) private returns (SubIssuer storage record) {
        record = s.subIssuers[subIssuer];
        if (record.splitsSeen == s.splits.length) return record;
        SubIssuer memory converted = subIssuerOf(s, subIssuer);
        (record.outstanding, record.splitsSeen, record.cap) =
        (converted.outstanding, converted.splitsSeen, converted.cap);
    }

    /* VIEWS */

    /// @dev Outstanding and cap grow with a split, both rounded down. A cap beyond any supply stays.
    function subIssuerOf(StockStorage storage s, address account) public view returns (SubIssuer memory record) {
        record = s.subIssuers[account];
        uint256 count = s.splits.length;
        for (uint256 i = record.splitsSeen; i < count; ++i) {
            Ratio memory ratio = s.splits[i];
            uint256 outstanding = uint256(record.outstanding) * ratio.numerator / ratio.denominator;
            // Beyond any supply: only shares that the issuer redeemed itself can be counted so often.
            if (outstanding > type(uint128).max) outstanding = type(uint128).max;
            // forge-lint: disable-next-line(unsafe-typecast)
            record.outstanding = uint128(outstanding);
            if (record.cap <= type(uint128).max) record.cap = record.cap * ratio.numerator / ratio.denominator;
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        record.splitsSeen = uint32(count);
    }
}
