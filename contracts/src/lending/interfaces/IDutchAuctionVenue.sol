// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @param claim The debt that the auction has to pay.
/// @param pausedTotalAtStart Seconds for which the clock had stood still before the auction began.
struct Auction {
    uint64 realizationId;
    uint64 loanId;
    uint104 oraclePrice;
    bool isActive;
    address borrower;
    uint40 startedAt;
    uint24 duration;
    uint16 startBps;
    uint16 floorBps;
    uint96 collateral;
    uint96 remaining;
    uint128 claim;
    uint32 pausedTotalAtStart;
}

/// @notice Sells seized collateral of one market in Dutch auctions. Its clock stands still while the market is paused.
interface IDutchAuctionVenue {
    event AuctionStarted(
        uint256 indexed auctionId,
        uint256 indexed realizationId,
        uint256 indexed loanId,
        uint256 collateral,
        uint256 oraclePrice
    );
    event AuctionBid(
        uint256 indexed auctionId, address indexed bidder, uint256 collateral, uint256 paid, uint256 price
    );
    event AuctionSettled(uint256 indexed auctionId, uint256 indexed realizationId);
    event AuctionExpired(uint256 indexed auctionId, uint256 indexed liquidationId, uint256 collateral);
    event UnsoldCollateralKept(uint256 indexed auctionId, uint256 collateral);

    error NotMarket(address account);
    error AuctionNotFound(uint256 auctionId);
    error AuctionNotActive(uint256 auctionId);
    error AuctionHasExpired(uint256 auctionId);
    error AuctionNotExpired(uint256 endTime);
    error BidderIsBorrower(address bidder);
    error InvalidAmount(uint256 amount);
    error CostAboveMaximum(uint256 cost, uint256 maxCost);
    error CollateralNotReceived(uint256 expected, uint256 received);
    error MarketIsPaused();
    error NotLiquidator(address account);
    error NothingUnsold(uint256 auctionId);
    error NotItself(address account);

    /// @notice Opens an auction for collateral that has just arrived. Only the market.
    function startAuction(
        uint256 realizationId,
        uint256 loanId,
        address borrower,
        uint256 collateral,
        uint256 claim,
        uint256 oraclePrice
    ) external returns (uint256 auctionId);

    /// @notice Buys up to `amount` at the price of now.
    /// @param maxCost The most the bidder pays: the price only falls, but a reorg can move the bid to an earlier block.
    function bidOnAuction(uint256 auctionId, uint256 amount, uint256 maxCost)
        external
        returns (uint256 bought, uint256 paid);

    /// @notice Sends what an expired auction did not sell to the router. Anyone; while the market is paused only its
    /// liquidators. Where token or router refuse, the loan is freed all the same and the collateral stays here.
    function settleExpiredAuction(uint256 auctionId) external;

    /// @notice Sends what stayed here to the router. Anyone; reverts while token or router refuse.
    function deliverUnsold(uint256 auctionId) external;

    /// @notice The part of `settleExpiredAuction` that may fail. Only the venue itself.
    function handOver(uint256 auctionId) external;

    /// @notice Starts or stops the clock of every auction. Only the market.
    function marketPaused(bool isPaused) external;

    function currentPrice(uint256 auctionId) external view returns (uint256);

    /// @notice When the auction ends if the market is not paused again.
    function endTime(uint256 auctionId) external view returns (uint256);

    function auction(uint256 auctionId) external view returns (Auction memory);

    /// @notice The open auction of a loan, or 0.
    function auctionOfLoan(uint256 loanId) external view returns (uint256);

    function auctionCount() external view returns (uint256);

    function openAuctions() external view returns (uint256);

    function market() external view returns (address);

    function collateralToken() external view returns (address);

    function asset() external view returns (address);
}
