// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockTest} from "./support/StockTest.sol";

contract SmokeTest is StockTest {
    function test_smoke() public {
        vm.prank(alice);
        stock.transfer(carol, 100);
        assertHolds(carol, 100, 0);
        _split(3, 2);
        assertHolds(alice, 1_350, 0);
        assertBooksAgree();
    }
}
