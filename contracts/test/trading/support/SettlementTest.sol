// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SignedOrderSettlement} from "../../../src/trading/SignedOrderSettlement.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {Fill} from "../../../src/trading/interfaces/TradingTypes.sol";
import {TradingTest} from "./TradingTest.sol";

/// @notice A settlement contract, a buyer with cash and an allowance. The security is the test's to choose.
abstract contract SettlementTest is TradingTest {
    uint256 internal constant CASH = 100_000e6;
    bytes32 internal constant ISIN = "DE000A1EWWW0";

    SignedOrderSettlement internal settlement;

    function setUp() public virtual override {
        super.setUp();
        settlement = SignedOrderSettlement(_create("SignedOrderSettlement.sol:SignedOrderSettlement", ""));
        _giveCash(buyer, CASH);
    }

    function _venue() internal view override returns (ISignedOrders) {
        return settlement;
    }

    function _giveCash(address to, uint256 amount) internal {
        cash.mint(to, amount);
        vm.prank(to);
        cash.approve(address(settlement), type(uint256).max);
    }

    /// @dev By `issuer`, who has to be an authority of the token.
    function _openMarket(address token, address issuer) internal {
        vm.startPrank(issuer);
        settlement.registerSecurity(token, ISIN);
        settlement.setQuoteAsset(token, address(cash), true);
        settlement.setOperator(token, operator, true);
        settlement.setFeeRecipient(token, feeRecipient);
        vm.stopPrank();
    }

    function _settle(Fill memory fill) internal {
        vm.prank(operator);
        settlement.settleTrade(fill);
    }

    function _refused(Fill memory fill, bytes memory reason) internal {
        vm.prank(operator);
        vm.expectRevert(reason);
        settlement.settleTrade(fill);
    }
}
