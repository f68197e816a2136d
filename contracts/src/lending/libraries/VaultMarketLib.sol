// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BoundedCall} from "../../libraries/BoundedCall.sol";
import {ILendingMarket} from "../interfaces/ILendingMarket.sol";

/// @notice What a vault asks its markets, one of which may be broken: it can waste neither all gas nor the memory of the
/// caller. A failure counts only when the market had the whole gas that it may have: nobody makes it fail by giving less.
library VaultMarketLib {
    /// @dev The dearest view of a market takes 35,000 with everything cold.
    uint256 private constant VIEW_GAS = 200_000;
    /// @dev A sweep or a withdrawal with an asset that checks its holders takes up to 900,000.
    uint256 private constant CALL_GAS = 1_200_000;

    error MarketNeedsMoreGas(address market);

    /// @notice The pool shares of this vault and their value. Not readable: the market does not answer as one.
    function holding(address market) internal view returns (bool isReadable, uint256 shares, uint256 value) {
        (isReadable, shares) = _ask(market, abi.encodeCall(ILendingMarket.sharesOf, (address(this))), true);
        if (shares == 0) return (isReadable, 0, 0);
        (isReadable, value) = _ask(market, abi.encodeCall(ILendingMarket.toAssets, (shares)), true);
    }

    /// @notice What the market could pay out now.
    function cash(address market) internal view returns (uint256 amount) {
        // The first word of the answer.
        (, amount) = _ask(market, abi.encodeCall(ILendingMarket.pool, ()), false);
    }

    /// @notice Distributor fees that the market owes this vault.
    function feesPayable(address market) internal view returns (uint256 amount) {
        (, amount) = _ask(market, abi.encodeCall(ILendingMarket.distributorFeesPayable, (address(this))), true);
    }

    /// @notice Whether the market did as it was told.
    function attempt(address market, bytes memory data) internal returns (bool isDone) {
        bool isEnough = BoundedCall.canAfford(CALL_GAS, 0);
        uint256 gasLimit = CALL_GAS;
        assembly ("memory-safe") {
            // No answer is copied: the caller counts what arrived.
            isDone := call(gasLimit, market, 0, add(data, 0x20), mload(data), 0, 0)
        }
        require(isDone || isEnough, MarketNeedsMoreGas(market));
    }

    /// @param isOneWord Whether a longer answer is none.
    function _ask(address market, bytes memory question, bool isOneWord)
        private
        view
        returns (bool isAnswered, uint256 answer)
    {
        bool isEnough = BoundedCall.canAfford(VIEW_GAS, 0);
        (bool success, uint256 size,, bytes memory data) = BoundedCall.boundedStaticCall(market, VIEW_GAS, 32, question);
        isAnswered = success && (size == 32 || (!isOneWord && size > 32));
        require(isAnswered || isEnough, MarketNeedsMoreGas(market));
        if (isAnswered) answer = abi.decode(data, (uint256));
    }
}
