// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISecurityRegistry} from "./ISecurityRegistry.sol";
import {ISignedOrders} from "./ISignedOrders.sol";
import {ISplitRecord} from "./ISplitRecord.sol";
import {Fill} from "./TradingTypes.sol";

/// @notice Delivery versus payment between wallets: the security moves by the delivery role that its issuer gave to
/// this contract, the money by the buyer's allowance. Both or neither, and only as both parties signed.
/// @dev Holds nothing, belongs to nobody, is not upgradeable.
interface ISignedOrderSettlement is ISignedOrders, ISecurityRegistry, ISplitRecord {
    /* ERRORS */

    error NotOperator(address token, address account);
    error QuoteAssetNotAllowed(address token, address quote);
    error NoFeeRecipient(address token);
    /// @notice See `deliveryCheck`.
    error DeliveryRefused(address token, uint8 code, uint8 tokenRestrictionCode);
    error SecurityLegFailed(address token, uint256 expected, uint256 sent, uint256 received);
    /// @notice The delivery took what is frozen.
    error FrozenPartTouched(address token, address seller, uint256 before, uint256 afterwards);
    error CashLegFailed(address quote, address to, uint256 expected, uint256 sent, uint256 received);

    /* OPERATOR FUNCTIONS */

    /// @notice Settles one fill or reverts with the reason. Only an operator of that security.
    function settleTrade(Fill calldata fill) external;

    /// @notice Settles what can be settled of at most 50 fills, in order. Stops when less than `FILL_GAS` is left. Reverts
    /// when the caller does not operate one of the securities.
    /// @param minProcessed Reverts rather than stop before so many were tried: pass the length when estimating gas.
    function batchSettleTrades(bytes32 batchRef, Fill[] calldata fills, uint256 minProcessed)
        external
        returns (uint256 settled, uint256 processed);

    /* VIEWS */

    /// @notice Whether the security leg would go through: the first condition that fails, else 0.
    /// 1 registered, 2 active, 3 buyer not zero, 4 token not paused, 5 seller not frozen, 6 buyer not frozen, 7 token has
    /// an identity registry, 8 which answers, 9 buyer verified, 10 seller's unfrozen balance suffices, 11 compliance
    /// answers, 12 and allows, 13 the token's own rules allow the pair, 14 this contract has the delivery role.
    /// @dev 11 and 12 are not asked when the token speaks for itself (13): its word includes them.
    /// @return code The condition.
    /// @return tokenRestrictionCode With 13: the token's own code, 255 when it did not answer.
    function deliveryCheck(address token, address seller, address buyer, uint256 quantity)
        external
        view
        returns (uint8 code, uint8 tokenRestrictionCode);

    /// @notice The conditions that can be looked at before there is a buyer: 1, 2, 4, 5, 7, 10, 14.
    function restingCheck(address token, address seller, uint256 quantity) external view returns (uint8 code);

    /// @notice How this contract delivers the token: 1 as an agent, 2 as a controller, 0 not at all.
    function deliveryScheme(address token) external view returns (uint8);

    /// @notice What a buyer can pay with here: the smaller of balance and allowance.
    function spendable(address quote, address buyer) external view returns (uint256);
}
