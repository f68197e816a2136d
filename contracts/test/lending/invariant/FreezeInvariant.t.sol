// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreezeAdapter} from "../../../src/lending/FreezeAdapter.sol";
import {DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LoanView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";
import {BooksInvariant} from "./BooksInvariant.sol";
import {FreezeHandler} from "./FreezeHandler.sol";
import {LendingHandler} from "./LendingHandler.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

contract FreezeInvariantTest is BooksInvariant, TrexWorld, InvariantTest {
    FreezeHandler private handler;

    function setUp() public override {
        super.setUp();
        _wireVenue();
        _registerHolder(address(venue));
        vm.prank(issuer);
        market.setTermConfig(60 days, 2 days, 0, 200);
        LendingHandler.Actors memory actors;
        actors.lender = lender;
        actors.admin = admin;
        actors.issuer = issuer;
        actors.signer = signer;
        actors.liquidator = liquidator;
        actors.seller = seller;
        actors.buyer = buyer;
        actors.borrowers = [borrower, makeAddress("second borrower"), makeAddress("third borrower")];
        handler = new FreezeHandler(market, cash, security, registry, venue, actors);
        _addManager(borrowerIdentity, address(handler));
        for (uint256 i = 1; i < 3; ++i) {
            _addManager(_registerHolder(actors.borrowers[i]), address(handler));
            vm.prank(actors.borrowers[i]);
            cash.approve(address(market), type(uint256).max);
        }
        cash.transferOwnership(address(handler));
        security.addAgent(address(handler));
        targetContract(address(handler));
    }

    function invariant_everyPledgeIsFrozenOrItsLossIsSomebodyElses() public view {
        _checkTheBooks();
        assertLt(handler.maxGas(), 16_777_216);
    }

    function _checkPledgesAreThere(uint256 collateral) internal view override {
        FreezeAdapter freezer = FreezeAdapter(adapter);
        assertEq(token.balanceOf(adapter), 0, "the adapter holds nothing");
        uint256 count = market.pool().loanCounter;
        for (uint256 loanId = 1; loanId <= count; ++loanId) {
            LoanView memory l = market.loan(loanId);
            (address holder, uint256 amount) = freezer.pledgeOf(loanId);
            assertEq(amount, l.collateral, "loan and pledge");
            assertEq(holder, l.borrower, "borrower and holder");
        }
        uint256 locked;
        for (uint256 i = 0; i < handler.holderCount(); ++i) {
            address holder = handler.holders(i);
            uint256 mine = freezer.lockedOf(holder);
            locked += mine;
            assertEq(mine, market.collateralOf(holder), "locked for the holder");
            if (!handler.isTouched(holder)) assertGe(security.getFrozenTokens(holder), mine, "frozen");
        }
        assertEq(locked, collateral, "all pledges");
    }

    /* BOTH WORLDS */

    function _params() internal view override(LendingTest, TrexWorld) returns (DeployParams memory) {
        return super._params();
    }

    function _makeCollateral() internal override(LendingTest, TrexWorld) returns (IERC20) {
        return super._makeCollateral();
    }

    function _afterAdoption() internal override(LendingTest, TrexWorld) {
        super._afterAdoption();
    }

    function _giveCollateral(address to, uint256 amount) internal override(LendingTest, TrexWorld) {
        super._giveCollateral(to, amount);
    }
}
