// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A reserve of the borrow asset that pays losses of the markets it lists.
interface IInsuranceFund {
    event FundsAdded(address indexed source, uint256 amount);
    event LossCovered(address indexed market, uint256 requested, uint256 covered);
    event FundsWithdrawn(address indexed to, uint256 amount);
    event MarketAuthorized(address indexed market, bool isAuthorized);

    error MarketNotAuthorized(address market);
    error AmountOutOfRange(uint256 amount, uint256 max);

    function initialize(address market_, address asset_) external;

    /// @notice Pays the calling market up to `amount`. Only authorized markets.
    function coverLoss(uint256 amount) external returns (uint256 covered);

    /// @notice Takes fees or repaid advances from the calling market. Only authorized markets.
    function addFunds(uint256 amount) external;

    /// @notice Adds to the reserve. Anyone.
    function topUp(uint256 amount) external;

    /// @notice Only the owner.
    function emergencyWithdraw(address to, uint256 amount) external;

    /// @notice Only the owner.
    function setMarketAuthorized(address market_, bool isAuthorized) external;

    /// @notice What `market_` would get now if it asked for everything.
    function coverableFor(address market_) external view returns (uint256);

    function isAuthorized(address market_) external view returns (bool);

    function asset() external view returns (address);

    /// @notice Sums since deployment: added, paid for losses, withdrawn by the owner.
    function totals() external view returns (uint256 added, uint256 covered, uint256 withdrawn);

    /// @notice Capability: anyone may top up.
    function hasOpenTopUp() external pure returns (bool);
}
