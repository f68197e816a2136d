// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketVault} from "./IMarketVault.sol";

/// @notice Investors' money behind the markets of one operator. Markets draw on it up to the operator's cap; what is
/// drawn becomes pool shares of the vault. Shares have the decimals of the asset.
interface ILendingVault is IMarketVault {
    event Deposited(address indexed holder, address indexed distributor, uint256 amount, uint256 shares);
    event Redeemed(address indexed holder, uint256 amount, uint256 shares);
    event DrawCapSet(address indexed market, uint256 cap);
    event DrawnForMarket(address indexed market, uint256 amount);
    event Supplied(address indexed market, uint256 amount);
    event Withdrawn(address indexed market, uint256 amount);
    event DistributorBound(address indexed holder, address indexed distributor);
    event DistributorFeesCollected(address indexed market, uint256 amount);
    event DistributorFeePaid(address indexed distributor, uint256 amount);
    event OperatorFeePaid(address indexed operator, uint256 amount);
    event DepositsPausedSet(bool isPaused);
    event DepositorRegistrySet(address indexed registry);

    error AmountOutOfRange(uint256 amount, uint256 max);
    error DepositsArePaused();
    error DepositorNotVerified(address account);
    error NothingRedeemable();
    error NothingAccrued();
    error MarketNotOperators(address market);
    error AssetMismatch(address market);
    error MarketNotKnown(address market);
    error TooManyMarkets(uint256 max);
    error DistributorNotAllowed(address distributor);
    error OwnershipNotRenounceable();

    /// @notice Mints shares. The first named distributor of a holder is its distributor for good.
    function deposit(uint256 amount, address distributor) external returns (uint256 shares);

    /// @notice Pays what idle money and the markets' cash allow; shares that were not paid stay. Never paused or gated.
    function redeem(uint256 shares) external returns (uint256 amount);

    /// @notice Sets how much a market may hold of the vault. Only the owner, only for markets it operates.
    function setDrawCap(address market, uint256 cap) external;

    /// @notice Puts idle money into a market's pool. Only the owner.
    function supply(address market, uint256 amount) external returns (uint256 shares);

    /// @notice Takes money out of a market's pool. Only the owner.
    function withdraw(address market, uint256 shares) external returns (uint256 amount);

    /// @notice Only the owner.
    function setDepositsPaused(bool isPaused) external;

    /// @notice Zero: anyone may deposit. Only the owner.
    function setDepositorRegistry(address registry) external;

    /// @notice Always refused: the fees of shares without a distributor are the owner's. Only the owner.
    function renounceOwnership() external;

    /// @notice Fetches the distributor fees of a market and credits them by attributed shares. Anyone.
    function collectDistributorFees(address market) external returns (uint256 amount);

    /// @notice Pays a distributor what it is owed. Anyone.
    function payDistributor(address distributor) external returns (uint256 amount);

    /// @notice Pays the owner what shares without a distributor earned. Anyone.
    function payOperatorFees() external returns (uint256 amount);

    function totalAssets() external view returns (uint256);

    function idleAssets() external view returns (uint256);

    /// @notice What a redemption of everything would pay now.
    function redeemableNow() external view returns (uint256);

    function depositsPaused() external view returns (bool);

    function depositorRegistry() external view returns (address);

    function drawCapOf(address market) external view returns (uint256);

    function distributorOf(address holder) external view returns (address);

    function distributorFeesOf(address distributor) external view returns (uint256);

    function markets() external view returns (address[] memory);
}
