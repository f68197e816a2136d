// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Roles} from "../base/Roles.sol";
import {ServedUpgrade} from "../base/ServedUpgrade.sol";
import {IVersioned} from "../base/interfaces/IVersioned.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {ExactTransferLib} from "../libraries/ExactTransferLib.sol";
import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILiquidationRouter, LiquidationView, RoutedLiquidation} from "./interfaces/ILiquidationRouter.sol";
import {ISecurityPriceOracle} from "./interfaces/ISecurityPriceOracle.sol";
import {Realization, RealizationStatus} from "./interfaces/MarketTypes.sol";
import {AuctionPriceLib} from "./libraries/AuctionPriceLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title LiquidationRouter
contract LiquidationRouter is ILiquidationRouter, Roles, ServedUpgrade, IVersioned, ReentrancyGuardTransient {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;
    using SafeERC20 for IERC20;

    /* CONSTANTS */

    bytes32 public constant KIND = "router";
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    uint256 public constant ROTATION_DELAY = 1 hours;
    uint256 private constant MIN_BID_BPS = 9_500;
    uint256 private constant MAX_BID_BPS = 20_000;
    uint256 private constant BPS = 10_000;

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.LiquidationRouter")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant ROUTER_SLOT = 0x784e1656ba20a4e79db920ca651062f0d380b332b6937869c1dae35dc6e46900;

    /* STORAGE */

    /// @custom:storage-location erc7201:tallystick.storage.LiquidationRouter
    struct RouterStorage {
        address market;
        /// @dev Collateral of all open records: what is here beyond it has just arrived.
        uint128 held;
        uint48 received;
        uint48 settled;
        address token;
        uint8 tokenDecimals;
        address asset;
        bool isAtomic;
        uint16 bidFactorBps;
        uint40 bidValidUntil;
        address saleRecipient;
        address announced;
        uint40 activatesAt;
        uint128 collateralProcessed;
        uint128 proceedsRouted;
        mapping(uint256 liquidationId => RoutedLiquidation) liquidations;
        mapping(address source => bool) isAuthorized;
    }

    modifier onlyMarket() {
        require(msg.sender == _router().market, NotMarket(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor(address factory_) ServedUpgrade(factory_) {}

    /// @inheritdoc ILiquidationRouter
    function initialize(address market_, address token_, address asset_, uint8 tokenDecimals) external initializer {
        RouterStorage storage s = _router();
        (s.market, s.token, s.asset, s.tokenDecimals) = (market_, token_, asset_, tokenDecimals);
        s.isAuthorized[market_] = true;
        emit LendingMarketAuthorized(market_, true);
    }

    /* MARKET FUNCTIONS */

    /// @inheritdoc ILiquidationRouter
    function adopt(address admin, address operator, address saleRecipient_) external onlyMarket {
        RouterStorage storage s = _router();
        require(s.saleRecipient == address(0), NotMarket(msg.sender));
        require(saleRecipient_ != address(0), SaleRecipientNotSet());
        s.saleRecipient = saleRecipient_;
        emit SaleRecipientSet(address(0), saleRecipient_);
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(OPERATOR_ROLE, operator);
    }

    /// @inheritdoc ILiquidationRouter
    function receiveLiquidatedCollateral(uint256 realizationId, uint256 amount) external returns (uint256 id) {
        RouterStorage storage s = _router();
        require(s.isAuthorized[msg.sender] || _isVenue(s), NotAuthorizedSource(msg.sender));
        uint256 arrived = IERC20(s.token).balanceOf(address(this)) - s.held;
        require(amount != 0 && arrived >= amount, CollateralNotReceived(amount, arrived));
        id = s.received + 1;
        s.received = id.u48();
        s.held = (s.held + amount).u128();
        s.liquidations[id] = RoutedLiquidation({
            collateralAmount: amount.u96(),
            collateralRemaining: amount.u96(),
            realizationId: realizationId.u32(),
            receivedAt: block.timestamp.u32(),
            proceedsCollected: 0,
            isSettled: false
        });
        emit CollateralReceived(id, realizationId, msg.sender, amount);
    }

    /// @inheritdoc ILiquidationRouter
    function executeAtomicSale(uint256 id, address borrower, uint256 oraclePrice)
        external
        onlyMarket
        returns (uint256 payment)
    {
        payment = _sellToBidder(id, borrower, oraclePrice, msg.sender);
    }

    /* OPERATOR FUNCTIONS */

    /// @inheritdoc ILiquidationRouter
    function withdrawCollateralForSale(uint256 id, uint256 amount) external nonReentrant onlyRole(OPERATOR_ROLE) {
        RouterStorage storage s = _router();
        RoutedLiquidation storage liq = _requireOpen(id);
        uint256 remaining = liq.collateralRemaining;
        require(amount != 0 && amount <= remaining, AmountOutOfRange(amount, remaining));
        address recipient = s.saleRecipient;
        require(recipient != address(0), SaleRecipientNotSet());
        _release(s, liq, amount);
        emit CollateralWithdrawnForSale(id, recipient, amount, remaining - amount);
        IERC20(s.token).pushCounted(recipient, amount);
    }

    /// @inheritdoc ILiquidationRouter
    function reportPartialSale(uint256 id, uint256 collateralSold, uint256 proceeds)
        external
        nonReentrant
        onlyRole(OPERATOR_ROLE)
    {
        RoutedLiquidation storage liq = _requireOpen(id);
        require(proceeds != 0, AmountOutOfRange(proceeds, type(uint128).max));
        _collect(liq, proceeds);
        emit PartialSaleReported(id, collateralSold, proceeds);
    }

    /// @inheritdoc ILiquidationRouter
    function settleLiquidation(uint256 id, uint256 finalProceeds) external nonReentrant onlyRole(OPERATOR_ROLE) {
        RouterStorage storage s = _router();
        RoutedLiquidation storage liq = _requireOpen(id);
        uint256 proceeds = liq.proceedsCollected + finalProceeds;
        bool isAuctionCash = proceeds == 0 && ILendingMarket(s.market).realization(liq.realizationId).held != 0;
        // With cash of its own a record can never be reopened: what it still held would be stuck.
        require(liq.collateralRemaining == 0 || isAuctionCash, CollateralUnsold(id, liq.collateralRemaining));
        require(proceeds != 0 || isAuctionCash, SaleNotReported(id));
        if (finalProceeds != 0) _collect(liq, finalProceeds);
        _markSettled(s, liq, proceeds);
        emit LiquidationSettled(id, liq.realizationId, proceeds);
        if (proceeds != 0) IERC20(s.asset).forceApprove(s.market, proceeds);
        ILendingMarket(s.market).receiveLiquidationProceeds(liq.realizationId, proceeds);
    }

    /// @inheritdoc ILiquidationRouter
    function sellPending(uint256 id) external nonReentrant onlyRole(OPERATOR_ROLE) returns (uint256 payment) {
        RouterStorage storage s = _router();
        RoutedLiquidation storage liq = _requireOpen(id);
        address market_ = s.market;
        ILendingMarket lending = ILendingMarket(market_);
        address borrower = lending.loan(lending.realization(liq.realizationId).loanId).borrower;
        uint256 price = ISecurityPriceOracle(lending.parts().oracle).freshPrice();
        payment = _sellToBidder(id, borrower, price, address(this));
        IERC20(s.asset).forceApprove(market_, payment);
        lending.receiveLiquidationProceeds(liq.realizationId, payment);
    }

    /* SALE RECIPIENT FUNCTIONS */

    /// @inheritdoc ILiquidationRouter
    function setSaleBid(uint256 priceFactorBps, uint256 validUntil) external {
        RouterStorage storage s = _router();
        require(msg.sender == s.saleRecipient, NotSaleRecipient(msg.sender));
        if (priceFactorBps != 0) {
            require(
                priceFactorBps >= MIN_BID_BPS && priceFactorBps <= MAX_BID_BPS && validUntil > block.timestamp,
                InvalidSaleBid(priceFactorBps, validUntil)
            );
            require(priceFactorBps >= _bidFloor(s), SaleBidBelowFloor(priceFactorBps, _bidFloor(s)));
        }
        (s.bidFactorBps, s.bidValidUntil) = (priceFactorBps.u16(), validUntil.u40());
        emit SaleBidSet(msg.sender, priceFactorBps, validUntil);
    }

    /* ADMIN FUNCTIONS */

    /// @inheritdoc ILiquidationRouter
    function writeOffLiquidation(uint256 id) external onlyRole(DEFAULT_ADMIN_ROLE) {
        RouterStorage storage s = _router();
        RoutedLiquidation storage liq = _requireOpen(id);
        require(liq.proceedsCollected == 0, ProceedsCollected(id, liq.proceedsCollected));
        require(liq.collateralRemaining == 0, CollateralUnsold(id, liq.collateralRemaining));
        uint256 realizationId = liq.realizationId;
        require(
            ILendingMarket(s.market).realization(realizationId).status != RealizationStatus.OPEN,
            MarketSettlementPending(realizationId)
        );
        _markSettled(s, liq, 0);
        emit LiquidationClosed(id);
    }

    /// @inheritdoc ILiquidationRouter
    function reopenLiquidation(uint256 id) external onlyRole(DEFAULT_ADMIN_ROLE) {
        RouterStorage storage s = _router();
        RoutedLiquidation storage liq = _require(id);
        require(liq.isSettled, NotSettled(id));
        require(liq.proceedsCollected == 0, ProceedsCollected(id, liq.proceedsCollected));
        require(liq.collateralRemaining != 0, NothingToRecover(id));
        liq.isSettled = false;
        s.settled = uint256(s.settled - 1).u48();
        s.collateralProcessed -= liq.collateralAmount;
        emit LiquidationReopened(id, liq.collateralRemaining);
    }

    /// @inheritdoc ILiquidationRouter
    function authorizeLendingMarket(address source, bool isAuthorized_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _router().isAuthorized[source] = isAuthorized_;
        emit LendingMarketAuthorized(source, isAuthorized_);
    }

    /// @inheritdoc ILiquidationRouter
    function setAtomicMode(bool isAtomic) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _router().isAtomic = isAtomic;
        emit AtomicModeSet(isAtomic);
    }

    /// @inheritdoc ILiquidationRouter
    function announceSaleRecipient(address newRecipient) external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(newRecipient != address(0), SaleRecipientNotSet());
        RouterStorage storage s = _router();
        uint256 activatesAt = block.timestamp + ROTATION_DELAY;
        (s.announced, s.activatesAt) = (newRecipient, activatesAt.u40());
        emit SaleRecipientAnnounced(newRecipient, activatesAt);
    }

    /// @inheritdoc ILiquidationRouter
    function rotateSaleRecipient() external onlyRole(DEFAULT_ADMIN_ROLE) {
        RouterStorage storage s = _router();
        address next = s.announced;
        require(next != address(0), RotationNotAnnounced());
        require(block.timestamp >= s.activatesAt, RotationTooEarly(s.activatesAt));
        uint256 open = s.received - s.settled;
        require(open == 0, NotQuiet(open));
        emit SaleRecipientSet(s.saleRecipient, next);
        s.saleRecipient = next;
        delete s.announced;
        // The bid was the leaver's.
        delete s.bidFactorBps;
    }

    /// @inheritdoc ILiquidationRouter
    function rescueForeignToken(address foreignToken, address to, uint256 amount)
        external
        nonReentrant
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        RouterStorage storage s = _router();
        require(foreignToken != s.token && foreignToken != s.asset, TokenNotForeign(foreignToken));
        emit ForeignTokenRescued(foreignToken, to, amount);
        IERC20(foreignToken).safeTransfer(to, amount);
    }

    function _authorizeUpgrade(address newImplementation) internal view override onlyRole(DEFAULT_ADMIN_ROLE) {
        _checkServed(KIND, version(), IVersioned(newImplementation).version);
    }

    /* INTERNAL */

    /// @dev Pays exactly the bid, delivers exactly the record, both or neither.
    function _sellToBidder(uint256 id, address borrower, uint256 oraclePrice, address payTo)
        private
        returns (uint256 payment)
    {
        RouterStorage storage s = _router();
        RoutedLiquidation storage liq = _requireOpen(id);
        address buyer = s.saleRecipient;
        uint256 factorBps = _liveBid(s);
        require(buyer != borrower, SelfPurchase(borrower));
        uint256 amount = liq.collateralAmount;
        require(liq.collateralRemaining == amount && liq.proceedsCollected == 0, CollateralAlreadyOut(id));
        uint256 price = oraclePrice * factorBps / BPS;
        payment = AuctionPriceLib.costUp(amount, price, 10 ** s.tokenDecimals);
        _release(s, liq, amount);
        liq.proceedsCollected = payment.u128();
        _markSettled(s, liq, payment);
        emit AtomicSaleExecuted(id, buyer, amount, payment, price);
        emit LiquidationSettled(id, liq.realizationId, payment);
        IERC20 asset = IERC20(s.asset);
        asset.pullExact(buyer, payment);
        if (payTo != address(this)) asset.pushExact(payTo, payment);
        IERC20(s.token).pushExact(buyer, amount);
    }

    /// @dev The market's own venue needs no leave: without it a loan would stay locked in an auction.
    function _isVenue(RouterStorage storage s) private view returns (bool) {
        return msg.sender == ILendingMarket(s.market).auctionModule();
    }

    function _collect(RoutedLiquidation storage liq, uint256 proceeds) private {
        liq.proceedsCollected = (liq.proceedsCollected + proceeds).u128();
        IERC20(_router().asset).pullExact(msg.sender, proceeds);
    }

    function _release(RouterStorage storage s, RoutedLiquidation storage liq, uint256 amount) private {
        liq.collateralRemaining = (liq.collateralRemaining - amount).u96();
        s.held = (s.held - amount).u128();
    }

    function _markSettled(RouterStorage storage s, RoutedLiquidation storage liq, uint256 proceeds) private {
        liq.isSettled = true;
        s.settled = uint256(s.settled + 1).u48();
        s.collateralProcessed = (uint256(s.collateralProcessed) + liq.collateralAmount).u128();
        s.proceedsRouted = (s.proceedsRouted + proceeds).u128();
    }

    function _require(uint256 id) private view returns (RoutedLiquidation storage liq) {
        liq = _router().liquidations[id];
        require(liq.receivedAt != 0, LiquidationNotFound(id));
    }

    function _requireOpen(uint256 id) private view returns (RoutedLiquidation storage liq) {
        liq = _require(id);
        require(!liq.isSettled, AlreadySettled(id));
    }

    function _liveBid(RouterStorage storage s) private view returns (uint256 factorBps) {
        factorBps = s.bidFactorBps;
        require(factorBps != 0 && block.timestamp <= s.bidValidUntil, NoLiveBid());
        require(factorBps >= _bidFloor(s), SaleBidBelowFloor(factorBps, _bidFloor(s)));
    }

    function _bidFloor(RouterStorage storage s) private view returns (uint256) {
        uint256 floor = ILendingMarket(s.market).config().auctionMinBps;
        return floor < MIN_BID_BPS ? MIN_BID_BPS : floor > BPS ? BPS : floor;
    }

    function _router() private pure returns (RouterStorage storage s) {
        assembly ("memory-safe") {
            s.slot := ROUTER_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc ILiquidationRouter
    function atomicTerms() external view returns (bool isAtomic, uint256 priceFactorBps) {
        RouterStorage storage s = _router();
        isAtomic = s.isAtomic;
        if (isAtomic) priceFactorBps = _liveBid(s);
    }

    /// @inheritdoc ILiquidationRouter
    function liquidation(uint256 id) external view returns (LiquidationView memory v) {
        RouterStorage storage s = _router();
        RoutedLiquidation storage liq = s.liquidations[id];
        if (liq.receivedAt == 0) return v;
        Realization memory r = ILendingMarket(s.market).realization(liq.realizationId);
        v.token = s.token;
        v.collateralAmount = liq.collateralAmount;
        v.collateralRemaining = liq.collateralRemaining;
        v.debtOwed = r.claim;
        v.proceedsCollected = liq.proceedsCollected;
        v.borrower = ILendingMarket(s.market).loan(r.loanId).borrower;
        v.lendingMarket = s.market;
        v.timestamp = liq.receivedAt;
        v.settled = liq.isSettled;
        v.marketLiquidationId = liq.realizationId;
    }

    /// @inheritdoc ILiquidationRouter
    function isAuthorizedSource(address source) external view returns (bool) {
        return _router().isAuthorized[source];
    }

    /// @inheritdoc ILiquidationRouter
    function saleRecipient() external view returns (address) {
        return _router().saleRecipient;
    }

    /// @inheritdoc ILiquidationRouter
    function announcedRecipient() external view returns (address recipient, uint256 activatesAt) {
        return (_router().announced, _router().activatesAt);
    }

    /// @inheritdoc ILiquidationRouter
    function saleBid() external view returns (uint256 priceFactorBps, uint256 validUntil) {
        return (_router().bidFactorBps, _router().bidValidUntil);
    }

    /// @inheritdoc ILiquidationRouter
    function totals()
        external
        view
        returns (uint256 received, uint256 settled, uint256 collateralProcessed, uint256 proceedsRouted)
    {
        RouterStorage storage s = _router();
        return (s.received, s.settled, s.collateralProcessed, s.proceedsRouted);
    }

    /// @inheritdoc ILiquidationRouter
    function market() external view returns (address) {
        return _router().market;
    }

    /// @inheritdoc ILiquidationRouter
    function token() external view returns (address) {
        return _router().token;
    }

    /// @inheritdoc ILiquidationRouter
    function hasSaleRecipientRotation() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc IVersioned
    function version() public pure virtual returns (uint256) {
        return 3;
    }
}
