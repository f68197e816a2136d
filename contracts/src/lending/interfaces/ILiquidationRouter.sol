// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @param realizationId The market's record, which alone decides what the cash is for.
/// @param proceedsCollected Cash of reported sales that waits for the settlement.
struct RoutedLiquidation {
    uint96 collateralAmount;
    uint96 collateralRemaining;
    uint32 realizationId;
    uint32 receivedAt;
    uint128 proceedsCollected;
    bool isSettled;
}

/// @notice Everything about one liquidation in one answer.
struct LiquidationView {
    address token;
    uint256 collateralAmount;
    uint256 collateralRemaining;
    uint256 debtOwed;
    uint256 proceedsCollected;
    address borrower;
    address lendingMarket;
    uint256 timestamp;
    bool settled;
    uint256 marketLiquidationId;
}

/// @notice Takes seized collateral of one market and sells it: in tranches through the sale recipient, or in one step to
/// the sale recipient at its standing bid. Ids start at 1.
interface ILiquidationRouter {
    event CollateralReceived(
        uint256 indexed liquidationId, uint256 indexed realizationId, address indexed from, uint256 amount
    );
    event CollateralWithdrawnForSale(
        uint256 indexed liquidationId, address indexed recipient, uint256 amount, uint256 remaining
    );
    event PartialSaleReported(uint256 indexed liquidationId, uint256 collateralSold, uint256 proceeds);
    event LiquidationSettled(uint256 indexed liquidationId, uint256 indexed realizationId, uint256 proceeds);
    event LiquidationClosed(uint256 indexed liquidationId);
    event LiquidationReopened(uint256 indexed liquidationId, uint256 collateralRemaining);
    event AtomicSaleExecuted(
        uint256 indexed liquidationId, address indexed buyer, uint256 collateral, uint256 payment, uint256 price
    );
    event AtomicModeSet(bool isAtomic);
    event SaleBidSet(address indexed buyer, uint256 priceFactorBps, uint256 validUntil);
    event LendingMarketAuthorized(address indexed source, bool isAuthorized);
    event SaleRecipientAnnounced(address indexed recipient, uint256 activatesAt);
    event SaleRecipientSet(address indexed previousRecipient, address indexed newRecipient);
    event ForeignTokenRescued(address indexed token, address indexed to, uint256 amount);

    error NotAuthorizedSource(address account);
    error NotMarket(address account);
    error CollateralNotReceived(uint256 expected, uint256 received);
    error LiquidationNotFound(uint256 liquidationId);
    error AlreadySettled(uint256 liquidationId);
    error NotSettled(uint256 liquidationId);
    error AmountOutOfRange(uint256 amount, uint256 max);
    error CollateralUnsold(uint256 liquidationId, uint256 remaining);
    error SaleNotReported(uint256 liquidationId);
    error CollateralAlreadyOut(uint256 liquidationId);
    error ProceedsCollected(uint256 liquidationId, uint256 proceeds);
    error MarketSettlementPending(uint256 realizationId);
    error NothingToRecover(uint256 liquidationId);
    error SaleRecipientNotSet();
    error NotSaleRecipient(address account);
    error InvalidSaleBid(uint256 priceFactorBps, uint256 validUntil);
    error SaleBidBelowFloor(uint256 priceFactorBps, uint256 floorBps);
    error NoLiveBid();
    error SelfPurchase(address borrower);
    error NotQuiet(uint256 open);
    error RotationNotAnnounced();
    error RotationTooEarly(uint256 activatesAt);
    error TokenNotForeign(address token);

    function initialize(address market_, address token_, address asset_, uint8 tokenDecimals) external;

    /// @notice Sets roles and sale recipient at adoption. Only the market, once.
    function adopt(address admin, address operator, address saleRecipient_) external;

    /// @notice Opens a record for collateral that has just arrived. Only the market and authorized venues.
    function receiveLiquidatedCollateral(uint256 realizationId, uint256 amount) external returns (uint256 liquidationId);

    /// @notice Sells a record that was just received to the sale recipient and pays the market. Only the market.
    function executeAtomicSale(uint256 liquidationId, address borrower, uint256 oraclePrice)
        external
        returns (uint256 payment);

    /// @notice Moves collateral to the sale recipient, in as many tranches as wanted. Only `OPERATOR_ROLE`.
    function withdrawCollateralForSale(uint256 liquidationId, uint256 amount) external;

    /// @notice Brings cash of a sale in; it waits for the settlement. Only `OPERATOR_ROLE`.
    function reportPartialSale(uint256 liquidationId, uint256 collateralSold, uint256 proceeds) external;

    /// @notice Brings the last cash in and forwards all of it to the market. Everything has to be sold, unless the only
    /// cash is that of an auction before: then unsold collateral stays, for `reopenLiquidation`. Only `OPERATOR_ROLE`.
    function settleLiquidation(uint256 liquidationId, uint256 finalProceeds) external;

    /// @notice Sells an untouched record to the sale recipient at its bid. Only `OPERATOR_ROLE`.
    function sellPending(uint256 liquidationId) external returns (uint256 payment);

    /// @notice Closes a record whose market record is closed and that holds nothing. Only `DEFAULT_ADMIN_ROLE`.
    function writeOffLiquidation(uint256 liquidationId) external;

    /// @notice Reopens a record that was settled with the cash of an auction alone and still holds collateral. What it
    /// brings is late cash of the market's record. Only `DEFAULT_ADMIN_ROLE`.
    function reopenLiquidation(uint256 liquidationId) external;

    /// @notice Only `DEFAULT_ADMIN_ROLE`.
    function authorizeLendingMarket(address source, bool isAuthorized) external;

    /// @notice Only `DEFAULT_ADMIN_ROLE`.
    function setAtomicMode(bool isAtomic) external;

    /// @notice The sale recipient's standing bid as a part of the oracle price; 0 withdraws it.
    function setSaleBid(uint256 priceFactorBps, uint256 validUntil) external;

    /// @notice Announces another sale recipient, who can take over after an hour. Only `DEFAULT_ADMIN_ROLE`.
    function announceSaleRecipient(address newRecipient) external;

    /// @notice Completes an announced rotation, while no liquidation is open. Only `DEFAULT_ADMIN_ROLE`.
    function rotateSaleRecipient() external;

    /// @notice Sends away tokens that are neither collateral nor borrow asset. Only `DEFAULT_ADMIN_ROLE`.
    function rescueForeignToken(address foreignToken, address to, uint256 amount) external;

    /// @notice Whether liquidations are sold at once, and at which part of the oracle price.
    function atomicTerms() external view returns (bool isAtomic, uint256 priceFactorBps);

    function liquidation(uint256 liquidationId) external view returns (LiquidationView memory);

    function isAuthorizedSource(address source) external view returns (bool);

    function saleRecipient() external view returns (address);

    function announcedRecipient() external view returns (address recipient, uint256 activatesAt);

    function saleBid() external view returns (uint256 priceFactorBps, uint256 validUntil);

    /// @notice Records received and settled; the router is quiet when they are equal.
    function totals()
        external
        view
        returns (uint256 received, uint256 settled, uint256 collateralProcessed, uint256 proceedsRouted);

    function market() external view returns (address);

    function token() external view returns (address);

    /// @notice Capability: the sale recipient can be rotated.
    function hasSaleRecipientRotation() external pure returns (bool);
}
