// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {CollateralMode} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LoanView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {LoanStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {StockWorld} from "../../support/StockWorld.sol";
import {SplitHandler} from "./SplitHandler.sol";

contract SplitInvariantTest is StockWorld, InvariantTest {
    SplitHandler private handler;

    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    function setUp() public override {
        super.setUp();
        address[3] memory borrowers = [borrower, makeAddress("second borrower"), makeAddress("third borrower")];
        for (uint256 i = 1; i < 3; ++i) {
            _verify(borrowers[i]);
            vm.prank(borrowers[i]);
            stock.approve(adapter, type(uint256).max);
        }
        handler = new SplitHandler(market, stock, registry, cash, company, signer, borrowers);
        registry.addRegisterOperator(address(handler), "handler");
        registry.addKYCProvider(address(handler), "handler");
        cash.transferOwnership(address(handler));
        targetContract(address(handler));
    }

    /// What splits make of a pledge is the borrower's, to a unit for each split and payment.
    function invariant_aPledgeGrowsWithItsShares() public view {
        uint256 count = market.pool().loanCounter;
        for (uint256 id = 1; id <= count; ++id) {
            LoanView memory l = market.loan(id);
            if (l.status != LoanStatus.ACTIVE) continue;
            uint256 expected = handler.pledgedAtFirst(id) * handler.growth() / 1e18;
            assertApproxEqAbs(l.collateral, expected, 1e9);
        }
    }

    function invariant_custodyHoldsEveryPledgeAndEscrow() public view {
        uint256 owed;
        uint256 count = market.pool().loanCounter;
        for (uint256 id = 1; id <= count; ++id) {
            owed += CustodyAdapter(adapter).pledgedNow(id);
        }
        assertGe(stock.balanceOf(adapter), owed, "custody holds less than it owes");
    }

    /// When everybody has paid, nothing but what rounding cut off stays behind.
    function afterInvariant() external {
        uint256 count = market.pool().loanCounter;
        vm.prank(address(handler));
        cash.mint(address(this), 1e15);
        cash.approve(address(market), type(uint256).max);
        for (uint256 id = 1; id <= count; ++id) {
            if (market.loan(id).status == LoanStatus.ACTIVE) market.repay(id, type(uint256).max);
        }
        assertLe(stock.balanceOf(adapter), CustodyAdapter(adapter).totalEscrowed() + 1e9, "shares are stuck");
    }
}
