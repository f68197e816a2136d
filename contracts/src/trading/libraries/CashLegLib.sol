// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrderSettlement} from "../interfaces/ISignedOrderSettlement.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice The cash leg: exactly the amount leaves the one and reaches the other.
library CashLegLib {
    using SafeERC20 for IERC20;

    function pay(address quote, address from, address to, uint256 amount) internal {
        // Owed to oneself: whoever is a party and the fee recipient as well.
        if (amount == 0 || from == to) return;
        uint256 held = IERC20(quote).balanceOf(from);
        uint256 before = IERC20(quote).balanceOf(to);
        IERC20(quote).safeTransferFrom(from, to, amount);
        uint256 sent = held - IERC20(quote).balanceOf(from);
        uint256 received = IERC20(quote).balanceOf(to) - before;
        require(
            sent == amount && received == amount,
            ISignedOrderSettlement.CashLegFailed(quote, to, amount, sent, received)
        );
    }
}
