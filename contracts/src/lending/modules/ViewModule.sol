// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {LoanView, MarketConfig, PoolView} from "../interfaces/ILendingMarket.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {ISecurityPriceOracle} from "../interfaces/ISecurityPriceOracle.sol";
import {LoanRecord, LoanStatus, LoanTerms} from "../interfaces/MarketTypes.sol";
import {HealthLib} from "../libraries/HealthLib.sol";
import {InterestLib} from "../libraries/InterestLib.sol";
import {SharesLib} from "../libraries/SharesLib.sol";
import {LoanLib} from "./LoanLib.sol";
import {Books, MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";

/// @notice Answers that project interest to the current second.
library ViewModule {
    function config(MarketStorage storage s) external view returns (MarketConfig memory) {
        return MarketConfig({
            collateralFactorBps: s.collateralFactorBps,
            liquidationThresholdBps: s.liquidationThresholdBps,
            liquidationPenaltyBps: s.liquidationPenaltyBps,
            protocolFeeBps: s.protocolFeeBps,
            closeFactorBps: s.closeFactorBps,
            useDutchAuction: s.useDutchAuction,
            auctionDuration: s.auctionDuration,
            auctionStartBps: s.auctionStartBps,
            auctionMinBps: s.auctionMinBps,
            minBorrowAmount: s.minBorrowAmount,
            maxTotalCollateral: s.maxTotalCollateral,
            maxUserCollateral: s.maxUserCollateral
        });
    }

    function pool(MarketStorage storage s) public view returns (PoolView memory p) {
        Books memory b = PoolLib.projected(s);
        p.cash = b.cash;
        p.totalBorrowed = b.totalPrincipal;
        p.totalLiquidity = p.cash + p.totalBorrowed;
        p.borrowable = PoolLib.borrowable(s, b);
        p.interestGross = b.interestScaled / InterestLib.POOL_SCALE;
        p.totalAssets = PoolLib.totalAssets(s, b);
        p.totalShares = PoolLib.totalShares(b);
        p.carriedClaims = s.carriedClaims;
        p.heldProceeds = s.heldProceeds;
        p.escrowedSurplus = s.escrowedSurplus;
        p.infrastructureFees = uint256(s.infrastructureFees) + s.fees.infrastructure;
        p.operatorFees = uint256(s.operatorFees) + s.fees.operator;
        p.distributorFees = uint256(s.distributorFees) + s.fees.distributor;
        p.protocolFees = s.protocolFees;
        p.totalCollateral = s.totalCollateral;
        p.borrowRateWad = PoolLib.rateOf(b);
        p.loanCounter = s.loanCounter;
        p.activeLoans = s.activeLoans;
        p.realizationCounter = s.realizationCounter;
        p.proposalCounter = s.proposalCounter;
        p.openAuctions = s.openAuctions;
        p.epoch = s.epoch;
    }

    function loan(MarketStorage storage s, uint256 loanId) external view returns (LoanView memory v) {
        (LoanRecord memory l, LoanTerms memory terms) = _loan(s, loanId);
        v.borrower = l.borrower;
        v.payee = s.payees[loanId];
        v.status = LoanLib.statusIn(l.state);
        if (v.status == LoanStatus.NONE) return v;
        v.principal = l.principal;
        v.interest = LoanLib.interestIn(l, terms.rateBps, PoolLib.projected(s).index);
        v.collateral = l.collateral;
        if (l.state & LoanLib.IS_STAMPED != 0) v.rateBps = terms.rateBps;
        if (l.dueAt == 0) return v;
        v.dueAt = l.dueAt;
        v.effectiveDueAt = LoanLib.effectiveDueAt(s, l.dueAt);
        v.gracePeriod = terms.gracePeriod;
        v.termPenaltyBps = terms.termPenaltyBps;
    }

    function loanTerms(MarketStorage storage s, uint256 loanId)
        external
        view
        returns (uint256 thresholdBps, uint256 penaltyBps)
    {
        (LoanRecord memory l, LoanTerms memory terms) = LoanLib.read(s, loanId);
        LoanStatus status = LoanLib.statusIn(l.state);
        if (status == LoanStatus.NONE || status == LoanStatus.CLOSED) return (0, 0);
        return
            (LoanLib.thresholdOf(s, terms.liquidationThresholdBps), LoanLib.penaltyOf(s, terms.liquidationPenaltyBps));
    }

    /// @notice At the stored price, fresh or not.
    function healthFactor(MarketStorage storage s, uint256 loanId) external view returns (uint256) {
        (LoanRecord memory l, LoanTerms memory terms) = _loan(s, loanId);
        uint256 debt = l.principal + LoanLib.interestIn(l, terms.rateBps, PoolLib.projected(s).index);
        return HealthLib.healthFactorDown(
            l.collateral,
            ISecurityPriceOracle(s.oracle).price(),
            10 ** s.collateralDecimals,
            LoanLib.thresholdOf(s, terms.liquidationThresholdBps),
            debt
        );
    }

    function maxBorrow(MarketStorage storage s, uint256 collateral) external view returns (uint256) {
        return HealthLib.capacityDown(
            collateral, ISecurityPriceOracle(s.oracle).price(), 10 ** s.collateralDecimals, s.collateralFactorBps
        );
    }

    function toAssets(MarketStorage storage s, uint256 shares) external view returns (uint256) {
        PoolView memory p = pool(s);
        return SharesLib.toAssetsDown(shares, p.totalAssets, p.totalShares, SharesLib.offset(s.assetDecimals));
    }

    function position(MarketStorage storage s, address provider) external view returns (uint256 shares, uint256 fees) {
        return (PoolLib.sharesOf(s, provider), PoolLib.feesOf(s, provider));
    }

    /// @notice Seeds and feeds the history series.
    function snapshot(MarketStorage storage s) external {
        PoolView memory p = pool(s);
        emit IMarketEvents.Snapshot(
            p.totalLiquidity,
            p.totalBorrowed,
            p.cash,
            p.totalAssets,
            p.carriedClaims,
            p.totalShares,
            p.totalCollateral,
            ISecurityPriceOracle(s.oracle).price(),
            p.borrowRateWad
        );
    }

    /// @dev With what splits made of the collateral, whether or not anybody acted on the loan since.
    function _loan(MarketStorage storage s, uint256 loanId)
        private
        view
        returns (LoanRecord memory l, LoanTerms memory terms)
    {
        (l, terms) = LoanLib.read(s, loanId);
        if (l.state & LoanLib.FOLLOWS_SPLITS == 0) return (l, terms);
        uint256 pledged = ICollateralAdapter(s.adapter).pledgedNow(loanId);
        if (pledged > l.collateral) l.collateral = CastLib.u96(pledged);
    }
}
