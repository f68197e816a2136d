// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {IInterestRateModel, RateMode, RateTerms} from "../interfaces/IInterestRateModel.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {FeeSplitLib} from "../libraries/FeeSplitLib.sol";
import {InterestLib} from "../libraries/InterestLib.sol";
import {RateLib} from "../libraries/RateLib.sol";
import {SharesLib} from "../libraries/SharesLib.sol";
import {BookSlots, Books, FeeBook, Issue, MarketStorage, Position} from "./MarketStorage.sol";

/// @notice The books of the pool, shared by every operation.
/// @dev An operation opens the books, changes them in memory and saves them once, before it calls anybody.
library PoolLib {
    using CastLib for uint256;

    /// @dev Scale of fees per share.
    uint256 internal constant PER_SHARE_SCALE = 1e27;
    /// @dev Fewer shares than one whole one count as nobody's, since a fee per share might not fit.
    uint256 internal constant LEAST_SHARES = 1e18;
    /// @dev More than 10^12 whole units of an asset with 18 decimals, with room for everything that grows out of it.
    uint256 internal constant MOST_PRINCIPAL = type(uint128).max >> 28;

    /* BOOKS */

    /// @notice The books with interest up to now, to be changed and saved.
    function open(MarketStorage storage s) internal returns (Books memory b) {
        _load(s, b);
        if (b.accruedAt == 0) {
            _takeOver(s);
            _load(s, b);
        }
        _accrue(s, b);
    }

    /// @notice Books interest up to now at the rate in force.
    function accrue(MarketStorage storage s) internal {
        save(s, open(s));
    }

    /// @notice The books with interest up to now, to be read.
    function projected(MarketStorage storage s) internal view returns (Books memory b) {
        b = load(s);
        _accrue(s, b);
    }

    /// @notice The books as they were saved.
    function load(MarketStorage storage s) internal view returns (Books memory b) {
        _load(s, b);
        if (b.accruedAt == 0) _loadEarlier(s, b);
    }

    /// @dev Nothing may have outgrown its place.
    function save(MarketStorage storage s, Books memory b) internal {
        require(
            b.cash >> 112 | b.totalPrincipal >> 104 | b.variablePrincipal >> 104 | b.index >> 96 | b.perShare >> 128
                    | b.accruedAt >> 32 == 0,
            IMarketErrors.BooksOverflow()
        );
        BookSlots storage books = s.books;
        uint256 first = b.cash | b.totalPrincipal << 112 | b.insurancePart << 216;
        uint256 second = b.variablePrincipal | b.interestScaled << 104 | b.termsId << 240;
        uint256 third = b.index | b.perShare << 96 | b.accruedAt << 224;
        assembly ("memory-safe") {
            sstore(books.slot, first)
            sstore(add(books.slot, 1), second)
            sstore(add(books.slot, 2), third)
        }
    }

    function _accrue(MarketStorage storage s, Books memory b) private view {
        uint256 duration = InterestLib.elapsed(b.accruedAt, block.timestamp);
        if (duration == 0) return;
        uint256 rate = rateOf(b);
        // The books of most markets hold no stamped loan.
        uint256 stamped = b.totalPrincipal == b.variablePrincipal ? 0 : s.stampedPrincipalBps;
        uint256 earned = InterestLib.poolInterestDown(b.variablePrincipal, rate, stamped, duration);
        if (earned != 0) {
            uint256 booked = b.interestScaled;
            uint256 room = type(uint136).max - booked;
            if (earned > room) earned = room;
            b.insurancePart = FeeSplitLib.meanPartDown(b.insurancePart, booked, s.protocolFeeBps, earned);
            b.interestScaled = booked + earned;
        }
        b.index += rate * duration;
        b.accruedAt = block.timestamp;
    }

    function _load(MarketStorage storage s, Books memory b) private view {
        BookSlots storage books = s.books;
        Issue storage issue = s.issue;
        uint256 first;
        uint256 second;
        uint256 third;
        uint256 fourth;
        assembly ("memory-safe") {
            first := sload(books.slot)
            second := sload(add(books.slot, 1))
            third := sload(add(books.slot, 2))
            fourth := sload(issue.slot)
        }
        b.cash = first & type(uint112).max;
        b.totalPrincipal = first >> 112 & type(uint104).max;
        b.insurancePart = first >> 216;
        b.variablePrincipal = second & type(uint104).max;
        b.interestScaled = second >> 104 & type(uint136).max;
        b.termsId = second >> 240;
        b.index = third & type(uint96).max;
        b.perShare = third >> 96 & type(uint128).max;
        b.accruedAt = third >> 224;
        b.issue = fourth;
    }

    /// @dev As versions before 3 kept them.
    function _loadEarlier(MarketStorage storage s, Books memory b) private view {
        b.cash = s.cash;
        b.totalPrincipal = s.totalPrincipal;
        b.insurancePart = s.insurancePart;
        b.variablePrincipal = s.variablePrincipal;
        b.interestScaled = s.interestScaled;
        b.index = s.index;
        b.perShare = s.distributorPerShare;
        b.accruedAt = s.accruedAt;
        b.issue = s.totalShares | _packed(s.rates);
    }

    function _takeOver(MarketStorage storage s) private {
        Books memory b;
        _loadEarlier(s, b);
        save(s, b);
        _saveIssue(s, b.issue);
        (s.cash, s.totalShares, s.totalPrincipal, s.variablePrincipal) = (0, 0, 0, 0);
        (s.index, s.accruedAt, s.rateWad, s.insurancePart) = (0, 0, 0, 0);
        (s.interestScaled, s.distributorPerShare) = (0, 0);
        delete s.rates;
    }

    function _saveIssue(MarketStorage storage s, uint256 word) private {
        Issue storage issue = s.issue;
        assembly ("memory-safe") {
            sstore(issue.slot, word)
        }
    }

    /* RATE */

    /// @notice The rate that the books call for: it is in force until they change.
    function rateOf(Books memory b) internal pure returns (uint256) {
        uint256 terms = b.issue;
        uint256 borrowed = b.totalPrincipal;
        // forge-lint: disable-start(unsafe-typecast)
        uint256 rate = RateLib.curveDown(
            uint16(terms >> 128),
            uint16(terms >> 144),
            uint24(terms >> 160),
            uint16(terms >> 184),
            borrowed,
            b.cash + borrowed
        );
        return RateLib.boundedDown(rate, RateMode(uint8(terms >> 200)), uint16(terms >> 208), uint16(terms >> 224));
        // forge-lint: disable-end(unsafe-typecast)
    }

    /// @notice The rate that a new loan is stamped with; 0: none.
    function stampBps(Books memory b) internal pure returns (uint256) {
        return b.issue >> 240;
    }

    /// @notice Copies the model's terms. The market has to be accrued.
    function syncRates(MarketStorage storage s) internal {
        _saveIssue(s, s.issue.totalShares | _packed(IInterestRateModel(s.model).rateTerms()));
    }

    /// @dev As `Issue` lays them out.
    function _packed(RateTerms memory t) private pure returns (uint256) {
        return uint256(t.baseBps) << 128 | uint256(t.multiplierBps) << 144 | uint256(uint256(t.jumpBps).u24()) << 160
            | uint256(t.kinkBps) << 184 | uint256(t.mode) << 200 | uint256(t.floorBps) << 208 | uint256(t.capBps) << 224
            | uint256(t.fixedBps) << 240;
    }

    /* MONEY */

    /// @notice What is lent in all, refused where its interest might outgrow the books.
    function lend(MarketStorage storage s, Books memory b, uint256 amount, uint256 rateBps) internal {
        uint256 total = b.totalPrincipal + amount;
        require(total <= MOST_PRINCIPAL, CastLib.DoesNotFit(total, 100));
        b.totalPrincipal = total;
        if (rateBps == 0) b.variablePrincipal += amount;
        else s.stampedPrincipalBps = (s.stampedPrincipalBps + amount * rateBps).u120();
    }

    /// @notice Principal that is no longer lent: it was paid, or moved into a claim.
    function unlend(MarketStorage storage s, Books memory b, uint256 amount, uint256 rateBps) internal {
        b.totalPrincipal -= amount;
        if (rateBps == 0) b.variablePrincipal -= amount;
        else s.stampedPrincipalBps = (s.stampedPrincipalBps - amount * rateBps).u120();
    }

    /// @notice Takes interest off the pool's books, because it was paid or moved into a claim.
    function dropInterest(Books memory b, uint256 interest) internal pure {
        uint256 scaled = interest * InterestLib.POOL_SCALE;
        uint256 booked = b.interestScaled;
        b.interestScaled = scaled < booked ? booked - scaled : 0;
    }

    /// @notice Books cash that is interest: fees to their owners, the rest to the pool.
    /// @param insurancePart That of the interest when it accrued.
    function bookInterestCash(MarketStorage storage s, Books memory b, uint256 interest, uint256 insurancePart)
        internal
    {
        if (interest == 0) return;
        (uint256 infrastructure, uint256 operator, uint256 distributor, uint256 insurance, uint256 providers) =
            FeeSplitLib.splitInterest(interest, insurancePart);
        b.cash += providers;
        if (insurance != 0) s.protocolFees = (s.protocolFees + insurance).u128();
        _bookShares(s, b, infrastructure, operator, distributor);
        emit IMarketEvents.InterestSplit(infrastructure, operator, distributor, insurance, providers);
    }

    function bookFlatFee(MarketStorage storage s, Books memory b, uint256 fee) internal {
        if (fee == 0) return;
        (uint256 infrastructure, uint256 operator, uint256 distributor) = FeeSplitLib.splitFlatFee(fee);
        _bookShares(s, b, infrastructure, operator, distributor);
    }

    /// @dev While nobody holds shares, or no more than a speck, the distributors' part is the operator's.
    function _bookShares(
        MarketStorage storage s,
        Books memory b,
        uint256 infrastructure,
        uint256 operator,
        uint256 distributor
    ) private {
        uint256 shares = totalShares(b);
        if (shares < LEAST_SHARES) (operator, distributor) = (operator + distributor, 0);
        else b.perShare += distributor * PER_SHARE_SCALE / shares;
        FeeBook storage fees = s.fees;
        uint256 word;
        assembly ("memory-safe") {
            word := sload(fees.slot)
        }
        unchecked {
            // Parts of an amount of less than 128 bits.
            infrastructure += word & type(uint88).max;
            operator += word >> 88 & type(uint88).max;
            distributor += word >> 176;
        }
        if (infrastructure >> 88 | operator >> 88 | distributor >> 80 != 0) {
            (s.infrastructureFees, s.operatorFees) =
            ((s.infrastructureFees + infrastructure).u128(), (s.operatorFees + operator).u128());
            s.distributorFees = (s.distributorFees + distributor).u128();
            word = 0;
        } else {
            word = infrastructure | operator << 88 | distributor << 176;
        }
        assembly ("memory-safe") {
            sstore(fees.slot, word)
        }
    }

    /* SHARES */

    function totalShares(Books memory b) internal pure returns (uint256) {
        return b.issue & type(uint128).max;
    }

    /// @dev Written at once: only operations of providers change it.
    function setTotalShares(MarketStorage storage s, Books memory b, uint256 shares) internal {
        b.issue = b.issue >> 128 << 128 | shares.u128();
        _saveIssue(s, b.issue);
    }

    /// @notice What the shares stand for: cash, principal, the providers' part of interest so far, claims at what they
    /// are sure to bring.
    function totalAssets(MarketStorage storage s, Books memory b) internal view returns (uint256) {
        uint256 interest = b.interestScaled / InterestLib.POOL_SCALE;
        return b.cash + b.totalPrincipal + s.carriedClaims + FeeSplitLib.providersPartDown(interest, b.insurancePart);
    }

    /// @notice Mints shares for `amount` that is about to be in the books' cash.
    function mint(MarketStorage storage s, Books memory b, address provider, uint256 amount)
        internal
        returns (uint256 shares)
    {
        uint256 assets = totalAssets(s, b);
        uint256 offset = SharesLib.offset(s.assetDecimals);
        if (SharesLib.isWipedOut(assets, totalShares(b), offset)) _startEpoch(s, b);
        // What is left of a wiped-out pool is not the newcomer's to pay for: it counts as the first cash of the epoch.
        uint256 supply = totalShares(b);
        if (supply == 0) assets = 0;
        shares = SharesLib.toSharesDown(amount, assets, supply, offset);
        require(shares != 0, IMarketErrors.InvalidAmount(amount));
        Position storage position = settle(s, provider, b.perShare);
        position.shares = (position.shares + shares).u128();
        setTotalShares(s, b, supply + shares);
        b.cash += amount;
    }

    /// @notice Brings a provider's fees and epoch up to date.
    function settle(MarketStorage storage s, address provider, uint256 perShare)
        internal
        returns (Position storage position)
    {
        position = s.positions[provider];
        uint256 epoch = s.epoch;
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

    function _startEpoch(MarketStorage storage s, Books memory b) private {
        uint256 epoch = s.epoch;
        s.epochEndPerShare[epoch] = b.perShare;
        s.epoch = (epoch + 1).u32();
        setTotalShares(s, b, 0);
        emit IMarketEvents.ShareEpochStarted(epoch + 1);
    }

    /* VIEWS */

    function sharesOf(MarketStorage storage s, address provider) internal view returns (uint256) {
        Position storage position = s.positions[provider];
        return position.epoch == s.epoch ? position.shares : 0;
    }

    function feesOf(MarketStorage storage s, address provider) internal view returns (uint256) {
        Position storage position = s.positions[provider];
        uint256 perShare = position.epoch == s.epoch ? load(s).perShare : s.epochEndPerShare[position.epoch];
        return position.owedFees + _owed(position, perShare);
    }

    /// @notice What may be lent: cash beyond the reserve.
    function borrowable(MarketStorage storage s, Books memory b) internal view returns (uint256) {
        uint256 cash = b.cash;
        uint256 reserve = (cash + b.totalPrincipal) * s.reserveRatioBps / FeeSplitLib.BPS;
        return cash > reserve ? cash - reserve : 0;
    }
}
