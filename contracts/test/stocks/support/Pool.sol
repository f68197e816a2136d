// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockToken} from "../../../src/stocks/StockToken.sol";

/// @notice Holds shares of many under one address, as a vault does; anyone takes out.
contract Pool {
    StockToken public immutable stock;

    constructor(StockToken stock_) {
        stock = stock_;
    }

    function pay(address to, uint256 amount) external {
        stock.transfer(to, amount);
    }
}
