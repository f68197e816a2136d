// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILendingVault} from "./interfaces/ILendingVault.sol";
import {IMarketVault} from "./interfaces/IMarketVault.sol";
import {CastLib} from "./libraries/CastLib.sol";
import {ExactTransferLib} from "./libraries/ExactTransferLib.sol";
import {RegisterLib} from "./libraries/RegisterLib.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title LendingVault
contract LendingVault is ILendingVault, ERC20, Ownable2Step, ReentrancyGuardTransient {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;
    using SafeERC20 for IERC20;

    /* CONSTANTS AND IMMUTABLES */

    uint256 public constant MAX_MARKETS = 16;
    uint256 private constant PER_SHARE_SCALE = 1e27;

    /// @inheritdoc IMarketVault
    address public immutable asset;
    uint8 private immutable _decimals;

    /* STORAGE */

    /// @param shares Shares of all holders bound to the distributor.
    struct Distribution {
        uint128 shares;
        uint128 owed;
        uint256 perShare;
    }

    /// @inheritdoc ILendingVault
    uint256 public idleAssets;
    /// @inheritdoc ILendingVault
    bool public depositsPaused;
    /// @inheritdoc ILendingVault
    address public depositorRegistry;
    /// @inheritdoc ILendingVault
    mapping(address market => uint256) public drawCapOf;
    /// @inheritdoc ILendingVault
    mapping(address holder => address) public distributorOf;
    address[] private _markets;
    mapping(address market => bool) private _isKnown;
    uint256 private _feesPerShare;
    /// @dev The zero distributor is the operator.
    mapping(address distributor => Distribution) private _distributions;

    /* CONSTRUCTOR */

    constructor(string memory name_, string memory symbol_, address asset_, address owner_)
        ERC20(name_, symbol_)
        Ownable(owner_)
    {
        asset = asset_;
        _decimals = IERC20Metadata(asset_).decimals();
    }

    /* HOLDER FUNCTIONS */

    /// @inheritdoc ILendingVault
    function deposit(uint256 amount, address distributor) external nonReentrant returns (uint256 shares) {
        require(!depositsPaused, DepositsArePaused());
        address registry = depositorRegistry;
        require(
            registry == address(0) || RegisterLib.isVerified(registry, msg.sender), DepositorNotVerified(msg.sender)
        );
        require(distributor != address(this), DistributorNotAllowed(distributor));
        shares = amount * (totalSupply() + 1) / (totalAssets() + 1);
        require(shares != 0, AmountOutOfRange(amount, type(uint128).max));
        idleAssets += amount;
        if (distributor != address(0) && distributorOf[msg.sender] == address(0)) _bind(msg.sender, distributor);
        _mint(msg.sender, shares);
        emit Deposited(msg.sender, distributorOf[msg.sender], amount, shares);
        IERC20(asset).pullExact(msg.sender, amount);
    }

    /// @inheritdoc ILendingVault
    function redeem(uint256 shares) external nonReentrant returns (uint256 amount) {
        uint256 held = balanceOf(msg.sender);
        require(shares != 0 && shares <= held, AmountOutOfRange(shares, held));
        uint256 owed = shares * (totalAssets() + 1) / (totalSupply() + 1);
        _fetch(owed);
        amount = owed < idleAssets ? owed : idleAssets;
        require(amount != 0, NothingRedeemable());
        // What is not paid stays as shares; the rounding is the redeemer's.
        uint256 burnt = amount == owed ? shares : (shares * amount - 1) / owed + 1;
        idleAssets -= amount;
        _burn(msg.sender, burnt);
        emit Redeemed(msg.sender, amount, burnt);
        IERC20(asset).safeTransfer(msg.sender, amount);
    }

    /* MARKET FUNCTIONS */

    /// @inheritdoc IMarketVault
    function drawForMarket(uint256 amount) external nonReentrant {
        uint256 drawable = drawableFor(msg.sender);
        require(amount != 0 && amount <= drawable, AmountOutOfRange(amount, drawable));
        idleAssets -= amount;
        emit DrawnForMarket(msg.sender, amount);
        IERC20(asset).safeTransfer(msg.sender, amount);
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc ILendingVault
    function setDrawCap(address market, uint256 cap) external onlyOwner {
        _know(market);
        drawCapOf[market] = cap;
        emit DrawCapSet(market, cap);
    }

    /// @inheritdoc ILendingVault
    function supply(address market, uint256 amount) external nonReentrant onlyOwner returns (uint256 shares) {
        _know(market);
        require(amount <= idleAssets, AmountOutOfRange(amount, idleAssets));
        idleAssets -= amount;
        emit Supplied(market, amount);
        IERC20(asset).forceApprove(market, amount);
        shares = ILendingMarket(market).addLiquidity(amount);
    }

    /// @inheritdoc ILendingVault
    function withdraw(address market, uint256 shares) external nonReentrant onlyOwner returns (uint256 amount) {
        amount = _withdraw(market, shares);
    }

    /// @inheritdoc ILendingVault
    function setDepositsPaused(bool isPaused) external onlyOwner {
        depositsPaused = isPaused;
        emit DepositsPausedSet(isPaused);
    }

    /// @inheritdoc ILendingVault
    function setDepositorRegistry(address registry) external onlyOwner {
        depositorRegistry = registry;
        emit DepositorRegistrySet(registry);
    }

    /// @inheritdoc ILendingVault
    function renounceOwnership() public view override(ILendingVault, Ownable) onlyOwner {
        revert OwnershipNotRenounceable();
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc ILendingVault
    function collectDistributorFees(address market) external nonReentrant returns (uint256 amount) {
        require(_isKnown[market], MarketNotKnown(market));
        uint256 before = IERC20(asset).balanceOf(address(this));
        ILendingMarket(market).sweepDistributorFees(address(this));
        amount = IERC20(asset).balanceOf(address(this)) - before;
        uint256 supply_ = totalSupply();
        if (supply_ == 0) _distributions[address(0)].owed = (_distributions[address(0)].owed + amount).u128();
        else _feesPerShare += amount * PER_SHARE_SCALE / supply_;
        emit DistributorFeesCollected(market, amount);
    }

    /// @inheritdoc ILendingVault
    function payDistributor(address distributor) external nonReentrant returns (uint256 amount) {
        require(distributor != address(0), DistributorNotAllowed(distributor));
        amount = _takeOwed(distributor);
        emit DistributorFeePaid(distributor, amount);
        IERC20(asset).safeTransfer(distributor, amount);
    }

    /// @inheritdoc ILendingVault
    function payOperatorFees() external nonReentrant returns (uint256 amount) {
        amount = _takeOwed(address(0));
        emit OperatorFeePaid(owner(), amount);
        IERC20(asset).safeTransfer(owner(), amount);
    }

    /* INTERNAL */

    /// @dev Shares carry their attribution: they leave the sender's distributor and join the recipient's.
    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0)) {
            Distribution storage left = _settle(distributorOf[from]);
            left.shares = (left.shares - value).u128();
        }
        if (to != address(0)) {
            Distribution storage joined = _settle(distributorOf[to]);
            joined.shares = (joined.shares + value).u128();
        }
        super._update(from, to, value);
    }

    function _bind(address holder, address distributor) private {
        uint256 shares = balanceOf(holder);
        Distribution storage unbound = _settle(address(0));
        unbound.shares = (unbound.shares - shares).u128();
        Distribution storage bound = _settle(distributor);
        bound.shares = (bound.shares + shares).u128();
        distributorOf[holder] = distributor;
        emit DistributorBound(holder, distributor);
    }

    function _settle(address distributor) private returns (Distribution storage d) {
        d = _distributions[distributor];
        uint256 earned = _earned(d);
        if (earned != 0) d.owed = (d.owed + earned).u128();
        d.perShare = _feesPerShare;
    }

    function _takeOwed(address distributor) private returns (uint256 amount) {
        Distribution storage d = _settle(distributor);
        amount = d.owed;
        require(amount != 0, NothingAccrued());
        d.owed = 0;
    }

    /// @dev Takes from the markets, in order, what idle money lacks.
    function _fetch(uint256 wanted) private {
        uint256 count = _markets.length;
        for (uint256 i = 0; i < count && idleAssets < wanted; ++i) {
            ILendingMarket market = ILendingMarket(_markets[i]);
            (uint256 shares, uint256 value, uint256 takeable) = _positionIn(market);
            uint256 missing = wanted - idleAssets;
            if (takeable == 0) continue;
            uint256 target = missing < takeable ? missing : takeable;
            // Rounded down, so that the market never has to pay more than its cash.
            uint256 burnt = target == value ? shares : shares * target / value;
            if (burnt != 0) _withdraw(address(market), burnt);
        }
    }

    function _withdraw(address market, uint256 shares) private returns (uint256 amount) {
        require(_isKnown[market], MarketNotKnown(market));
        uint256 before = IERC20(asset).balanceOf(address(this));
        ILendingMarket(market).removeLiquidity(shares);
        amount = IERC20(asset).balanceOf(address(this)) - before;
        idleAssets += amount;
        emit Withdrawn(market, amount);
    }

    function _know(address market) private {
        require(ILendingMarket(market).parts().asset == asset, AssetMismatch(market));
        require(ILendingMarket(market).operatorFeeRecipient() == owner(), MarketNotOperators(market));
        if (_isKnown[market]) return;
        require(_markets.length < MAX_MARKETS, TooManyMarkets(MAX_MARKETS));
        _isKnown[market] = true;
        _markets.push(market);
    }

    /* VIEWS */

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// @inheritdoc ILendingVault
    function totalAssets() public view returns (uint256 total) {
        total = idleAssets;
        uint256 count = _markets.length;
        for (uint256 i = 0; i < count; ++i) {
            (, uint256 value,) = _positionIn(ILendingMarket(_markets[i]));
            total += value;
        }
    }

    /// @inheritdoc ILendingVault
    function redeemableNow() external view returns (uint256 total) {
        total = idleAssets;
        uint256 count = _markets.length;
        for (uint256 i = 0; i < count; ++i) {
            (,, uint256 takeable) = _positionIn(ILendingMarket(_markets[i]));
            total += takeable;
        }
    }

    /// @inheritdoc IMarketVault
    function drawableFor(address market) public view returns (uint256) {
        uint256 cap = drawCapOf[market];
        if (cap == 0) return 0;
        (, uint256 value,) = _positionIn(ILendingMarket(market));
        if (value >= cap) return 0;
        return cap - value < idleAssets ? cap - value : idleAssets;
    }

    /// @inheritdoc ILendingVault
    function distributorFeesOf(address distributor) external view returns (uint256) {
        Distribution storage d = _distributions[distributor];
        return d.owed + _earned(d);
    }

    /// @inheritdoc ILendingVault
    function markets() external view returns (address[] memory) {
        return _markets;
    }

    function _earned(Distribution storage d) private view returns (uint256) {
        return d.shares * (_feesPerShare - d.perShare) / PER_SHARE_SCALE;
    }

    function _positionIn(ILendingMarket market) private view returns (uint256 shares, uint256 value, uint256 takeable) {
        shares = market.sharesOf(address(this));
        if (shares == 0) return (0, 0, 0);
        value = market.toAssets(shares);
        uint256 cash = market.pool().cash;
        takeable = value < cash ? value : cash;
    }
}
