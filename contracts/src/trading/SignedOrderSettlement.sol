// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SecurityRegistry} from "./base/SecurityRegistry.sol";
import {SignedOrders} from "./base/SignedOrders.sol";
import {ISignedOrderSettlement} from "./interfaces/ISignedOrderSettlement.sol";
import {ISignedOrders} from "./interfaces/ISignedOrders.sol";
import {Fill, Trade} from "./interfaces/TradingTypes.sol";
import {CashLegLib} from "./libraries/CashLegLib.sol";
import {DeliveryLib} from "./libraries/DeliveryLib.sol";
import {SaltLib} from "./libraries/SaltLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title SignedOrderSettlement
contract SignedOrderSettlement is ISignedOrderSettlement, SignedOrders, SecurityRegistry {
    /* CONSTRUCTOR */

    constructor() SignedOrders("SignedOrderSettlement") {}

    /* OPERATOR FUNCTIONS */

    /// @inheritdoc ISignedOrderSettlement
    function settleTrade(Fill calldata fill) external nonReentrant {
        _settle(fill, msg.sender);
    }

    /// @inheritdoc ISignedOrderSettlement
    function batchSettleTrades(bytes32 batchRef, Fill[] calldata fills, uint256 minProcessed)
        external
        nonReentrant
        returns (uint256 settled, uint256 processed)
    {
        // Before anything else: a stranger must not leave events about trades of others.
        for (uint256 i = 0; i < fills.length; ++i) {
            _checkOperator(fills[i].maker.token, msg.sender);
        }
        return _settleEach(batchRef, fills, minProcessed);
    }

    /* INTERNAL */

    /// @dev The security first: between the look at what is unfrozen and the delivery, nobody gets to act.
    function _settle(Fill calldata fill, address operator) internal override {
        address token = fill.maker.token;
        _checkOperator(token, operator);
        require(isQuoteAsset(token, fill.maker.quote), QuoteAssetNotAllowed(token, fill.maker.quote));
        Security storage security = _security(token);
        bytes16 prefix = SaltLib.join(_requireLeg(token), _requireLeg(fill.maker.quote));
        Trade memory trade = _bookFill(fill, 10 ** security.decimals, prefix);
        address feeRecipient = security.feeRecipient;
        require(trade.feeGets == 0 || feeRecipient != address(0), NoFeeRecipient(token));
        (uint8 code, uint8 tokenCode) = DeliveryLib.check(security, token, trade.seller, trade.buyer, trade.quantity);
        require(code == 0, DeliveryRefused(token, code, tokenCode));
        _emitSettled(fill, trade);

        DeliveryLib.deliver(token, trade.seller, trade.buyer, trade.quantity);
        CashLegLib.pay(trade.quote, trade.buyer, trade.seller, trade.sellerGets);
        CashLegLib.pay(trade.quote, trade.buyer, feeRecipient, trade.feeGets);
    }

    function _checkOperator(address token, address account) private view {
        require(isOperator(token, account), NotOperator(token, account));
    }

    /* VIEWS */

    /// @inheritdoc ISignedOrderSettlement
    function deliveryCheck(address token, address seller, address buyer, uint256 quantity)
        external
        view
        returns (uint8 code, uint8 tokenRestrictionCode)
    {
        return DeliveryLib.check(_security(token), token, seller, buyer, quantity);
    }

    /// @inheritdoc ISignedOrderSettlement
    function restingCheck(address token, address seller, uint256 quantity) external view returns (uint8 code) {
        return DeliveryLib.checkResting(_security(token), token, seller, quantity);
    }

    /// @inheritdoc ISignedOrderSettlement
    function deliveryScheme(address token) external view returns (uint8) {
        return DeliveryLib.schemeOf(token);
    }

    /// @inheritdoc ISignedOrderSettlement
    function spendable(address quote, address buyer) external view returns (uint256) {
        uint256 balance = IERC20(quote).balanceOf(buyer);
        uint256 allowance = IERC20(quote).allowance(buyer, address(this));
        return balance < allowance ? balance : allowance;
    }

    function saltPrefix(address token, address quote)
        public
        view
        override(ISignedOrders, SignedOrders)
        returns (bytes16)
    {
        return SaltLib.join(_legOf(token), _legOf(quote));
    }
}
