// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ServedUpgrade} from "../base/ServedUpgrade.sol";
import {IVersioned} from "../base/interfaces/IVersioned.sol";
import {ExactTransferLib} from "../libraries/ExactTransferLib.sol";
import {TwoStepOwned} from "./base/TwoStepOwned.sol";
import {IInsuranceFund} from "./interfaces/IInsuranceFund.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title InsuranceFund
contract InsuranceFund is IInsuranceFund, TwoStepOwned, ServedUpgrade, IVersioned {
    using ExactTransferLib for IERC20;

    /* CONSTANTS */

    bytes32 public constant KIND = "insuranceFund";

    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.InsuranceFund")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant FUND_SLOT = 0x20d0dd0aae66abada232fef7ec814a281be19127995ead0e9b588b30b0731f00;

    /* STORAGE */

    /// @custom:storage-location erc7201:tallystick.storage.InsuranceFund
    struct FundStorage {
        IERC20 asset;
        uint256 added;
        uint256 covered;
        uint256 withdrawn;
        mapping(address market => bool) isAuthorized;
    }

    modifier onlyAuthorizedMarket() {
        require(_fundStorage().isAuthorized[msg.sender], MarketNotAuthorized(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor(address factory_) ServedUpgrade(factory_) {}

    /// @inheritdoc IInsuranceFund
    function initialize(address market_, address asset_) external initializer {
        _initOwned(market_);
        _fundStorage().asset = IERC20(asset_);
        _authorize(market_, true);
    }

    /* MARKET FUNCTIONS */

    /// @inheritdoc IInsuranceFund
    function coverLoss(uint256 amount) external onlyAuthorizedMarket returns (uint256 covered) {
        FundStorage storage s = _fundStorage();
        uint256 balance = s.asset.balanceOf(address(this));
        covered = amount < balance ? amount : balance;
        s.covered += covered;
        emit LossCovered(msg.sender, amount, covered);
        if (covered != 0) s.asset.pushExact(msg.sender, covered);
    }

    /// @inheritdoc IInsuranceFund
    function addFunds(uint256 amount) external onlyAuthorizedMarket {
        _add(amount);
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc IInsuranceFund
    function topUp(uint256 amount) external {
        require(amount != 0, AmountOutOfRange(amount, type(uint256).max));
        _add(amount);
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc IInsuranceFund
    function emergencyWithdraw(address to, uint256 amount) external onlyOwner {
        FundStorage storage s = _fundStorage();
        uint256 balance = s.asset.balanceOf(address(this));
        require(amount != 0 && amount <= balance, AmountOutOfRange(amount, balance));
        s.withdrawn += amount;
        emit FundsWithdrawn(to, amount);
        s.asset.pushExact(to, amount);
    }

    /// @inheritdoc IInsuranceFund
    function setMarketAuthorized(address market_, bool isAuthorized_) external onlyOwner {
        _authorize(market_, isAuthorized_);
    }

    function _authorizeUpgrade(address newImplementation) internal view override onlyOwner {
        _checkServed(KIND, version(), IVersioned(newImplementation).version);
    }

    /* INTERNAL */

    function _add(uint256 amount) private {
        FundStorage storage s = _fundStorage();
        s.added += amount;
        emit FundsAdded(msg.sender, amount);
        s.asset.pullExact(msg.sender, amount);
    }

    function _authorize(address market_, bool isAuthorized_) private {
        _fundStorage().isAuthorized[market_] = isAuthorized_;
        emit MarketAuthorized(market_, isAuthorized_);
    }

    function _fundStorage() private pure returns (FundStorage storage s) {
        assembly ("memory-safe") {
            s.slot := FUND_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc IInsuranceFund
    function coverableFor(address market_) external view returns (uint256) {
        FundStorage storage s = _fundStorage();
        return s.isAuthorized[market_] ? s.asset.balanceOf(address(this)) : 0;
    }

    /// @inheritdoc IInsuranceFund
    function isAuthorized(address market_) external view returns (bool) {
        return _fundStorage().isAuthorized[market_];
    }

    /// @inheritdoc IInsuranceFund
    function asset() external view returns (address) {
        return address(_fundStorage().asset);
    }

    /// @inheritdoc IInsuranceFund
    function totals() external view returns (uint256 added, uint256 covered, uint256 withdrawn) {
        FundStorage storage s = _fundStorage();
        return (s.added, s.covered, s.withdrawn);
    }

    /// @inheritdoc IInsuranceFund
    function hasOpenTopUp() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc IVersioned
    function version() public pure virtual returns (uint256) {
        return 2;
    }
}
