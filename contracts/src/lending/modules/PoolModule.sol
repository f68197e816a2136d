// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ExactTransferLib} from "../../libraries/ExactTransferLib.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IInsuranceFund} from "../interfaces/IInsuranceFund.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {SharesLib} from "../libraries/SharesLib.sol";
import {Books, MarketStorage, Position} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice Money in and out of the pool, and the four sweeps.
library PoolModule {
    using CastLib for uint256;
    using ExactTransferLib for IERC20;
    using SafeERC20 for IERC20;

    uint256 internal constant INITIAL_DEPOSIT_UNITS = 1_000;

    function addLiquidity(MarketStorage storage s, uint256 amount) external returns (uint256 shares) {
        address operator = s.operator;
        require(operator != address(0), IMarketErrors.MarketPendingCurator());
        require(!s.isPaused, IMarketErrors.MarketIsPaused());
        require(msg.sender == operator || s.vaultPosition[msg.sender] != 0, IMarketErrors.NotProvider(msg.sender));
        Books memory b = PoolLib.open(s);
        shares = PoolLib.mint(s, b, msg.sender, amount);
        if (PoolLib.totalShares(b) == shares) {
            uint256 minimum = INITIAL_DEPOSIT_UNITS * 10 ** s.assetDecimals;
            require(amount >= minimum, IMarketErrors.BelowInitialDeposit(amount, minimum));
        }
        PoolLib.save(s, b);
        emit IMarketEvents.LiquidityAdded(msg.sender, amount, shares);
        IERC20(s.asset).pullExact(msg.sender, amount);
    }

    function removeLiquidity(MarketStorage storage s, uint256 shares) external returns (uint256 amount) {
        Books memory b = PoolLib.open(s);
        Position storage position = PoolLib.settle(s, msg.sender, b.perShare);
        uint256 held = position.shares;
        require(shares != 0 && shares <= held, IMarketErrors.InsufficientShares(shares, held));
        uint256 supply = PoolLib.totalShares(b);
        amount = SharesLib.toAssetsDown(shares, PoolLib.totalAssets(s, b), supply, SharesLib.offset(s.assetDecimals));
        uint256 cash = b.cash;
        require(amount <= cash, IMarketErrors.InsufficientLiquidity(amount, cash));
        position.shares = (held - shares).u128();
        PoolLib.setTotalShares(s, b, supply - shares);
        b.cash = cash - amount;
        PoolLib.save(s, b);
        emit IMarketEvents.LiquidityRemoved(msg.sender, amount, shares);
        IERC20(s.asset).safeTransfer(msg.sender, amount);
    }

    function sweepInfrastructureFees(MarketStorage storage s, address platformWallet)
        external
        returns (uint256 amount)
    {
        amount = s.infrastructureFees + s.fees.infrastructure;
        require(amount != 0, IMarketErrors.NothingToSweep());
        (s.infrastructureFees, s.fees.infrastructure) = (0, 0);
        emit IMarketEvents.InfrastructureFeePaid(platformWallet, amount);
        IERC20(s.asset).safeTransfer(platformWallet, amount);
    }

    function sweepOperatorFees(MarketStorage storage s) external returns (uint256 amount) {
        amount = s.operatorFees + s.fees.operator;
        address operator = s.operator;
        require(operator != address(0), IMarketErrors.MarketPendingCurator());
        require(amount != 0, IMarketErrors.NothingToSweep());
        (s.operatorFees, s.fees.operator) = (0, 0);
        emit IMarketEvents.OperatorFeePaid(operator, amount);
        IERC20(s.asset).safeTransfer(operator, amount);
    }

    /// @dev A contract that provides collects by itself, so that it can book what it gets.
    function sweepDistributorFees(MarketStorage storage s, address provider) external returns (uint256 amount) {
        require(msg.sender == provider || provider.code.length == 0, IMarketErrors.ProviderCollectsItself(provider));
        Position storage position = PoolLib.settle(s, provider, PoolLib.load(s).perShare);
        amount = position.owedFees;
        require(amount != 0, IMarketErrors.NothingToSweep());
        position.owedFees = 0;
        uint256 booked = s.fees.distributor;
        if (amount > booked) s.distributorFees = (s.distributorFees - (amount - booked)).u128();
        // forge-lint: disable-next-line(unsafe-typecast)
        s.fees.distributor = amount < booked ? uint80(booked - amount) : 0;
        emit IMarketEvents.DistributorFeePaid(provider, amount);
        IERC20(s.asset).safeTransfer(provider, amount);
    }

    function sweepProtocolFees(MarketStorage storage s) external returns (uint256 amount) {
        amount = s.protocolFees;
        require(amount != 0, IMarketErrors.NothingToSweep());
        s.protocolFees = 0;
        address fund = s.fund;
        emit IMarketEvents.ProtocolFeePaid(fund, amount);
        IERC20(s.asset).forceApprove(fund, amount);
        IInsuranceFund(fund).addFunds(amount);
    }

    /// @param borrower Whose surplus it is.
    function claimSurplus(MarketStorage storage s, address borrower) external returns (uint256 amount) {
        address to = borrower == msg.sender ? borrower : ICollateralAdapter(s.adapter).successorOf(borrower);
        require(to != address(0), IMarketErrors.NoSuccessor(borrower));
        amount = s.surplusOf[borrower];
        require(amount != 0, IMarketErrors.InvalidAmount(amount));
        delete s.surplusOf[borrower];
        s.escrowedSurplus = (s.escrowedSurplus - amount).u128();
        emit IMarketEvents.SurplusClaimed(borrower, amount);
        IERC20(s.asset).safeTransfer(to, amount);
    }
}
