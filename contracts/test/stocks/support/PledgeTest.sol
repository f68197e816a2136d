// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {StockTest} from "./StockTest.sol";

/// @notice The test is the market of one adapter, where alice has pledged 600 of her 1,000 shares as loan 1.
abstract contract PledgeTest is StockTest {
    FreezeAdapter internal adapter;
    address public router = makeAddress("router");
    address public auctionModule = makeAddress("auction module");

    function setUp() public virtual override {
        super.setUp();
        adapter = new FreezeAdapter(address(this), address(stock));
        vm.prank(issuer);
        stock.addAgent(address(adapter));
        registry.verify(router);
        adapter.lock(1, alice, 600);
    }

    function assertPledged(uint256 amount) internal view {
        (, uint256 pledged) = adapter.pledgeOf(1);
        assertEq(pledged, amount, "pledged");
        assertGe(stock.frozenBy(address(adapter), alice), amount, "frozen");
    }
}
