// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketVault} from "./IMarketVault.sol";

/// @notice A market that a vault serves from its creation on, and how much the market may hold of it.
struct MarketCap {
    address market;
    uint256 cap;
}

/// @notice Investors' money behind the markets of one operator. Markets draw on it up to the operator's cap; what is
/// drawn becomes pool shares of the vault. Shares have the decimals of the asset.
/// @dev Nobody gains by being there only while something is paid: fees are collected before shares change hands, and
/// shares of a deposit stay for a while. Nothing that could cost investors their money happens without an announcement:
/// there is time to redeem first.
interface ILendingVault is IMarketVault {
    event Deposited(address indexed holder, address indexed distributor, uint256 amount, uint256 shares);
    event Redeemed(address indexed holder, uint256 amount, uint256 shares);
    event DrawCapAnnounced(address indexed market, uint256 cap, uint256 readyAt);
    event AnnouncementCancelled(address indexed market);
    event DrawCapSet(address indexed market, uint256 cap);
    event DrawnForMarket(address indexed market, uint256 amount);
    event Supplied(address indexed market, uint256 amount);
    event Withdrawn(address indexed market, uint256 amount);
    /// @param isWrittenOff Whether the market did not answer: what the vault may have there counts for nothing.
    event MarketRemoved(address indexed market, bool isWrittenOff);
    event DistributorBound(address indexed holder, address indexed distributor);
    event DistributorFeesCollected(address indexed market, uint256 amount);
    event DistributorFeePaid(address indexed distributor, uint256 amount);
    event OperatorFeePaid(address indexed operator, uint256 amount);
    event DepositsPausedSet(bool isPaused);
    event DepositorRegistrySet(address indexed registry);

    error AmountOutOfRange(uint256 amount, uint256 max);
    error DepositsArePaused();
    error DepositorNotVerified(address account);
    error SharesNotMature(uint256 shares, uint256 redeemable, uint256 matureAt);
    error NothingRedeemable();
    error NothingAccrued();
    error NotAFactory(address factory);
    error MarketNotOfFactory(address market);
    error MarketNotOperators(address market);
    error AssetMismatch(address market);
    error MarketNotKnown(address market);
    error MarketUnreadable(address market);
    error FeesNotCollected(address market);
    error MarketHoldsMoney(address market, uint256 value);
    error TooManyMarkets(uint256 max);
    error CapNotRaised(address market, uint256 cap);
    error CapNotAnnounced(address market, uint256 cap);
    error AnnouncementPending(address market, uint256 readyAt);
    error AnnouncementLapsed(address market, uint256 lapsedAt);
    error NothingAnnounced(address market);
    error DistributorNotAllowed(address distributor);
    error OwnershipNotRenounceable();

    /* HOLDERS */

    /// @notice Mints shares. They can be redeemed or transferred three days later; for what is still waiting then,
    /// a further deposit starts the wait anew. The first named distributor of a holder is its distributor for good.
    /// Refused while a market does not answer: nobody knows what a share is worth.
    function deposit(uint256 amount, address distributor) external returns (uint256 shares);

    /// @notice Pays what idle money and the markets' cash allow; shares that were not paid stay. Never paused or gated. A
    /// market that does not answer counts for nothing: whoever cannot wait for it leaves that part to those who stay.
    function redeem(uint256 shares) external returns (uint256 amount);

    /* OWNER */

    /// @notice Announces a higher cap, or a first one for a market of the factory that the owner operates. It can be set
    /// 14 days later, for 14 days. Replaces what was announced for the market before.
    function announceDrawCap(address market, uint256 cap) external;

    /// @notice Only the owner.
    function cancelAnnouncement(address market) external;

    /// @notice Sets how much a market may hold of the vault: a lower cap at once, a higher one as announced. What was
    /// announced for the market is then done with. Only the owner.
    function setDrawCap(address market, uint256 cap) external;

    /// @notice Takes a market off the list in which the vault has nothing, or that does not answer. Only the owner.
    function removeMarket(address market) external;

    /// @notice Puts idle money into a market's pool, within its cap. Only the owner.
    function supply(address market, uint256 amount) external returns (uint256 shares);

    /// @notice Takes money out of a market's pool. Only the owner.
    function withdraw(address market, uint256 shares) external returns (uint256 amount);

    /// @notice Only the owner.
    function setDepositsPaused(bool isPaused) external;

    /// @notice Zero: anyone may deposit. Only the owner.
    function setDepositorRegistry(address registry) external;

    /// @notice Always refused: the fees of shares without a distributor are the owner's. Only the owner.
    function renounceOwnership() external;

    /* ANYONE */

    /// @notice Fetches the distributor fees of a market and credits them by attributed shares. Deposits, redemptions and
    /// transfers do so too.
    function collectDistributorFees(address market) external returns (uint256 amount);

    /// @notice Pays a distributor what it is owed.
    function payDistributor(address distributor) external returns (uint256 amount);

    /// @notice Pays the owner what shares without a distributor earned.
    function payOperatorFees() external returns (uint256 amount);

    /* VIEWS */

    /// @notice 2: with announcements, the wait of fresh shares, and markets of one factory. A vault without this view has
    /// none of them.
    function version() external pure returns (uint256);

    /// @notice Where the markets of the vault come from.
    function factory() external view returns (address);

    /// @notice Idle money and what the markets hold. One that does not answer counts for nothing.
    function totalAssets() external view returns (uint256);

    function idleAssets() external view returns (uint256);

    /// @notice What a redemption of everything would pay now.
    function redeemableNow() external view returns (uint256);

    /// @notice Shares of the holder's deposits that still wait, and until when.
    function freshSharesOf(address holder) external view returns (uint256 shares, uint256 matureAt);

    /// @notice Shares that the holder can redeem or transfer now.
    function redeemableSharesOf(address holder) external view returns (uint256);

    function depositsPaused() external view returns (bool);

    function depositorRegistry() external view returns (address);

    function drawCapOf(address market) external view returns (uint256);

    /// @notice The announced cap, and from when until when it can be set. All zero: nothing is announced.
    function announcementOf(address market) external view returns (uint256 cap, uint256 readyAt, uint256 lapsesAt);

    function distributorOf(address holder) external view returns (address);

    function distributorFeesOf(address distributor) external view returns (uint256);

    function markets() external view returns (address[] memory);

    /// @notice Markets of the vault that do not answer.
    function unreadableMarkets() external view returns (address[] memory);
}
