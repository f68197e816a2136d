// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {MarketParts, PoolView} from "../../../src/lending/interfaces/ILendingMarket.sol";
import {IMarketVault} from "../../../src/lending/interfaces/IMarketVault.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Says everything that a vault asks a market, and keeps what it gets.
contract LookAlikeMarket {
    address private immutable _asset;
    address public immutable operatorFeeRecipient;

    constructor(address asset_, address operator_) {
        _asset = asset_;
        operatorFeeRecipient = operator_;
    }

    function draw(IMarketVault vault, uint256 amount) external {
        vault.drawForMarket(amount);
    }

    function addLiquidity(uint256 amount) external virtual returns (uint256) {
        IERC20(_asset).transferFrom(msg.sender, address(this), amount);
        return amount;
    }

    function parts() external view returns (MarketParts memory p) {
        p.asset = _asset;
        p.operator = operatorFeeRecipient;
    }

    function sharesOf(address) external view virtual returns (uint256) {
        return 0;
    }

    function distributorFeesPayable(address) external view virtual returns (uint256) {
        return 0;
    }
}

/// @notice Takes every contract for a market.
contract CredulousFactory {
    function isMarket(address) external pure returns (bool) {
        return true;
    }
}

/// @notice A market that answers every view, and does as it is told only when it wants to.
contract StubbornMarket is LookAlikeMarket {
    IERC20 private immutable _cash;
    uint256 public sharesHeld;
    uint256 public feesDue;
    bool public isStubborn;

    constructor(address asset_, address operator_) LookAlikeMarket(asset_, operator_) {
        _cash = IERC20(asset_);
    }

    function setFees(uint256 amount) external {
        feesDue = amount;
    }

    function setStubborn(bool isStubborn_) external {
        isStubborn = isStubborn_;
    }

    function addLiquidity(uint256 amount) external override returns (uint256) {
        _cash.transferFrom(msg.sender, address(this), amount);
        sharesHeld += amount;
        return amount;
    }

    function removeLiquidity(uint256 shares) external returns (uint256) {
        require(!isStubborn);
        sharesHeld -= shares;
        _cash.transfer(msg.sender, shares);
        return shares;
    }

    function sweepDistributorFees(address) external returns (uint256) {
        require(!isStubborn);
        _cash.transfer(msg.sender, feesDue);
        feesDue = 0;
        return feesDue;
    }

    function sharesOf(address) external view override returns (uint256) {
        return sharesHeld;
    }

    function toAssets(uint256 shares) external pure returns (uint256) {
        return shares;
    }

    function distributorFeesPayable(address) external view override returns (uint256) {
        return feesDue;
    }

    function pool() external view returns (PoolView memory p) {
        p.cash = sharesHeld;
    }
}
