// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../base/interfaces/IRoles.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {ExactTransferLib} from "../libraries/ExactTransferLib.sol";
import {Auction, IDutchAuctionVenue} from "./interfaces/IDutchAuctionVenue.sol";
import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILiquidationRouter} from "./interfaces/ILiquidationRouter.sol";
import {ISecurityPriceOracle} from "./interfaces/ISecurityPriceOracle.sol";
import {MarketConfig} from "./interfaces/MarketTypes.sol";
import {AuctionPriceLib} from "./libraries/AuctionPriceLib.sol";
import {InterestLib} from "./libraries/InterestLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title DutchAuctionVenue
contract DutchAuctionVenue is IDutchAuctionVenue, ReentrancyGuardTransient {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;
    using SafeERC20 for IERC20;

    /* CONSTANTS AND IMMUTABLES */

    bytes32 private constant LIQUIDATOR_ROLE = keccak256("LIQUIDATOR_ROLE");

    /// @inheritdoc IDutchAuctionVenue
    address public immutable market;
    /// @inheritdoc IDutchAuctionVenue
    address public immutable collateralToken;
    /// @inheritdoc IDutchAuctionVenue
    address public immutable asset;
    uint256 public immutable collateralScale;

    /* STORAGE */

    /// @inheritdoc IDutchAuctionVenue
    uint256 public auctionCount;
    /// @inheritdoc IDutchAuctionVenue
    uint256 public openAuctions;
    /// @inheritdoc IDutchAuctionVenue
    mapping(uint256 loanId => uint256) public auctionOfLoan;
    mapping(uint256 auctionId => Auction) private _auctions;
    /// @dev Collateral of open auctions: what is here beyond it has just arrived.
    uint256 private _held;
    /// @dev Seconds the market was paused in all, and since when it is; 0: it is not.
    uint32 private _pausedTotal;
    uint40 private _pausedSince;

    modifier onlyMarket() {
        require(msg.sender == market, NotMarket(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor(address market_, address collateralToken_, address asset_, uint256 collateralScale_) {
        market = market_;
        collateralToken = collateralToken_;
        asset = asset_;
        collateralScale = collateralScale_;
    }

    /* MARKET FUNCTIONS */

    /// @inheritdoc IDutchAuctionVenue
    function startAuction(
        uint256 realizationId,
        uint256 loanId,
        address borrower,
        uint256 collateral,
        uint256 claim,
        uint256 oraclePrice
    ) external onlyMarket returns (uint256 auctionId) {
        uint256 arrived = IERC20(collateralToken).balanceOf(address(this)) - _held;
        require(arrived >= collateral, CollateralNotReceived(collateral, arrived));
        MarketConfig memory config = ILendingMarket(market).config();
        _held += collateral;
        ++openAuctions;
        auctionId = ++auctionCount;
        auctionOfLoan[loanId] = auctionId;
        Auction storage a = _auctions[auctionId];
        a.realizationId = realizationId.u64();
        a.loanId = loanId.u64();
        a.oraclePrice = oraclePrice.u104();
        a.isActive = true;
        a.borrower = borrower;
        a.startedAt = block.timestamp.u40();
        a.duration = config.auctionDuration;
        a.startBps = config.auctionStartBps;
        a.floorBps = config.auctionMinBps;
        a.collateral = collateral.u96();
        a.remaining = a.collateral;
        a.claim = claim.u128();
        a.pausedTotalAtStart = _pausedNow().u32();
        emit AuctionStarted(auctionId, realizationId, loanId, collateral, oraclePrice);
    }

    /// @inheritdoc IDutchAuctionVenue
    function marketPaused(bool isPaused) external onlyMarket {
        if (isPaused) {
            if (_pausedSince == 0) _pausedSince = block.timestamp.u40();
        } else {
            _pausedTotal = _pausedNow().u32();
            _pausedSince = 0;
        }
    }

    /* BIDDER FUNCTIONS */

    /// @inheritdoc IDutchAuctionVenue
    function bidOnAuction(uint256 auctionId, uint256 amount, uint256 maxCost)
        external
        nonReentrant
        returns (uint256 bought, uint256 paid)
    {
        Auction storage a = _requireActive(auctionId);
        require(!ILendingMarket(market).isPaused(), MarketIsPaused());
        require(!_isExpired(a), AuctionHasExpired(auctionId));
        require(msg.sender != a.borrower, BidderIsBorrower(msg.sender));
        require(amount != 0, InvalidAmount(amount));
        // An auction does not sell while nobody vouches for a price.
        ISecurityPriceOracle(ILendingMarket(market).parts().oracle).freshPrice();
        uint256 remaining = a.remaining;
        bought = amount < remaining ? amount : remaining;
        uint256 price = _price(a);
        paid = AuctionPriceLib.costUp(bought, price, collateralScale);
        require(paid <= maxCost, CostAboveMaximum(paid, maxCost));

        bool isClosing = bought == remaining;
        a.remaining = (remaining - bought).u96();
        _held -= bought;
        if (isClosing) _close(a);
        emit AuctionBid(auctionId, msg.sender, bought, paid, price);
        if (isClosing) emit AuctionSettled(auctionId, a.realizationId);

        IERC20(asset).pullExact(msg.sender, paid);
        IERC20(asset).forceApprove(market, paid);
        ILendingMarket(market).creditAuctionFill(a.realizationId, paid, isClosing);
        IERC20(collateralToken).pushExact(msg.sender, bought);
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc IDutchAuctionVenue
    function settleExpiredAuction(uint256 auctionId) external nonReentrant {
        Auction storage a = _requireActive(auctionId);
        require(_isExpired(a), AuctionNotExpired(endTime(auctionId)));
        require(
            !ILendingMarket(market).isPaused() || IRoles(market).hasRole(LIQUIDATOR_ROLE, msg.sender),
            NotLiquidator(msg.sender)
        );
        _close(a);
        ILendingMarket(market).auctionExpired(a.realizationId);
        // Whatever the token or the router says, the loan is free again; the rest can follow later.
        try this.handOver(auctionId) {}
        catch {
            emit UnsoldCollateralKept(auctionId, a.remaining);
        }
    }

    /// @inheritdoc IDutchAuctionVenue
    function deliverUnsold(uint256 auctionId) external nonReentrant {
        Auction storage a = _auctions[auctionId];
        require(!a.isActive && a.remaining != 0, NothingUnsold(auctionId));
        _handOver(auctionId, a);
    }

    /// @inheritdoc IDutchAuctionVenue
    function handOver(uint256 auctionId) external {
        require(msg.sender == address(this), NotItself(msg.sender));
        _handOver(auctionId, _auctions[auctionId]);
    }

    /* INTERNAL */

    function _handOver(uint256 auctionId, Auction storage a) private {
        uint256 remaining = a.remaining;
        a.remaining = 0;
        _held -= remaining;
        address router = ILendingMarket(market).router();
        uint256 received = IERC20(collateralToken).pushCounted(router, remaining);
        uint256 liquidationId = ILiquidationRouter(router).receiveLiquidatedCollateral(a.realizationId, received);
        emit AuctionExpired(auctionId, liquidationId, received);
    }

    function _close(Auction storage a) private {
        a.isActive = false;
        --openAuctions;
        delete auctionOfLoan[a.loanId];
    }

    function _requireActive(uint256 auctionId) private view returns (Auction storage a) {
        a = _auctions[auctionId];
        require(a.startedAt != 0, AuctionNotFound(auctionId));
        require(a.isActive, AuctionNotActive(auctionId));
    }

    /// @dev Seconds the auction's clock has run.
    function _elapsed(Auction storage a) private view returns (uint256) {
        uint256 running = InterestLib.elapsed(a.startedAt, block.timestamp);
        uint256 paused = _pausedNow() - a.pausedTotalAtStart;
        return running > paused ? running - paused : 0;
    }

    function _isExpired(Auction storage a) private view returns (bool) {
        return _elapsed(a) >= a.duration;
    }

    function _price(Auction storage a) private view returns (uint256) {
        return AuctionPriceLib.priceUp(a.oraclePrice, a.startBps, a.floorBps, _elapsed(a), a.duration);
    }

    function _pausedNow() private view returns (uint256) {
        uint256 since = _pausedSince;
        return _pausedTotal + (since == 0 ? 0 : InterestLib.elapsed(since, block.timestamp));
    }

    /* VIEWS */

    /// @inheritdoc IDutchAuctionVenue
    function currentPrice(uint256 auctionId) external view returns (uint256) {
        Auction storage a = _auctions[auctionId];
        return a.isActive ? _price(a) : 0;
    }

    /// @inheritdoc IDutchAuctionVenue
    function endTime(uint256 auctionId) public view returns (uint256) {
        Auction storage a = _auctions[auctionId];
        return uint256(a.startedAt) + a.duration + _pausedNow() - a.pausedTotalAtStart;
    }

    /// @inheritdoc IDutchAuctionVenue
    function auction(uint256 auctionId) external view returns (Auction memory) {
        return _auctions[auctionId];
    }
}
