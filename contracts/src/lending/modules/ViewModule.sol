// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {LoanView, MarketConfig, PoolView} from "../interfaces/ILendingMarket.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {ISecurityPriceOracle} from "../interfaces/ISecurityPriceOracle.sol";
import {LoanRecord, LoanStatus} from "../interfaces/MarketTypes.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {HealthLib} from "../libraries/HealthLib.sol";
import {InterestLib} from "../libraries/InterestLib.sol";
import {SharesLib} from "../libraries/SharesLib.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
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
        p.cash = s.cash;
        p.totalBorrowed = s.totalPrincipal;
        p.totalLiquidity = p.cash + p.totalBorrowed;
        p.borrowable = PoolLib.borrowable(s);
        (uint256 interestScaled, uint256 insurancePart) =
            PoolLib.interestAfter(s, s.rateWad, InterestLib.elapsed(s.accruedAt, block.timestamp));
        p.interestGross = interestScaled / InterestLib.POOL_SCALE;
        p.totalAssets =
            p.totalLiquidity + s.carriedClaims + FeeSplitLib.providersPartDown(p.interestGross, insurancePart);
        p.totalShares = s.totalShares;
        p.carriedClaims = s.carriedClaims;
        p.heldProceeds = s.heldProceeds;
        p.escrowedSurplus = s.escrowedSurplus;
        p.infrastructureFees = s.infrastructureFees;
        p.operatorFees = s.operatorFees;
        p.distributorFees = s.distributorFees;
        p.protocolFees = s.protocolFees;
        p.totalCollateral = s.totalCollateral;
        p.borrowRateWad = s.rateWad;
        p.loanCounter = s.loanCounter;
        p.activeLoans = s.activeLoans;
        p.realizationCounter = s.realizationCounter;
        p.proposalCounter = s.proposalCounter;
        p.openAuctions = s.openAuctions;
        p.epoch = s.epoch;
    }

    function loan(MarketStorage storage s, uint256 loanId) external view returns (LoanView memory v) {
        LoanRecord memory l = _loan(s, loanId);
        v.borrower = l.borrower;
        v.payee = s.payees[loanId];
        v.status = l.status;
        v.principal = l.principal;
        v.collateral = l.collateral;
        v.rateBps = l.rateBps;
        v.dueAt = l.dueAt;
        v.effectiveDueAt = LoanLib.effectiveDueAt(s, l.dueAt);
        v.gracePeriod = l.gracePeriod;
        v.termPenaltyBps = l.termPenaltyBps;
        if (l.status == LoanStatus.NONE) return v;
        v.interest = _interestNow(s, l);
    }

    function loanTerms(MarketStorage storage s, uint256 loanId)
        external
        view
        returns (uint256 thresholdBps, uint256 penaltyBps)
    {
        LoanRecord memory l = LoanLib.read(s, loanId);
        if (l.status == LoanStatus.NONE || l.status == LoanStatus.CLOSED) return (0, 0);
        return (LoanLib.thresholdOf(s, l.liquidationThresholdBps), LoanLib.penaltyOf(s, l.liquidationPenaltyBps));
    }

    /// @notice At the stored price, fresh or not.
    function healthFactor(MarketStorage storage s, uint256 loanId) external view returns (uint256) {
        LoanRecord memory l = _loan(s, loanId);
        uint256 debt = l.principal + _interestNow(s, l);
        return HealthLib.healthFactorDown(
            l.collateral,
            ISecurityPriceOracle(s.oracle).price(),
            10 ** s.collateralDecimals,
            LoanLib.thresholdOf(s, l.liquidationThresholdBps),
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
    function _loan(MarketStorage storage s, uint256 loanId) private view returns (LoanRecord memory l) {
        l = LoanLib.read(s, loanId);
        if (!l.followsSplits) return l;
        uint256 pledged = ICollateralAdapter(s.adapter).pledgedNow(loanId);
        if (pledged > l.collateral) l.collateral = CastLib.u96(pledged);
    }

    function _interestNow(MarketStorage storage s, LoanRecord memory l) private view returns (uint256) {
        return l.interest + LoanLib.pendingInterestUp(l.principal, l.rateBps, l.index, _indexNow(s));
    }

    function _indexNow(MarketStorage storage s) private view returns (uint256) {
        return s.index + s.rateWad * InterestLib.elapsed(s.accruedAt, block.timestamp);
    }
}
