// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../libraries/CastLib.sol";
import {ExactTransferLib} from "../libraries/ExactTransferLib.sol";
import {ILendingFactory} from "./interfaces/ILendingFactory.sol";
import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILendingVault, MarketCap} from "./interfaces/ILendingVault.sol";
import {IMarketVault} from "./interfaces/IMarketVault.sol";
import {RegisterLib} from "./libraries/RegisterLib.sol";
import {VaultMarketLib} from "./libraries/VaultMarketLib.sol";
import {VaultSharesLib} from "./libraries/VaultSharesLib.sol";
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
    /// @notice How long the shares of a deposit stay: longer than an auction with all that follows from a bid, shorter
    /// than an announcement.
    uint256 public constant REDEMPTION_WAIT = 3 days;
    /// @notice How long a higher cap waits, and for how long it can be set after that.
    uint256 public constant ANNOUNCEMENT_WAIT = 14 days;
    uint256 private constant PER_SHARE_SCALE = 1e27;

    /// @inheritdoc IMarketVault
    address public immutable asset;
    /// @inheritdoc ILendingVault
    address public immutable factory;
    uint8 private immutable _decimals;

    /* STORAGE */

    /// @param shares Shares of all holders bound to the distributor.
    struct Distribution {
        uint128 shares;
        uint128 owed;
        uint256 perShare;
    }

    struct Fresh {
        uint128 shares;
        uint40 matureAt;
    }

    struct Announcement {
        uint256 cap;
        uint40 readyAt;
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
    mapping(address market => Announcement) private _announcements;
    mapping(address holder => Fresh) private _fresh;
    uint256 private _feesPerShare;
    /// @dev The zero distributor is the operator.
    mapping(address distributor => Distribution) private _distributions;

    /* CONSTRUCTOR */

    /// @param marketCaps Nobody has deposited yet: these need no announcement.
    constructor(
        string memory name_,
        string memory symbol_,
        address asset_,
        address owner_,
        address factory_,
        MarketCap[] memory marketCaps
    ) ERC20(name_, symbol_) Ownable(owner_) {
        require(factory_.code.length != 0, NotAFactory(factory_));
        asset = asset_;
        factory = factory_;
        _decimals = IERC20Metadata(asset_).decimals();
        for (uint256 i = 0; i < marketCaps.length; ++i) {
            _raiseCap(marketCaps[i].market, marketCaps[i].cap);
        }
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
        _collectAll(true);
        (uint256 assets, address unreadable) = _assets();
        require(unreadable == address(0), MarketUnreadable(unreadable));
        shares = VaultSharesLib.toSharesDown(amount, assets, totalSupply());
        require(shares != 0, AmountOutOfRange(amount, type(uint128).max));
        idleAssets += amount;
        if (distributor != address(0) && distributorOf[msg.sender] == address(0)) _bind(msg.sender, distributor);
        _mint(msg.sender, shares);
        (uint256 fresh,) = freshSharesOf(msg.sender);
        _fresh[msg.sender] = Fresh((fresh + shares).u128(), (block.timestamp + REDEMPTION_WAIT).u40());
        emit Deposited(msg.sender, distributorOf[msg.sender], amount, shares);
        IERC20(asset).pullExact(msg.sender, amount);
    }

    /// @inheritdoc ILendingVault
    function redeem(uint256 shares) external nonReentrant returns (uint256 amount) {
        uint256 held = balanceOf(msg.sender);
        require(shares != 0 && shares <= held, AmountOutOfRange(shares, held));
        _requireMature(msg.sender, shares);
        _collectAll(false);
        (uint256 assets,) = _assets();
        uint256 owed = VaultSharesLib.toAssetsDown(shares, assets, totalSupply());
        _fetch(owed);
        amount = owed < idleAssets ? owed : idleAssets;
        require(amount != 0, NothingRedeemable());
        // What is not paid stays as shares.
        uint256 burnt = VaultSharesLib.burntUp(shares, amount, owed);
        idleAssets -= amount;
        _burn(msg.sender, burnt);
        emit Redeemed(msg.sender, amount, burnt);
        IERC20(asset).safeTransfer(msg.sender, amount);
    }

    function transfer(address to, uint256 shares) public override nonReentrant returns (bool) {
        _beforeTransfer(msg.sender, to, shares);
        return super.transfer(to, shares);
    }

    function transferFrom(address from, address to, uint256 shares) public override nonReentrant returns (bool) {
        _beforeTransfer(from, to, shares);
        return super.transferFrom(from, to, shares);
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
    function announceDrawCap(address market, uint256 cap) external onlyOwner {
        _requireOwn(market);
        require(cap > drawCapOf[market], CapNotRaised(market, cap));
        uint256 readyAt = block.timestamp + ANNOUNCEMENT_WAIT;
        _announcements[market] = Announcement(cap, readyAt.u40());
        emit DrawCapAnnounced(market, cap, readyAt);
    }

    /// @inheritdoc ILendingVault
    function cancelAnnouncement(address market) external onlyOwner {
        require(_announcements[market].readyAt != 0, NothingAnnounced(market));
        _cancelAnnouncement(market);
    }

    /// @inheritdoc ILendingVault
    function setDrawCap(address market, uint256 cap) external onlyOwner {
        if (cap > drawCapOf[market]) {
            (uint256 announced, uint256 readyAt, uint256 lapsesAt) = announcementOf(market);
            require(cap <= announced, CapNotAnnounced(market, cap));
            require(block.timestamp >= readyAt, AnnouncementPending(market, readyAt));
            require(block.timestamp < lapsesAt, AnnouncementLapsed(market, lapsesAt));
            delete _announcements[market];
            _raiseCap(market, cap);
        } else {
            require(_isKnown[market], MarketNotKnown(market));
            _cancelAnnouncement(market);
            _setCap(market, cap);
        }
    }

    /// @inheritdoc ILendingVault
    function removeMarket(address market) external nonReentrant onlyOwner {
        require(_isKnown[market], MarketNotKnown(market));
        (bool isReadable, uint256 shares, uint256 value) = VaultMarketLib.holding(market);
        require(!isReadable || shares == 0, MarketHoldsMoney(market, value));
        if (isReadable) _collect(market);
        _cancelAnnouncement(market);
        if (drawCapOf[market] != 0) _setCap(market, 0);
        _isKnown[market] = false;
        uint256 last = _markets.length - 1;
        for (uint256 i = 0; i < last; ++i) {
            if (_markets[i] == market) _markets[i] = _markets[last];
        }
        _markets.pop();
        emit MarketRemoved(market, !isReadable);
    }

    /// @inheritdoc ILendingVault
    function supply(address market, uint256 amount) external nonReentrant onlyOwner returns (uint256 shares) {
        require(_isKnown[market], MarketNotKnown(market));
        _requireOwn(market);
        uint256 room = drawableFor(market);
        require(amount <= room, AmountOutOfRange(amount, room));
        idleAssets -= amount;
        emit Supplied(market, amount);
        IERC20(asset).forceApprove(market, amount);
        shares = ILendingMarket(market).addLiquidity(amount);
    }

    /// @inheritdoc ILendingVault
    function withdraw(address market, uint256 shares) external nonReentrant onlyOwner returns (uint256 amount) {
        require(_isKnown[market], MarketNotKnown(market));
        uint256 before = IERC20(asset).balanceOf(address(this));
        ILendingMarket(market).removeLiquidity(shares);
        amount = _bookWithdrawal(market, before);
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
        amount = _bookFees(market, before);
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

    function _beforeTransfer(address from, address to, uint256 shares) private {
        _requireMature(from, shares);
        // Between holders of one distributor nothing changes for fees.
        if (distributorOf[from] != distributorOf[to]) _collectAll(true);
    }

    function _requireMature(address holder, uint256 shares) private view {
        (uint256 fresh, uint256 matureAt) = freshSharesOf(holder);
        if (fresh == 0) return;
        uint256 redeemable = balanceOf(holder) - fresh;
        require(shares <= redeemable, SharesNotMature(shares, redeemable, matureAt));
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

    /// @dev Fees that wait in a market are of the shares of until now.
    /// @param isRequired Whether a market may not keep what it owes. It might be made to refuse for one transaction, as by a
    /// call from inside one of its own: that must not bring newcomers the fees of others. Nobody is kept from leaving.
    function _collectAll(bool isRequired) private {
        uint256 count = _markets.length;
        for (uint256 i = 0; i < count; ++i) {
            bool isCollected = _collect(_markets[i]);
            require(isCollected || !isRequired, FeesNotCollected(_markets[i]));
        }
    }

    function _collect(address market) private returns (bool isCollected) {
        if (VaultMarketLib.feesPayable(market) == 0) return true;
        uint256 before = IERC20(asset).balanceOf(address(this));
        isCollected =
            VaultMarketLib.attempt(market, abi.encodeCall(ILendingMarket.sweepDistributorFees, (address(this))));
        if (isCollected) _bookFees(market, before);
    }

    function _bookFees(address market, uint256 balanceBefore) private returns (uint256 amount) {
        amount = IERC20(asset).balanceOf(address(this)) - balanceBefore;
        uint256 supply_ = totalSupply();
        if (supply_ == 0) _distributions[address(0)].owed = (_distributions[address(0)].owed + amount).u128();
        else _feesPerShare += amount * PER_SHARE_SCALE / supply_;
        emit DistributorFeesCollected(market, amount);
    }

    /// @dev Takes from the markets, in order, what idle money lacks. One that does not pay is passed over.
    function _fetch(uint256 wanted) private {
        uint256 count = _markets.length;
        for (uint256 i = 0; i < count && idleAssets < wanted; ++i) {
            address market = _markets[i];
            (uint256 shares, uint256 value, uint256 takeable) = _positionIn(market);
            uint256 missing = wanted - idleAssets;
            if (takeable == 0) continue;
            uint256 target = missing < takeable ? missing : takeable;
            // Rounded down, so that the market never has to pay more than its cash.
            uint256 burnt = target == value ? shares : shares * target / value;
            if (burnt == 0) continue;
            uint256 before = IERC20(asset).balanceOf(address(this));
            if (VaultMarketLib.attempt(market, abi.encodeCall(ILendingMarket.removeLiquidity, (burnt)))) {
                _bookWithdrawal(market, before);
            }
        }
    }

    function _bookWithdrawal(address market, uint256 balanceBefore) private returns (uint256 amount) {
        amount = IERC20(asset).balanceOf(address(this)) - balanceBefore;
        idleAssets += amount;
        emit Withdrawn(market, amount);
    }

    function _requireOwn(address market) private view {
        require(ILendingFactory(factory).isMarket(market), MarketNotOfFactory(market));
        require(ILendingMarket(market).parts().asset == asset, AssetMismatch(market));
        require(ILendingMarket(market).operatorFeeRecipient() == owner(), MarketNotOperators(market));
    }

    function _raiseCap(address market, uint256 cap) private {
        _requireOwn(market);
        if (!_isKnown[market]) {
            require(_markets.length < MAX_MARKETS, TooManyMarkets(MAX_MARKETS));
            _isKnown[market] = true;
            _markets.push(market);
        }
        _setCap(market, cap);
    }

    function _setCap(address market, uint256 cap) private {
        drawCapOf[market] = cap;
        emit DrawCapSet(market, cap);
    }

    function _cancelAnnouncement(address market) private {
        if (_announcements[market].readyAt == 0) return;
        delete _announcements[market];
        emit AnnouncementCancelled(market);
    }

    /* VIEWS */

    /// @inheritdoc ILendingVault
    function version() external pure returns (uint256) {
        return 2;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// @inheritdoc ILendingVault
    function totalAssets() public view returns (uint256 total) {
        (total,) = _assets();
    }

    /// @inheritdoc ILendingVault
    function redeemableNow() external view returns (uint256 total) {
        total = idleAssets;
        uint256 count = _markets.length;
        for (uint256 i = 0; i < count; ++i) {
            (,, uint256 takeable) = _positionIn(_markets[i]);
            total += takeable;
        }
    }

    /// @inheritdoc ILendingVault
    function freshSharesOf(address holder) public view returns (uint256 shares, uint256 matureAt) {
        Fresh storage fresh = _fresh[holder];
        if (block.timestamp < fresh.matureAt) (shares, matureAt) = (fresh.shares, fresh.matureAt);
    }

    /// @inheritdoc ILendingVault
    function redeemableSharesOf(address holder) external view returns (uint256) {
        (uint256 fresh,) = freshSharesOf(holder);
        return balanceOf(holder) - fresh;
    }

    /// @inheritdoc IMarketVault
    function drawableFor(address market) public view returns (uint256) {
        uint256 cap = drawCapOf[market];
        if (cap == 0) return 0;
        (bool isReadable,, uint256 value) = VaultMarketLib.holding(market);
        if (!isReadable || value >= cap) return 0;
        return cap - value < idleAssets ? cap - value : idleAssets;
    }

    /// @inheritdoc ILendingVault
    function announcementOf(address market) public view returns (uint256 cap, uint256 readyAt, uint256 lapsesAt) {
        (cap, readyAt) = (_announcements[market].cap, _announcements[market].readyAt);
        if (readyAt != 0) lapsesAt = readyAt + ANNOUNCEMENT_WAIT;
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

    /// @inheritdoc ILendingVault
    function unreadableMarkets() external view returns (address[] memory found) {
        found = _markets;
        uint256 count = 0;
        for (uint256 i = 0; i < found.length; ++i) {
            (bool isReadable,,) = VaultMarketLib.holding(found[i]);
            if (!isReadable) found[count++] = found[i];
        }
        assembly ("memory-safe") {
            mstore(found, count)
        }
    }

    function _earned(Distribution storage d) private view returns (uint256) {
        return d.shares * (_feesPerShare - d.perShare) / PER_SHARE_SCALE;
    }

    /// @param unreadable A market that does not answer; zero: all do.
    function _assets() private view returns (uint256 total, address unreadable) {
        total = idleAssets;
        uint256 count = _markets.length;
        for (uint256 i = 0; i < count; ++i) {
            (bool isReadable,, uint256 value) = VaultMarketLib.holding(_markets[i]);
            if (!isReadable) unreadable = _markets[i];
            total += value;
        }
    }

    function _positionIn(address market) private view returns (uint256 shares, uint256 value, uint256 takeable) {
        (, shares, value) = VaultMarketLib.holding(market);
        if (value == 0) return (shares, 0, 0);
        uint256 cash = VaultMarketLib.cash(market);
        takeable = value < cash ? value : cash;
    }
}
