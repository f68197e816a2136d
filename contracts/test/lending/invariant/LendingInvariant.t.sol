// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {BooksInvariant} from "./BooksInvariant.sol";
import {LendingHandler} from "./LendingHandler.sol";

contract LendingInvariantTest is BooksInvariant, InvariantTest {
    LendingHandler private handler;

    function setUp() public override {
        super.setUp();
        _wireVenue();
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
        handler = new LendingHandler(market, cash, DemoCash(address(token)), venue, actors);
        for (uint256 i = 1; i < 3; ++i) {
            vm.startPrank(actors.borrowers[i]);
            token.approve(adapter, type(uint256).max);
            cash.approve(address(market), type(uint256).max);
            vm.stopPrank();
        }
        DemoCash(address(cash)).transferOwnership(address(handler));
        DemoCash(address(token)).transferOwnership(address(handler));
        targetContract(address(handler));
        excludeContract(address(handler.market()));
    }

    function invariant_theBooksHold() public view {
        _checkTheBooks();
        assertLt(handler.maxGas(), 16_777_216);
    }
}
