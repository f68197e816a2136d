// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IDutchAuctionVenue} from "../interfaces/IDutchAuctionVenue.sol";
import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {ILiquidationRouter} from "../interfaces/ILiquidationRouter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {SignedPrice} from "../interfaces/ISecurityPriceOracle.sol";
import {LoanRecord, LoanStatus, LoanTerms, Realization, RealizationStatus} from "../interfaces/MarketTypes.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {HealthLib} from "../libraries/HealthLib.sol";
import {AbsenceLib} from "./AbsenceLib.sol";
import {Debt, LoanLib} from "./LoanLib.sol";
import {Books, MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {SettlementLib} from "./SettlementLib.sol";
import {SettlementModule} from "./SettlementModule.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Realizing a loan: how much is claimed, what is taken for it, where it goes.
library SeizureModule {
    using CastLib for uint256;

    uint256 private constant BPS = 10_000;
    /// @dev A sale to the bidder takes a fifth of it, with a token that asks for ten claims of everyone the half.
    uint256 private constant ATOMIC_GAS = 3_000_000;

    /// @param sizePrice The price at which collateral is counted for the claim.
    /// @param closes Whether nothing of the loan stays.
    struct Seizure {
        uint256 id;
        uint256 loanId;
        address borrower;
        uint256 price;
        uint256 floorPrice;
        uint256 sizePrice;
        uint256 scale;
        uint256 collateral;
        uint256 debt;
        uint256 interest;
        uint256 claim;
        uint256 taken;
        uint256 penaltyBps;
        bool isTerm;
        bool isAuction;
        bool isAtomic;
        bool closes;
    }

    /// @dev In atomic mode the whole realization is tried with the sale. Without a bid, without the bidder's money or with a
    /// token that refuses it nothing of that stays, and the collateral waits in the router, sized for an open sale.
    function liquidate(MarketStorage storage s, uint256 loanId, SignedPrice calldata signedPrice)
        external
        returns (uint256)
    {
        if (!s.useDutchAuction) {
            try ILiquidationRouter(s.router).atomicTerms() returns (bool isAtomic, uint256 factorBps) {
                if (isAtomic) {
                    require(gasleft() > ATOMIC_GAS, IMarketErrors.SaleNeedsMoreGas());
                    try ILendingMarket(address(this)).liquidateAtomically(loanId, signedPrice, factorBps) returns (
                        uint256 id
                    ) {
                        return id;
                    } catch {}
                }
            } catch {}
        }
        return realize(s, loanId, signedPrice, 0);
    }

    /// @param bidFactorBps The bidder's price as a part of the oracle's; 0: the sale comes later.
    function realize(MarketStorage storage s, uint256 loanId, SignedPrice calldata signedPrice, uint256 bidFactorBps)
        public
        returns (uint256)
    {
        Seizure memory x;
        x.isAtomic = bidFactorBps != 0;
        LoanRecord storage loan = LoanLib.requireUnlocked(s, loanId);
        x.loanId = loanId;
        x.borrower = loan.borrower;
        x.price = LoanLib.priceSince(s, signedPrice, LoanLib.follow(s, loanId, loan));
        Books memory b = PoolLib.open(s);
        Debt memory d = LoanLib.debtOf(loan);
        x.interest = LoanLib.interestOf(s, b, loan, d);
        x.debt = d.principal + x.interest;
        x.scale = AbsenceLib.collateralScale(s);
        // What another agent took makes no healthy loan due: the trigger is the booked collateral's.
        x.collateral = loan.collateral;
        LoanTerms memory agreed = LoanLib.termsOf(s, d.termsId);
        _checkTrigger(s, x, d.dueAt, agreed);
        x.collateral = _reconcile(s, loanId, loan);
        _choosePath(s, x, bidFactorBps);
        _size(s, x, agreed);

        Realization storage r = _record(s, x, b.insurancePart);
        uint256 residual = _takeOver(s, b, x, loan, d, r);
        PoolLib.save(s, b);
        uint256 rest = x.closes ? LoanLib.close(s, loanId, loan) : 0;
        if (x.isAuction && x.taken != 0) {
            if (!x.closes) LoanLib.setStatus(loan, LoanStatus.IN_AUCTION);
            s.openAuctions = uint256(s.openAuctions + 1).u48();
        }
        _deliver(s, x, r);
        if (rest != 0) ICollateralAdapter(s.adapter).release(loanId, rest);
        if (residual != 0) SettlementLib.coverResidual(s, x.id, r, residual);
        return x.id;
    }

    /* CHECKS */

    function _reconcile(MarketStorage storage s, uint256 loanId, LoanRecord storage loan)
        private
        returns (uint256 found)
    {
        uint256 expected = loan.collateral;
        found = ICollateralAdapter(s.adapter).reconcile(loanId);
        if (found == expected) return found;
        LoanLib.reduceCollateral(s, loan, expected - found);
        emit IMarketEvents.CollateralMissing(loanId, expected, found);
    }

    function _checkTrigger(MarketStorage storage s, Seizure memory x, uint256 loanDueAt, LoanTerms memory agreed)
        private
        view
    {
        require(x.debt != 0, IMarketErrors.NoOutstandingDebt(x.loanId));
        uint256 dueAt = LoanLib.effectiveDueAt(s, loanDueAt);
        x.isTerm = dueAt != 0 && block.timestamp > dueAt + agreed.gracePeriod;
        if (x.isTerm) return;
        uint256 thresholdBps = LoanLib.thresholdOf(s, agreed.liquidationThresholdBps);
        uint256 health = HealthLib.healthFactorDown(x.collateral, x.price, x.scale, thresholdBps, x.debt);
        require(health < 1e18, IMarketErrors.LoanStillHealthy(x.loanId, health));
    }

    function _choosePath(MarketStorage storage s, Seizure memory x, uint256 bidFactorBps) private view {
        x.floorPrice = x.price * s.auctionMinBps / BPS;
        x.isAuction = s.useDutchAuction;
        x.sizePrice = x.isAtomic ? x.price * bidFactorBps / BPS : x.price;
    }

    /* SIZING */

    function _size(MarketStorage storage s, Seizure memory x, LoanTerms memory agreed) private view {
        // Nothing is left to claim on: the whole debt is a residual.
        if (x.collateral == 0) {
            x.closes = true;
            return;
        }
        if (x.isTerm) {
            x.penaltyBps = agreed.termPenaltyBps;
            x.claim = x.debt;
            if (x.isAuction) x.sizePrice = x.floorPrice;
            x.taken = _atMost(x.collateral, _needed(x, x.claim));
            x.closes = true;
            return;
        }
        x.penaltyBps = LoanLib.penaltyOf(s, agreed.liquidationPenaltyBps);
        // A debt too small to be lent is not worth several realizations.
        bool isSmall = LoanLib.isSmall(s, x.debt, agreed.minBorrowUnits);
        x.claim = isSmall ? x.debt : HealthLib.closableDebtUp(x.debt, s.closeFactorBps);
        if (x.isAuction) {
            x.taken = isSmall ? x.collateral : HealthLib.closableDebtUp(x.collateral, s.closeFactorBps);
            bool isTooLittle = HealthLib.valueDown(x.taken, x.price, x.scale) < x.claim;
            if (isTooLittle || isSmall) (x.taken, x.claim) = (x.collateral, x.debt);
        } else {
            x.taken = _needed(x, x.claim);
            if (x.taken >= x.collateral) {
                uint256 covered = HealthLib.claimForCollateralDown(x.collateral, x.penaltyBps, x.sizePrice, x.scale);
                (x.taken, x.claim) = (x.collateral, _atMost(x.claim, covered));
            }
        }
        x.closes = x.taken == x.collateral;
    }

    /// @dev A floor or a bid that rounds to nothing counts as one unit: then all collateral is taken.
    function _needed(Seizure memory x, uint256 claim) private pure returns (uint256) {
        uint256 price = x.sizePrice == 0 ? 1 : x.sizePrice;
        return HealthLib.collateralForClaimUp(claim, x.penaltyBps, price, x.scale);
    }

    function _atMost(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    /* BOOKS */

    function _record(MarketStorage storage s, Seizure memory x, uint256 insurancePart)
        private
        returns (Realization storage r)
    {
        x.id = s.realizationCounter + 1;
        s.realizationCounter = x.id.u48();
        r = s.realizations[x.id];
        uint256 claimInterest = _atMost(x.interest, x.claim);
        uint256 principal = x.claim - claimInterest;
        uint256 floorValue = _atMost(HealthLib.valueDown(x.taken, x.floorPrice, x.scale), type(uint104).max);
        uint256 carried = _carriedDown(principal, claimInterest, floorValue, insurancePart);
        _write(r, x, principal, floorValue, carried, insurancePart);
        s.carriedClaims = (s.carriedClaims + carried).u128();
    }

    /// @dev The three slots that a record begins with, each written once.
    function _write(
        Realization storage r,
        Seizure memory x,
        uint256 principal,
        uint256 floorValue,
        uint256 carried,
        uint256 insurancePart
    ) private {
        uint256 first = x.loanId.u48() | uint256(block.timestamp.u40()) << 48 | uint256(x.penaltyBps.u16()) << 88
            | uint256(x.taken == 0 ? RealizationStatus.SETTLED : RealizationStatus.OPEN) << 104
            | (x.isTerm ? 1 << 112 : 0) | (x.isAuction ? 1 << 120 : 0) | uint256(x.claim.u120()) << 136;
        uint256 second = principal.u104() | uint256(x.debt.u120()) << 104;
        uint256 third = floorValue.u104() | uint256(carried.u104()) << 104 | uint256(insurancePart.u40()) << 208;
        assembly ("memory-safe") {
            sstore(r.slot, first)
            sstore(add(r.slot, 1), second)
            sstore(add(r.slot, 2), third)
        }
    }

    /// @dev What a sale at the floor brings the pool: principal first, fees on the interest taken off.
    function _carriedDown(uint256 principal, uint256 interest, uint256 floorValue, uint256 insurancePart)
        private
        pure
        returns (uint256)
    {
        if (floorValue <= principal) return floorValue;
        return principal + FeeSplitLib.providersPartDown(_atMost(interest, floorValue - principal), insurancePart);
    }

    /// @dev The claim leaves the loan, all interest first. What nothing is left to pay for is the residual.
    function _takeOver(
        MarketStorage storage s,
        Books memory b,
        Seizure memory x,
        LoanRecord storage loan,
        Debt memory d,
        Realization storage r
    ) private returns (uint256 residual) {
        uint256 principal = r.principalOwed;
        if (x.closes && x.claim < x.debt) {
            residual = x.debt - x.claim;
            r.beyond = residual.u128();
            SettlementLib.bookLoss(s, r, residual, 0);
            LoanLib.reduce(s, b, loan, d, d.principal, x.interest, x.interest);
        } else {
            LoanLib.reduce(s, b, loan, d, principal, x.claim - principal, x.interest);
        }
        LoanLib.save(loan, d);
        if (x.taken != 0) LoanLib.reduceCollateral(s, loan, x.taken);
    }

    /* DELIVERY */

    function _deliver(MarketStorage storage s, Seizure memory x, Realization storage r) private {
        address destination = x.isAuction ? s.auctionModule : s.router;
        emit IMarketEvents.LoanLiquidated(x.loanId, x.id, destination, x.taken, x.claim, x.debt, x.isTerm);
        if (x.taken == 0) return;
        uint256 received = ICollateralAdapter(s.adapter).seize(x.loanId, x.taken, destination);
        if (received != x.taken) _bookShortDelivery(s, x, r, received);
        if (x.isAuction) {
            IDutchAuctionVenue(destination).startAuction(x.id, x.loanId, x.borrower, received, x.claim, x.price);
            return;
        }
        ILiquidationRouter router = ILiquidationRouter(destination);
        uint256 liquidationId = router.receiveLiquidatedCollateral(x.id, received);
        if (!x.isAtomic) return;
        IERC20 asset = IERC20(s.asset);
        uint256 before = asset.balanceOf(address(this));
        router.executeAtomicSale(liquidationId, x.borrower, x.price);
        SettlementModule.settle(s, x.id, r, asset.balanceOf(address(this)) - before);
    }

    /// @dev What the token kept is missing: the record counts on no more than what arrived.
    function _bookShortDelivery(MarketStorage storage s, Seizure memory x, Realization storage r, uint256 received)
        private
    {
        uint256 floorValue = _atMost(r.floorValue, HealthLib.valueDown(received, x.floorPrice, x.scale));
        uint256 principal = r.principalOwed;
        uint256 carried = _carriedDown(principal, x.claim - principal, floorValue, r.insurancePart);
        s.carriedClaims = (s.carriedClaims - r.carried + carried).u128();
        r.floorValue = floorValue.u104();
        r.carried = carried.u104();
        emit IMarketEvents.CollateralMissing(x.loanId, x.taken, received);
    }
}
