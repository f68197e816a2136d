// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IRoles} from "../../src/base/interfaces/IRoles.sol";
import {DemoCash} from "../../src/demo/DemoCash.sol";
import {DemoIdentityRegistry} from "../../src/demo/DemoIdentityRegistry.sol";
import {CustodyAdapter} from "../../src/lending/CustodyAdapter.sol";
import {DutchAuctionVenue} from "../../src/lending/DutchAuctionVenue.sol";
import {InsuranceFund} from "../../src/lending/InsuranceFund.sol";
import {InterestRateModel} from "../../src/lending/InterestRateModel.sol";
import {LendingFactory} from "../../src/lending/LendingFactory.sol";
import {LendingMarket} from "../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../src/lending/LendingVault.sol";
import {LiquidationRouter} from "../../src/lending/LiquidationRouter.sol";
import {SecurityPriceOracle} from "../../src/lending/SecurityPriceOracle.sol";
import {LendingDeployer} from "../../src/lending/deploy/LendingDeployer.sol";
import {CollateralMode, DeployParams, PriceSource} from "../../src/lending/interfaces/ILendingFactory.sol";
import {LoanView, PoolView} from "../../src/lending/interfaces/ILendingMarket.sol";
import {MarketCap} from "../../src/lending/interfaces/ILendingVault.sol";
import {SignedPrice} from "../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {CuratorTerms, MarketConfig, RealizationMode} from "../../src/lending/interfaces/MarketTypes.sol";
import {BaseTest} from "./BaseTest.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The deployer's world: a suite, one adopted CUSTODY market at 100 cash per unit, a pool of a million.
abstract contract LendingTest is BaseTest {
    bytes32 internal constant ADMIN_ROLE = 0x00;
    bytes32 internal constant ISSUER_ROLE = keccak256("ISSUER_ROLE");
    bytes32 internal constant LIQUIDATOR_ROLE = keccak256("LIQUIDATOR_ROLE");
    bytes32 internal constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    uint256 internal constant PRICE = 100e6;
    uint256 internal constant POOL = 1_000_000e6;

    address internal platform = makeAddress("platform");
    address internal deployer = makeAddress("deployer");
    address internal lender = makeAddress("lender");
    address internal admin = makeAddress("admin");
    address internal issuer = makeAddress("issuer");
    address internal agent = makeAddress("collateral agent");
    address internal recipient = makeAddress("sale recipient");
    address internal seller = makeAddress("liquidation operator");
    address internal oracleOwner = makeAddress("oracle owner");
    address internal signer;
    uint256 internal signerKey;
    address internal liquidator = makeAddress("liquidator");
    address internal borrower;
    uint256 internal borrowerKey;
    address internal buyer = makeAddress("buyer");
    address internal stranger = makeAddress("stranger");

    LendingDeployer.Suite internal suite;
    LendingFactory internal factory;
    DemoCash internal cash;
    IERC20 internal token;
    LendingMarket internal market;
    SecurityPriceOracle internal oracle;
    InterestRateModel internal model;
    InsuranceFund internal fund;
    LiquidationRouter internal router;
    address internal adapter;
    DutchAuctionVenue internal venue;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        (signer, signerKey) = makeActor("price signer");
        (borrower, borrowerKey) = makeActor("borrower");
        suite = _deploySuite();
        factory = suite.factory;
        cash = _makeCash();
        token = _makeCollateral();
        _prepareSuite();
        market = LendingMarket(_deployMarket());
        _wire();
        // The oracle takes only prices that are newer than the one of the deployment.
        skipTime(1);
        _adopt(market, lender);
        _afterAdoption();
        _give(lender, _poolSize());
        vm.startPrank(lender);
        cash.approve(address(market), type(uint256).max);
        market.addLiquidity(_poolSize());
        vm.stopPrank();
        _giveCollateral(borrower, 10_000e18);
        vm.startPrank(borrower);
        token.approve(adapter, type(uint256).max);
        cash.approve(address(market), type(uint256).max);
        vm.stopPrank();
        vm.prank(seller);
        cash.approve(address(router), type(uint256).max);
    }

    /* WORLD */

    function _deploySuite() internal virtual returns (LendingDeployer.Suite memory) {
        return LendingDeployer.deploy(address(this), platform);
    }

    function _makeCash() internal virtual returns (DemoCash) {
        return new DemoCash("Cash", "CASH", 6, address(this));
    }

    function _makeCollateral() internal virtual returns (IERC20) {
        return new DemoCash("Bond", "BOND", 18, address(this));
    }

    function _poolSize() internal view virtual returns (uint256) {
        return POOL;
    }

    function _prepareSuite() internal virtual {}

    function _afterAdoption() internal virtual {}

    function _params() internal view virtual returns (DeployParams memory p) {
        p.collateralToken = address(token);
        p.borrowAsset = address(cash);
        p.mode = CollateralMode.CUSTODY;
        p.priceSource = PriceSource.NAV;
        p.initialPrice = PRICE;
        p.candidates = new address[](1);
        p.candidates[0] = lender;
    }

    function _terms() internal view virtual returns (CuratorTerms memory t) {
        t.admin = admin;
        t.issuer = issuer;
        t.collateralAgent = agent;
        t.saleRecipient = recipient;
        t.liquidationOperator = seller;
        t.oracleOwner = oracleOwner;
        t.priceSigner = signer;
        t.realizationMode = RealizationMode.ISSUER_REDEMPTION;
        t.liquidator = liquidator;
    }

    function _deployMarket() internal returns (address) {
        vm.prank(deployer);
        return factory.deployMarket(_params());
    }

    function _wire() internal {
        oracle = SecurityPriceOracle(market.parts().oracle);
        model = InterestRateModel(market.parts().model);
        fund = InsuranceFund(market.parts().fund);
        router = LiquidationRouter(market.parts().router);
        adapter = market.parts().adapter;
    }

    function _adopt(LendingMarket market_, address curator) internal {
        vm.prank(curator);
        factory.acceptCuratorRole(address(market_), _terms(), 0);
    }

    /// @notice A vault without markets.
    function _makeVault(address owner) internal returns (LendingVault) {
        return new LendingVault("Vault", "VLT", address(cash), owner, address(factory), new MarketCap[](0));
    }

    /// @notice A vault that serves the market from the start.
    function _makeVault(address owner, uint256 cap) internal returns (LendingVault) {
        MarketCap[] memory caps = new MarketCap[](1);
        caps[0] = MarketCap(address(market), cap);
        return new LendingVault("Vault", "VLT", address(cash), owner, address(factory), caps);
    }

    function _give(address to, uint256 amount) internal {
        cash.mint(to, amount);
    }

    function _giveCollateral(address to, uint256 amount) internal virtual {
        DemoCash(address(token)).mint(to, amount);
    }

    /* ACTIONS */

    function _noPrice() internal pure returns (SignedPrice memory) {
        return SignedPrice(0, 0, 0, "");
    }

    function _signPrice(uint256 price, uint256 timestamp, uint256 validUntil)
        internal
        view
        returns (SignedPrice memory)
    {
        bytes32 structHash = keccak256(abi.encode(oracle.PRICE_UPDATE_TYPEHASH(), price, timestamp, validUntil));
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("SecurityPriceOracle"),
                keccak256("1"),
                block.chainid,
                address(oracle)
            )
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, structHash));
        return SignedPrice(price, timestamp, validUntil, signDigest(signerKey, digest));
    }

    /// @notice One second later when the stored price is of this one.
    function _setPrice(uint256 price) internal {
        if (oracle.updatedAt() >= block.timestamp) skipTime(1);
        vm.prank(signer);
        oracle.updatePrice(price);
    }

    function _capBorrowers(uint128 cap) internal {
        MarketConfig memory config = market.config();
        config.maxUserCollateral = cap;
        vm.prank(issuer);
        market.setConfig(config);
    }

    function _openLoan(uint256 collateral, uint256 amount) internal returns (uint256 loanId) {
        vm.prank(borrower);
        loanId = market.openLoan(collateral, amount, _noPrice());
    }

    function _repay(uint256 loanId, uint256 amount) internal returns (uint256 paid) {
        vm.prank(borrower);
        paid = market.repay(loanId, amount);
    }

    function _liquidate(uint256 loanId) internal returns (uint256 id) {
        vm.prank(liquidator);
        id = market.liquidate(loanId, _noPrice());
    }

    /// @notice Sells everything a record holds and settles it.
    function _sellAndSettle(uint256 liquidationId, uint256 proceeds) internal {
        vm.startPrank(seller);
        uint256 remaining = router.liquidation(liquidationId).collateralRemaining;
        if (remaining != 0) router.withdrawCollateralForSale(liquidationId, remaining);
        vm.stopPrank();
        _give(seller, proceeds);
        vm.prank(seller);
        router.settleLiquidation(liquidationId, proceeds);
    }

    function _makeVenue() internal virtual returns (DutchAuctionVenue) {
        return new DutchAuctionVenue(address(market), address(token), address(cash), 1e18);
    }

    function _wireVenue() internal {
        venue = _makeVenue();
        vm.startPrank(admin);
        market.setAuctionModule(address(venue));
        router.authorizeLendingMarket(address(venue), true);
        vm.stopPrank();
        MarketConfig memory config = market.config();
        config.useDutchAuction = true;
        vm.prank(issuer);
        market.setConfig(config);
        _give(buyer, POOL);
        vm.prank(buyer);
        cash.approve(address(venue), type(uint256).max);
    }

    /* CHECKS */

    function _debt(uint256 loanId) internal view returns (uint256) {
        LoanView memory l = market.loan(loanId);
        return l.principal + l.interest;
    }

    /// @notice Every unit of cash in the market belongs to the pool or to one liability.
    function _assertSolvent() internal view {
        PoolView memory p = market.pool();
        assertEq(
            cash.balanceOf(address(market)),
            p.cash + p.heldProceeds + p.escrowedSurplus + p.infrastructureFees + p.operatorFees + p.distributorFees
                + p.protocolFees,
            "cash of the market"
        );
    }

    function _expectNotAuthorized(address account, bytes32 role) internal {
        vm.expectRevert(abi.encodeWithSelector(IRoles.NotAuthorized.selector, account, role));
    }

    function _fundReserve(uint256 amount) internal {
        _give(address(this), amount);
        cash.approve(address(fund), amount);
        fund.topUp(amount);
    }
}
