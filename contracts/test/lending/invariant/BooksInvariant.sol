// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LoanView, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {LoanStatus, Realization, RealizationStatus} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice What holds of a market after every call, whatever its collateral and its providers are.
abstract contract BooksInvariant is LendingTest {
    /// One campaign for all of them: each is checked after every call.
    function _checkTheBooks() internal view {
        _checkEveryUnitOfCashHasOneOwner();
        _checkSharesAreNeverWorthMoreThanTheAssets();
        _checkTheBookIsTheSumOfItsLoans();
        _checkRouterAndVenueHoldWhatTheirRecordsSay();
        _checkAClaimIsConsumedOnce();
        _checkDistributorsAreOwedNoMoreThanIsBooked();
    }

    /// @dev Run by forge at the end of each sequence: no call may have given or taken a role.
    function afterInvariant() external view {
        _checkRolesStayWhereAdoptionPutThem();
    }

    /// @dev Where `collateral`, the sum over all loans, has to be.
    function _checkPledgesAreThere(uint256 collateral) internal view virtual {
        assertEq(token.balanceOf(adapter), collateral, "custody");
    }

    /// @dev Besides the lender.
    function _otherProvider() internal view virtual returns (address) {
        return address(0);
    }

    function _checkEveryUnitOfCashHasOneOwner() private view {
        _assertSolvent();
    }

    function _checkSharesAreNeverWorthMoreThanTheAssets() private view {
        PoolView memory p = market.pool();
        assertLe(market.toAssets(p.totalShares), p.totalAssets);
        assertEq(p.totalShares, market.sharesOf(lender) + market.sharesOf(_otherProvider()), "shares");
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
        _checkPledgesAreThere(collateral);
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
            assertLe(
                uint256(r.keptPenalty) + r.keptBeyond + r.claim,
                uint256(r.totalDebt) + uint256(r.totalDebt) * r.penaltyBps / 10_000,
                "kept more than debt and penalty"
            );
            if (r.status != RealizationStatus.OPEN) assertEq(r.carried, 0, "closed but carried");
            carried += r.carried;
            held += r.held;
        }
        assertEq(carried, market.pool().carriedClaims, "carried");
        assertEq(held, market.pool().heldProceeds, "held");
    }

    function _checkDistributorsAreOwedNoMoreThanIsBooked() private view {
        uint256 owed = market.distributorFeesPayable(lender) + market.distributorFeesPayable(_otherProvider());
        assertLe(owed, market.pool().distributorFees, "owed to distributors");
    }

    function _checkRolesStayWhereAdoptionPutThem() private view {
        address[9] memory all =
            [admin, issuer, liquidator, seller, lender, deployer, address(factory), address(market), borrower];
        for (uint256 i = 0; i < all.length; ++i) {
            assertEq(market.hasRole(ADMIN_ROLE, all[i]), all[i] == admin, "market admin");
            assertEq(market.hasRole(ISSUER_ROLE, all[i]), all[i] == issuer, "issuer");
            assertEq(market.hasRole(LIQUIDATOR_ROLE, all[i]), all[i] == liquidator, "liquidator");
            assertEq(router.hasRole(ADMIN_ROLE, all[i]), all[i] == admin, "router admin");
            assertEq(router.hasRole(OPERATOR_ROLE, all[i]), all[i] == seller, "router operator");
        }
        assertEq(oracle.owner(), oracleOwner);
        assertEq(fund.owner(), admin);
        assertEq(model.owner(), issuer);
        assertEq(router.saleRecipient(), recipient);
        assertEq(market.operatorFeeRecipient(), lender);
    }
}
