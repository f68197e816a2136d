// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {MarketProxy} from "../deploy/MarketProxy.sol";
import {SatelliteDeployer} from "../deploy/SatelliteDeployer.sol";
import {IInsuranceFund} from "../interfaces/IInsuranceFund.sol";
import {IInterestRateModel, RateCurve, RateMode} from "../interfaces/IInterestRateModel.sol";
import {
    CollateralMode,
    DeployParams,
    Deployment,
    ILendingFactory,
    PriceSource
} from "../interfaces/ILendingFactory.sol";
import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {ILiquidationRouter} from "../interfaces/ILiquidationRouter.sol";
import {MarketSetup} from "../interfaces/MarketTypes.sol";
import {FactoryStorage} from "./FactoryStorage.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @notice Builds one market with all its parts.
library MarketAssembly {
    using CastLib for uint256;

    function deploy(FactoryStorage storage s, DeployParams calldata p) external returns (address market) {
        _check(s, p);
        market = address(new MarketProxy(_served(s, "market")));
        Deployment storage d = s.deployments[market];
        d.deployer = msg.sender;
        d.deployedAt = block.timestamp.u40();
        d.collateralToken = p.collateralToken;
        d.borrowAsset = p.borrowAsset;
        d.mode = p.mode;
        d.priceSource = p.priceSource;
        d.isOpenToAnyCurator = p.isOpenToAnyCurator;
        d.proposedProviderRegistry = p.providerRegistry;
        s.markets.push(market);
        emit ILendingFactory.MarketDeployed(market, msg.sender, p.collateralToken, p.borrowAsset, p.mode, p.priceSource);
        _createParts(s, d, p, market);
        ILendingMarket(market).initialize(_setup(s, d, p));
    }

    function _createParts(FactoryStorage storage s, Deployment storage d, DeployParams calldata p, address market)
        private
    {
        SatelliteDeployer satellites = SatelliteDeployer(s.satelliteDeployer);
        d.oracle = satellites.deployOracle(market, p.initialPrice);
        d.adapter = p.mode == CollateralMode.FREEZE
            ? satellites.deployFreezeAdapter(market, p.collateralToken)
            : satellites.deployCustodyAdapter(market, p.collateralToken);
        RateCurve memory curve = p.curve;
        if (curve.kinkBps == 0) curve = RateCurve(200, 1_000, 10_000, 8_000);
        d.model =
            _proxy(_served(s, "rateModel"), abi.encodeCall(IInterestRateModel.initialize, (market, curve, p.offer)));
        d.fund = _proxy(_served(s, "insuranceFund"), abi.encodeCall(IInsuranceFund.initialize, (market, p.borrowAsset)));
        d.router = _proxy(
            _served(s, "router"),
            abi.encodeCall(
                ILiquidationRouter.initialize, (market, p.collateralToken, p.borrowAsset, _collateralDecimals(p))
            )
        );
    }

    function _setup(FactoryStorage storage s, Deployment storage d, DeployParams calldata p)
        private
        view
        returns (MarketSetup memory)
    {
        return MarketSetup({
            asset: p.borrowAsset,
            collateralToken: p.collateralToken,
            collateralDecimals: _collateralDecimals(p),
            oracle: d.oracle,
            model: d.model,
            fund: d.fund,
            adapter: d.adapter,
            router: d.router,
            borrowerRegistry: p.borrowerRegistry,
            isMarketPriced: p.priceSource == PriceSource.MARKET,
            openFee: s.openFee,
            repayFee: s.repayFee,
            maxLoanDuration: p.maxLoanDuration,
            gracePeriod: p.gracePeriod,
            terminalDueAt: p.terminalDueAt
        });
    }

    function _check(FactoryStorage storage s, DeployParams calldata p) private view {
        require(p.collateralToken.code.length != 0, ILendingFactory.InvalidDeployment("collateralToken"));
        require(
            p.borrowAsset.code.length != 0 && p.borrowAsset != p.collateralToken,
            ILendingFactory.InvalidDeployment("borrowAsset")
        );
        uint8 decimals = IERC20Metadata(p.borrowAsset).decimals();
        require(decimals >= 6 && decimals <= 18, ILendingFactory.InvalidDeployment("borrowAssetDecimals"));
        require(
            p.priceSource == PriceSource.NAV || p.borrowerRegistry != address(0),
            ILendingFactory.InvalidDeployment("borrowerRegistry")
        );
        uint256 ceiling = s.creatorRateCeilingBps;
        require(
            p.offer.capBps <= ceiling && p.offer.fixedBps <= ceiling, ILendingFactory.RateAboveCreatorCeiling(ceiling)
        );
        require(
            p.offer.mode != RateMode.FIXED || p.maxLoanDuration != 0,
            ILendingFactory.InvalidDeployment("maxLoanDuration")
        );
    }

    function _collateralDecimals(DeployParams calldata p) private view returns (uint8 decimals) {
        try IERC20Metadata(p.collateralToken).decimals() returns (uint8 answered) {
            decimals = answered;
        } catch {
            decimals = p.fallbackDecimals;
        }
        // Adapters, router and venue count in 96 bits: almost 80 billion whole tokens of 18 decimals.
        require(decimals <= 18, ILendingFactory.InvalidDeployment("collateralDecimals"));
    }

    function _served(FactoryStorage storage s, bytes32 kind) private view returns (address implementation) {
        implementation = s.served[kind];
        require(implementation != address(0), ILendingFactory.NoImplementation(kind));
    }

    function _proxy(address implementation, bytes memory call) private returns (address) {
        return address(new ERC1967Proxy(implementation, call));
    }
}
