// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IInterestRateModel, RateTerms} from "../interfaces/IInterestRateModel.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {InterestLib} from "../libraries/InterestLib.sol";
import {RateLib} from "../libraries/RateLib.sol";
import {SharesLib} from "../libraries/SharesLib.sol";
import {MarketStorage, Position} from "./MarketStorage.sol";

/// @notice The books of the pool, shared by every operation.
library PoolLib {
    using CastLib for uint256;

    /// @dev Scale of fees per share.
    uint256 internal constant PER_SHARE_SCALE = 1e27;
    /// @dev Fewer shares than one whole one count as nobody's, since a fee per share might not fit.
    uint256 internal constant LEAST_SHARES = 1e18;
    /// @dev More than 10^12 whole units of an asset with 18 decimals, with room for everything that grows out of it.
    uint256 internal constant MOST_PRINCIPAL = type(uint128).max >> 28;

    /* INTEREST */

    /// @notice Books interest up to now at the rate in force.
    function accrue(MarketStorage storage s) internal {
        uint256 duration = InterestLib.elapsed(s.accruedAt, block.timestamp);
        if (duration == 0) return;
        uint256 rate = s.rateWad;
        (uint256 interestScaled, uint256 insurancePart) = interestAfter(s, rate, duration);
        s.interestScaled = interestScaled.u136();
        (s.index, s.accruedAt, s.insurancePart) =
        ((s.index + rate * duration).u96(), block.timestamp.u40(), insurancePart.u40());
    }

    /// @notice The unpaid interest of all loans when another `duration` has passed, and the insurance fund's part of it.
    function interestAfter(MarketStorage storage s, uint256 rate, uint256 duration)
        internal
        view
        returns (uint256 interestScaled, uint256 insurancePart)
    {
        uint256 stamped;
        (interestScaled, stamped) = (s.interestScaled, s.stampedPrincipalBps);
        insurancePart = s.insurancePart;
        uint256 earned = InterestLib.poolInterestDown(s.variablePrincipal, rate, stamped, duration);
        if (earned == 0) return (interestScaled, insurancePart);
        uint256 room = type(uint136).max - interestScaled;
        if (earned > room) earned = room;
        insurancePart = FeeSplitLib.meanPartDown(insurancePart, interestScaled, s.protocolFeeBps, earned);
        interestScaled += earned;
    }

    /// @notice What is lent in all, refused where its interest might outgrow the books.
    function checkedPrincipal(uint256 total) internal pure returns (uint128) {
        require(total <= MOST_PRINCIPAL, CastLib.DoesNotFit(total, 100));
        return total.u128();
    }

    /// @notice Takes over the rate that the books now call for.
    /// @return stampBps The rate that a new loan is stamped with.
    function refreshRate(MarketStorage storage s) internal returns (uint256 stampBps) {
        uint256 borrowed = s.totalPrincipal;
        RateTerms memory terms = s.rates;
        uint256 rate = RateLib.rateDown(terms, borrowed, s.cash + borrowed);
        stampBps = terms.fixedBps;
        if (rate != s.rateWad) s.rateWad = rate.u64();
    }

    /// @notice Copies the model's terms and takes over their rate. The market has to be accrued.
    function syncRates(MarketStorage storage s) internal {
        s.rates = IInterestRateModel(s.model).rateTerms();
        refreshRate(s);
    }

    /// @notice Takes interest off the pool's books, because it was paid or moved into a claim.
    function dropInterest(MarketStorage storage s, uint256 interest) internal {
        uint256 scaled = interest * InterestLib.POOL_SCALE;
        uint256 booked = s.interestScaled;
        s.interestScaled = (scaled < booked ? booked - scaled : 0).u136();
    }

    /// @notice Books cash that is interest: fees to their owners, the rest to the pool.
    /// @param insurancePart That of the interest when it accrued.
    function bookInterestCash(MarketStorage storage s, uint256 interest, uint256 insurancePart) internal {
        if (interest == 0) return;
        (uint256 infrastructure, uint256 operator, uint256 distributor, uint256 insurance, uint256 providers) =
            FeeSplitLib.splitInterest(interest, insurancePart);
        s.cash = (s.cash + providers).u128();
        if (insurance != 0) s.protocolFees = (s.protocolFees + insurance).u128();
        _bookShares(s, infrastructure, operator, distributor);
        emit IMarketEvents.InterestSplit(infrastructure, operator, distributor, insurance, providers);
    }

    function bookFlatFee(MarketStorage storage s, uint256 fee) internal {
        if (fee == 0) return;
        (uint256 infrastructure, uint256 operator, uint256 distributor) = FeeSplitLib.splitFlatFee(fee);
        _bookShares(s, infrastructure, operator, distributor);
    }

    /// @dev While nobody holds shares, or no more than a speck, the distributors' part is the operator's.
    function _bookShares(MarketStorage storage s, uint256 infrastructure, uint256 operator, uint256 distributor)
        private
    {
        uint256 shares = s.totalShares;
        if (shares < LEAST_SHARES) {
            operator += distributor;
        } else if (distributor != 0) {
            (s.distributorFees, s.distributorPerShare) =
            (
                (s.distributorFees + distributor).u128(),
                (s.distributorPerShare + distributor * PER_SHARE_SCALE / shares).u128()
            );
        }
        (s.infrastructureFees, s.operatorFees) =
        ((s.infrastructureFees + infrastructure).u128(), (s.operatorFees + operator).u128());
    }

    /* SHARES */

    /// @notice What the shares stand for: cash, principal, the providers' part of interest so far, claims at what they
    /// are sure to bring.
    function totalAssets(MarketStorage storage s) internal view returns (uint256) {
        uint256 interest = s.interestScaled / InterestLib.POOL_SCALE;
        return s.cash + s.totalPrincipal + s.carriedClaims + FeeSplitLib.providersPartDown(interest, s.insurancePart);
    }

    /// @notice Mints shares for `amount` that is about to be in `cash`.
    function mint(MarketStorage storage s, address provider, uint256 amount) internal returns (uint256 shares) {
        uint256 assets = totalAssets(s);
        uint256 offset = SharesLib.offset(s.assetDecimals);
        if (SharesLib.isWipedOut(assets, s.totalShares, offset)) _startEpoch(s);
        // What is left of a wiped-out pool is not the newcomer's to pay for: it counts as the first cash of the epoch.
        uint256 supply = s.totalShares;
        if (supply == 0) assets = 0;
        shares = SharesLib.toSharesDown(amount, assets, supply, offset);
        require(shares != 0, IMarketErrors.InvalidAmount(amount));
        Position storage position = settle(s, provider);
        position.shares = (position.shares + shares).u128();
        s.totalShares = (supply + shares).u128();
        s.cash = (s.cash + amount).u128();
    }

    /// @notice Brings a provider's fees and epoch up to date.
    function settle(MarketStorage storage s, address provider) internal returns (Position storage position) {
        position = s.positions[provider];
        uint256 epoch = s.epoch;
        uint256 perShare = s.distributorPerShare;
        if (position.epoch != epoch) {
            uint256 owed = _owed(position, s.epochEndPerShare[position.epoch]);
            if (owed != 0) position.owedFees = (position.owedFees + owed).u128();
            position.shares = 0;
            position.epoch = uint256(epoch).u32();
            if (position.perShare != perShare) position.perShare = perShare.u128();
        } else if (position.perShare != perShare) {
            uint256 owed = _owed(position, perShare);
            if (owed != 0) position.owedFees = (position.owedFees + owed).u128();
            position.perShare = perShare.u128();
        }
    }

    function _owed(Position storage position, uint256 perShare) private view returns (uint256) {
        return position.shares * (perShare - position.perShare) / PER_SHARE_SCALE;
    }

    function _startEpoch(MarketStorage storage s) private {
        uint256 epoch = s.epoch;
        s.epochEndPerShare[epoch] = s.distributorPerShare;
        s.epoch = (epoch + 1).u32();
        s.totalShares = 0;
        emit IMarketEvents.ShareEpochStarted(epoch + 1);
    }

    /* VIEWS */

    function sharesOf(MarketStorage storage s, address provider) internal view returns (uint256) {
        Position storage position = s.positions[provider];
        return position.epoch == s.epoch ? position.shares : 0;
    }

    function feesOf(MarketStorage storage s, address provider) internal view returns (uint256) {
        Position storage position = s.positions[provider];
        uint256 perShare = position.epoch == s.epoch ? s.distributorPerShare : s.epochEndPerShare[position.epoch];
        return position.owedFees + _owed(position, perShare);
    }

    /// @notice What may be lent: cash beyond the reserve.
    function borrowable(MarketStorage storage s) internal view returns (uint256) {
        uint256 cash = s.cash;
        uint256 reserve = (cash + s.totalPrincipal) * s.reserveRatioBps / FeeSplitLib.BPS;
        return cash > reserve ? cash - reserve : 0;
    }
}
