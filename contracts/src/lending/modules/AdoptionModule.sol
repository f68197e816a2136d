// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {ITwoStepOwned} from "../base/interfaces/ITwoStepOwned.sol";
import {ICollateralAdapter} from "../interfaces/ICollateralAdapter.sol";
import {IInterestRateModel} from "../interfaces/IInterestRateModel.sol";
import {ILiquidationRouter} from "../interfaces/ILiquidationRouter.sol";
import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {ISecurityPriceOracle} from "../interfaces/ISecurityPriceOracle.sol";
import {CuratorTerms, MarketConfig, MarketSetup} from "../interfaces/MarketTypes.sol";
import {ConfigModule} from "./ConfigModule.sol";
import {LoanLib} from "./LoanLib.sol";
import {MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @notice Birth and adoption of a market.
library AdoptionModule {
    using CastLib for uint256;

    function initialize(MarketStorage storage s, MarketSetup calldata setup) external {
        s.oracle = setup.oracle;
        s.adapter = setup.adapter;
        s.model = setup.model;
        s.asset = setup.asset;
        s.fund = setup.fund;
        s.router = setup.router;
        s.collateralToken = setup.collateralToken;
        s.borrowerRegistry = setup.borrowerRegistry;
        s.isMarketPriced = setup.isMarketPriced;
        s.assetDecimals = IERC20Metadata(setup.asset).decimals();
        s.collateralDecimals = setup.collateralDecimals;
        s.openFee = setup.openFee.u80();
        s.repayFee = setup.repayFee.u80();
        s.books.accruedAt = block.timestamp.u32();
        s.collateralFactorBps = 7_500;
        s.liquidationThresholdBps = 8_500;
        s.liquidationPenaltyBps = 500;
        s.closeFactorBps = 5_000;
        s.auctionDuration = 3_600;
        s.auctionStartBps = 13_000;
        s.auctionMinBps = setup.isMarketPriced ? 9_800 : 9_500;
        s.minBorrowAmount = (100 * 10 ** uint256(s.assetDecimals)).u128();
        s.terms.isExtensionAllowed = true;
        ConfigModule.setTermConfig(
            s, setup.maxLoanDuration, setup.gracePeriod == 0 ? 3 days : setup.gracePeriod, setup.terminalDueAt, 0
        );
        PoolLib.syncRates(s);
        LoanLib.refreshTerms(s);
    }

    /// @notice Hands the market and everything it owns to its lender of record, in one step.
    function adopt(MarketStorage storage s, address operator, CuratorTerms calldata terms, bool mayInstallBorrowers)
        external
    {
        require(s.operator == address(0), IMarketErrors.AlreadyAdopted());
        s.operator = operator;
        address borrowers = s.borrowerRegistry;
        if (borrowers == address(0) && mayInstallBorrowers) borrowers = terms.borrowerRegistry;
        ConfigModule.setIdentityGates(s, borrowers, terms.providerRegistry);
        if (terms.vault != address(0)) {
            ConfigModule.registerVault(s, terms.vault);
            ConfigModule.setVaultLiquidity(s, true);
        }
        emit IMarketEvents.OperatorFeeRecipientUpdated(address(0), operator);
        emit IMarketEvents.MarketAdopted(operator, terms.admin, terms.issuer);

        ICollateralAdapter(s.adapter).setPledgee(terms.collateralAgent);
        ILiquidationRouter(s.router).adopt(terms.admin, terms.liquidationOperator, terms.saleRecipient);
        ISecurityPriceOracle(s.oracle).setAuthorizedSigner(terms.priceSigner, true);
        ITwoStepOwned(s.oracle).handOver(terms.oracleOwner);
        if (terms.maxFixedRateBps != 0) IInterestRateModel(s.model).adoptMaxFixedRate(terms.maxFixedRateBps);
        ITwoStepOwned(s.model).handOver(terms.issuer);
        ITwoStepOwned(s.fund).handOver(terms.admin);
    }
}
