// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {IStockToken} from "../../../src/stocks/interfaces/IStockToken.sol";
import {Pool} from "../support/Pool.sol";
import {StockTest} from "../support/StockTest.sol";

/// @notice Who holds shares holds at least 50. A pool holds for many, and what is left in it is nobody's holding.
contract TrappedInAPoolTest is StockTest {
    Pool private pool;
    CustodyAdapter private adapter;
    address public router = makeAddress("router");
    address public auctionModule = makeAddress("auction module");

    function setUp() public override {
        super.setUp();
        registry.verify(router);
        pool = new Pool(stock);
        adapter = new CustodyAdapter(address(this), address(stock));
        vm.startPrank(issuer);
        stock.setDefaultLimits(0, 50);
        stock.addAuthorizedContract(address(pool));
        stock.addAuthorizedContract(address(adapter));
        vm.stopPrank();
    }

    function test_attack_leaveAFewBehindSoThatNobodyGetsOut() public {
        // 1. Alice has 60 shares in the pool, Bob 20.
        vm.prank(alice);
        stock.transfer(address(pool), 60);
        vm.prank(bob);
        stock.transfer(address(pool), 20);
        // 2. Alice takes hers out, which leaves 20.
        pool.pay(alice, 60);
        // 3. So does Bob, in two parts.
        pool.pay(bob, 15);
        pool.pay(bob, 5);
        assertHolds(address(pool), 0, 0);
    }

    function test_attack_repayInPartsSoThatCollateralStays() public {
        vm.prank(alice);
        stock.approve(address(adapter), 60);
        // 1. Alice pledges 60 and gets back 40.
        adapter.lock(1, alice, 60);
        adapter.release(1, 40);
        assertEq(adapter.escrowOf(alice), 0);
        // 2. The lender seizes 10 of the other 20.
        assertEq(adapter.seize(1, 10, router), 10);
        assertEq(stock.balanceOf(router), 10);
    }

    /// A minimum that the issuer set for this very contract still holds, and so does the default for persons.
    function test_attack_thatIsNone_aMinimumOfItsOwn() public {
        vm.prank(alice);
        stock.transfer(address(pool), 60);
        vm.prank(issuer);
        stock.setUserLimits(address(pool), 0, 30);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "BELOW_MIN_HOLDING");
        pool.pay(alice, 31);
        pool.pay(alice, 30);
        vm.prank(alice);
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "BELOW_MIN_HOLDING");
        stock.transfer(bob, 950);
        // Once it is authorised no more, the default holds for it too.
        vm.startPrank(issuer);
        stock.setUserLimits(address(pool), 0, 0);
        registry.verify(address(pool));
        stock.removeAuthorizedContract(address(pool));
        vm.stopPrank();
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "BELOW_MIN_HOLDING");
        pool.pay(alice, 1);
    }
}
