// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCash} from "../../../src/demo/DemoCash.sol";
import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {LoanStatus, Realization, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {InvariantTest} from "../../support/InvariantTest.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {LendingHandler} from "./LendingHandler.sol";

contract LendingInvariantTest is LendingTest, InvariantTest {
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

    /// One campaign for all of them: each is checked after every call.
    function invariant_theBooksHold() public view {
        _checkEveryUnitOfCashHasOneOwner();
        _checkSharesAreNeverWorthMoreThanTheAssets();
        _checkTheBookIsTheSumOfItsLoans();
        _checkRouterAndVenueHoldWhatTheirRecordsSay();
        _checkAClaimIsConsumedOnce();
        _checkDistributorsAreOwedNoMoreThanIsBooked();
        _checkRolesStayWhereAdoptionPutThem();
        _checkEveryCallFitsATransaction();
    }

    function _checkEveryUnitOfCashHasOneOwner() private view {
        _assertSolvent();
    }

    function _checkSharesAreNeverWorthMoreThanTheAssets() private view {
        PoolView memory p = market.pool();
        assertLe(market.toAssets(p.totalShares), p.totalAssets);
        assertGe(p.totalShares, market.sharesOf(lender));
    }

    function _checkTheBookIsTheSumOfItsLoans() private view {
        PoolView memory p = market.pool();
        uint256 principal;
        uint256 interest;
        uint256 collateral;
        uint256 open;
        for (uint256 i = 1; i <= p.loanCounter; ++i) {
            LoanView memory l = market.loan(i);
            principal += l.principal;
            interest += l.interest;
            collateral += l.collateral;
            if (l.status != LoanStatus.CLOSED) ++open;
            else assertEq(l.principal + l.interest + l.collateral, 0, "a closed loan owes or holds");
        }
        assertEq(principal, p.totalBorrowed, "principal");
        assertGe(interest, p.interestGross, "the pool counts interest nobody owes");
        assertEq(collateral, p.totalCollateral, "collateral");
        assertEq(open, p.activeLoans, "open loans");
        assertEq(token.balanceOf(adapter), collateral, "custody");
    }

    function _checkRouterAndVenueHoldWhatTheirRecordsSay() private view {
        (uint256 received, uint256 settled,,) = router.totals();
        uint256 onRouter;
        uint256 openRecords;
        uint256 collected;
        for (uint256 i = 1; i <= received; ++i) {
            onRouter += router.liquidation(i).collateralRemaining;
            if (router.liquidation(i).settled) continue;
            ++openRecords;
            collected += router.liquidation(i).proceedsCollected;
        }
        assertEq(token.balanceOf(address(router)), onRouter, "router collateral");
        assertEq(cash.balanceOf(address(router)), collected, "router cash");
        assertEq(received - settled, openRecords, "router records");
        uint256 onVenue;
        for (uint256 i = 1; i <= venue.auctionCount(); ++i) {
            onVenue += venue.auction(i).remaining;
        }
        assertEq(token.balanceOf(address(venue)), onVenue, "venue collateral");
        assertEq(cash.balanceOf(address(venue)), 0, "venue cash");
        assertEq(venue.openAuctions(), market.pool().openAuctions, "auctions");
    }

    function _checkAClaimIsConsumedOnce() private view {
        uint256 count = market.pool().realizationCounter;
        uint256 carried;
        uint256 held;
        for (uint256 i = 1; i <= count; ++i) {
            Realization memory r = market.realization(i);
            assertLe(uint256(r.recovered) + r.covered, r.claim, "recovered beyond the claim");
            assertLe(r.principalRecovered, r.principalOwed, "principal recovered twice");
            assertLe(uint256(r.claim), r.totalDebt, "claim beyond the debt");
            assertLe(r.keptPenalty, uint256(r.totalDebt) * r.penaltyBps / 10_000, "kept more than the penalty");
            if (r.status != RealizationStatus.OPEN) assertEq(r.carried, 0, "closed but carried");
            carried += r.carried;
            held += r.held;
        }
        assertEq(carried, market.pool().carriedClaims, "carried");
        assertEq(held, market.pool().heldProceeds, "held");
    }

    function _checkDistributorsAreOwedNoMoreThanIsBooked() private view {
        assertLe(market.distributorFeesPayable(lender), market.pool().distributorFees);
    }

    function _checkRolesStayWhereAdoptionPutThem() private view {
        assertTrue(market.hasRole(ADMIN_ROLE, admin) && market.hasRole(ISSUER_ROLE, issuer));
        assertFalse(market.hasRole(ADMIN_ROLE, address(factory)) || market.hasRole(ADMIN_ROLE, lender));
        assertFalse(router.hasRole(ADMIN_ROLE, seller));
        assertEq(oracle.owner(), oracleOwner);
        assertEq(fund.owner(), admin);
        assertEq(model.owner(), issuer);
    }

    function _checkEveryCallFitsATransaction() private view {
        assertLt(handler.maxGas(), 16_777_216);
    }
}
