// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Roles} from "../base/Roles.sol";
import {ServedUpgrade} from "../base/ServedUpgrade.sol";
import {IVersioned} from "../base/interfaces/IVersioned.sol";
import {ILendingMarket, LoanView, MarketParts, PoolView} from "./interfaces/ILendingMarket.sol";
import {SignedPrice} from "./interfaces/ISecurityPriceOracle.sol";
import {
    Arrears,
    CuratorTerms,
    ExtensionKind,
    ExtensionProposal,
    LoanRecord,
    MarketConfig,
    MarketSetup,
    Realization,
    TermConfig
} from "./interfaces/MarketTypes.sol";
import {AdoptionModule} from "./modules/AdoptionModule.sol";
import {BorrowModule} from "./modules/BorrowModule.sol";
import {ConfigModule} from "./modules/ConfigModule.sol";
import {ExtensionModule} from "./modules/ExtensionModule.sol";
import {LoanModule} from "./modules/LoanModule.sol";
import {MarketStorage, marketStorage} from "./modules/MarketStorage.sol";
import {PoolModule} from "./modules/PoolModule.sol";
import {SeizureModule} from "./modules/SeizureModule.sol";
import {SettlementModule} from "./modules/SettlementModule.sol";
import {ViewModule} from "./modules/ViewModule.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title LendingMarket
/// @dev Says who may call what; the modules, linked libraries over one storage, say what happens.
contract LendingMarket is ILendingMarket, Roles, ServedUpgrade, IVersioned, ReentrancyGuardTransient {
    /* CONSTANTS AND IMMUTABLES */

    bytes32 public constant KIND = "market";
    bytes32 public constant ISSUER_ROLE = keccak256("ISSUER_ROLE");
    bytes32 public constant LIQUIDATOR_ROLE = keccak256("LIQUIDATOR_ROLE");

    /// @inheritdoc ILendingMarket
    address public immutable platformWallet;

    modifier onlyFactory() {
        require(msg.sender == factory, NotFactory(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor(address factory_, address platformWallet_) ServedUpgrade(factory_) {
        platformWallet = platformWallet_;
    }

    /* FACTORY FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function initialize(MarketSetup calldata setup) external initializer onlyFactory {
        AdoptionModule.initialize(marketStorage(), setup);
    }

    /// @inheritdoc ILendingMarket
    function adopt(address operator, CuratorTerms calldata terms, bool mayInstallBorrowers) external onlyFactory {
        _grantRole(DEFAULT_ADMIN_ROLE, terms.admin);
        _grantRole(ISSUER_ROLE, terms.issuer);
        _grantRole(LIQUIDATOR_ROLE, terms.liquidator == address(0) ? operator : terms.liquidator);
        AdoptionModule.adopt(marketStorage(), operator, terms, mayInstallBorrowers);
    }

    /* PROVIDER FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function addLiquidity(uint256 amount) external nonReentrant returns (uint256) {
        return PoolModule.addLiquidity(marketStorage(), amount);
    }

    /// @inheritdoc ILendingMarket
    function removeLiquidity(uint256 shares) external nonReentrant returns (uint256) {
        return PoolModule.removeLiquidity(marketStorage(), shares);
    }

    /* BORROWER FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function openLoan(uint256 collateral, uint256 amount, SignedPrice calldata signedPrice)
        external
        nonReentrant
        returns (uint256)
    {
        return BorrowModule.openLoan(marketStorage(), collateral, amount, address(0), signedPrice);
    }

    /// @inheritdoc ILendingMarket
    function openLoan(uint256 collateral, uint256 amount, address payee, SignedPrice calldata signedPrice)
        external
        nonReentrant
        returns (uint256)
    {
        return BorrowModule.openLoan(marketStorage(), collateral, amount, payee, signedPrice);
    }

    /// @inheritdoc ILendingMarket
    function borrowMore(uint256 loanId, uint256 amount, SignedPrice calldata signedPrice) external nonReentrant {
        BorrowModule.borrowMore(marketStorage(), loanId, amount, signedPrice);
    }

    /// @inheritdoc ILendingMarket
    function repay(uint256 loanId, uint256 amount) public nonReentrant returns (uint256) {
        return LoanModule.repay(marketStorage(), loanId, amount);
    }

    /// @inheritdoc ILendingMarket
    function repayWithPermit(uint256 loanId, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
        returns (uint256)
    {
        // Somebody may have used the permit first: then the allowance is there, or the transfer fails.
        try IERC20Permit(marketStorage().asset).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
        return repay(loanId, amount);
    }

    /// @inheritdoc ILendingMarket
    function closeLoan(uint256 loanId) external nonReentrant {
        LoanModule.closeLoan(marketStorage(), loanId);
    }

    /// @inheritdoc ILendingMarket
    function addCollateral(uint256 loanId, uint256 amount) external nonReentrant {
        LoanModule.addCollateral(marketStorage(), loanId, amount);
    }

    /// @inheritdoc ILendingMarket
    function withdrawCollateral(uint256 loanId, uint256 amount, SignedPrice calldata signedPrice)
        external
        nonReentrant
    {
        LoanModule.withdrawCollateral(marketStorage(), loanId, amount, signedPrice);
    }

    /// @inheritdoc ILendingMarket
    function rebindPledge(uint256 loanId, address newWallet) external nonReentrant {
        LoanModule.rebindPledge(marketStorage(), loanId, newWallet);
    }

    /// @inheritdoc ILendingMarket
    function claimSurplus() external nonReentrant returns (uint256) {
        return PoolModule.claimSurplus(marketStorage(), msg.sender);
    }

    /// @inheritdoc ILendingMarket
    function claimSurplusOfLostWallet(address lostWallet) external nonReentrant returns (uint256) {
        return PoolModule.claimSurplus(marketStorage(), lostWallet);
    }

    /* REALIZATION FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function liquidate(uint256 loanId, SignedPrice calldata signedPrice)
        external
        nonReentrant
        onlyRole(LIQUIDATOR_ROLE)
        returns (uint256)
    {
        return SeizureModule.liquidate(marketStorage(), loanId, signedPrice);
    }

    /// @inheritdoc ILendingMarket
    function liquidateAtomically(uint256 loanId, SignedPrice calldata signedPrice, uint256 bidFactorBps)
        external
        returns (uint256)
    {
        require(msg.sender == address(this), NotItself(msg.sender));
        return SeizureModule.realize(marketStorage(), loanId, signedPrice, bidFactorBps);
    }

    /// @inheritdoc ILendingMarket
    function receiveLiquidationProceeds(uint256 realizationId, uint256 amount) external nonReentrant {
        SettlementModule.receiveLiquidationProceeds(marketStorage(), realizationId, amount);
    }

    /// @inheritdoc ILendingMarket
    function creditAuctionFill(uint256 realizationId, uint256 amount, bool isClosing) external nonReentrant {
        SettlementModule.creditAuctionFill(marketStorage(), realizationId, amount, isClosing);
    }

    /// @inheritdoc ILendingMarket
    function auctionExpired(uint256 realizationId) external nonReentrant {
        SettlementModule.auctionExpired(marketStorage(), realizationId);
    }

    /// @inheritdoc ILendingMarket
    function handleLiquidationTimeout(uint256 realizationId) external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        SettlementModule.handleLiquidationTimeout(marketStorage(), realizationId);
    }

    /// @inheritdoc ILendingMarket
    function countersignSale(uint256 realizationId) external onlyRole(DEFAULT_ADMIN_ROLE) {
        SettlementModule.countersignSale(marketStorage(), realizationId);
    }

    /* EXTENSION FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function proposeExtension(ExtensionKind kind, uint256 loanId, uint256 newDueAt)
        external
        onlyRole(ISSUER_ROLE)
        returns (uint256)
    {
        return ExtensionModule.propose(marketStorage(), kind, loanId, newDueAt);
    }

    /// @inheritdoc ILendingMarket
    function confirmExtension(uint256 proposalId) external onlyRole(DEFAULT_ADMIN_ROLE) {
        ExtensionModule.confirm(marketStorage(), proposalId);
    }

    /// @inheritdoc ILendingMarket
    function applyExtension(uint256 proposalId, uint256[] calldata loanIds) external returns (uint256) {
        return ExtensionModule.applyPage(marketStorage(), proposalId, loanIds);
    }

    /// @inheritdoc ILendingMarket
    function cancelExtension(uint256 proposalId) external {
        if (!hasRole(ISSUER_ROLE, msg.sender)) _checkRole(DEFAULT_ADMIN_ROLE);
        ExtensionModule.cancel(marketStorage(), proposalId);
    }

    /* ISSUER FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function setConfig(MarketConfig calldata newConfig) external nonReentrant onlyRole(ISSUER_ROLE) {
        ConfigModule.setConfig(marketStorage(), newConfig);
    }

    /// @inheritdoc ILendingMarket
    function setTermConfig(uint256 maxLoanDuration_, uint256 gracePeriod, uint256 terminalDueAt, uint256 termPenaltyBps)
        external
        onlyRole(ISSUER_ROLE)
    {
        ConfigModule.setTermConfig(marketStorage(), maxLoanDuration_, gracePeriod, terminalDueAt, termPenaltyBps);
    }

    /// @inheritdoc ILendingMarket
    function setReserveRatio(uint256 newRatioBps) external onlyRole(ISSUER_ROLE) {
        ConfigModule.setReserveRatio(marketStorage(), newRatioBps);
    }

    /* ADMIN FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function setAllowExtension(bool isAllowed) external onlyRole(DEFAULT_ADMIN_ROLE) {
        marketStorage().terms.isExtensionAllowed = isAllowed;
        emit AllowExtensionUpdated(isAllowed);
    }

    /// @inheritdoc ILendingMarket
    function setIdentityGates(address borrowerRegistry, address providerRegistry)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        ConfigModule.setIdentityGates(marketStorage(), borrowerRegistry, providerRegistry);
    }

    /// @inheritdoc ILendingMarket
    function setAuctionModule(address newModule) external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        ConfigModule.setAuctionModule(marketStorage(), newModule, factory);
    }

    /// @inheritdoc ILendingMarket
    function setInsuranceFund(address newFund) external onlyRole(DEFAULT_ADMIN_ROLE) {
        ConfigModule.setInsuranceFund(marketStorage(), newFund);
    }

    /// @inheritdoc ILendingMarket
    function setVaultLiquidity(bool isEnabled) external onlyRole(DEFAULT_ADMIN_ROLE) {
        ConfigModule.setVaultLiquidity(marketStorage(), isEnabled);
    }

    /// @inheritdoc ILendingMarket
    function registerVault(address vault) external onlyRole(DEFAULT_ADMIN_ROLE) {
        ConfigModule.registerVault(marketStorage(), vault);
    }

    /// @inheritdoc ILendingMarket
    function deregisterVault(address vault) external onlyRole(DEFAULT_ADMIN_ROLE) {
        ConfigModule.deregisterVault(marketStorage(), vault);
    }

    /// @inheritdoc ILendingMarket
    function pause() external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        ConfigModule.setPaused(marketStorage(), true);
    }

    /// @inheritdoc ILendingMarket
    function unpause() external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        ConfigModule.setPaused(marketStorage(), false);
    }

    function _authorizeUpgrade(address newImplementation) internal view override onlyRole(DEFAULT_ADMIN_ROLE) {
        _checkServed(KIND, version(), IVersioned(newImplementation).version);
    }

    /* OPERATOR FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function setOperatorFeeRecipient(address newRecipient) external {
        ConfigModule.setOperatorFeeRecipient(marketStorage(), newRecipient);
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc ILendingMarket
    function sweepInfrastructureFees() external nonReentrant returns (uint256) {
        return PoolModule.sweepInfrastructureFees(marketStorage(), platformWallet);
    }

    /// @inheritdoc ILendingMarket
    function sweepOperatorFees() external nonReentrant returns (uint256) {
        return PoolModule.sweepOperatorFees(marketStorage());
    }

    /// @inheritdoc ILendingMarket
    function sweepDistributorFees(address provider) external nonReentrant returns (uint256) {
        return PoolModule.sweepDistributorFees(marketStorage(), provider);
    }

    /// @inheritdoc ILendingMarket
    function sweepProtocolFees() external nonReentrant returns (uint256) {
        return PoolModule.sweepProtocolFees(marketStorage());
    }

    /// @inheritdoc ILendingMarket
    function syncRate() external nonReentrant {
        ConfigModule.syncRate(marketStorage());
    }

    /// @inheritdoc ILendingMarket
    function pokeSnapshot() external {
        ViewModule.snapshot(marketStorage());
    }

    /* VIEWS */

    /// @inheritdoc ILendingMarket
    function pool() external view returns (PoolView memory) {
        return ViewModule.pool(marketStorage());
    }

    /// @inheritdoc ILendingMarket
    function parts() external view returns (MarketParts memory) {
        MarketStorage storage s = marketStorage();
        return MarketParts({
            asset: s.asset,
            collateralToken: s.collateralToken,
            oracle: s.oracle,
            model: s.model,
            fund: s.fund,
            adapter: s.adapter,
            router: s.router,
            auctionModule: s.auctionModule,
            borrowerRegistry: s.borrowerRegistry,
            providerRegistry: s.providerRegistry,
            operator: s.operator
        });
    }

    /// @inheritdoc ILendingMarket
    function config() external view returns (MarketConfig memory) {
        return ViewModule.config(marketStorage());
    }

    /// @inheritdoc ILendingMarket
    function termConfig() external view returns (TermConfig memory) {
        return marketStorage().terms;
    }

    /// @inheritdoc ILendingMarket
    function loan(uint256 loanId) external view returns (LoanView memory) {
        return ViewModule.loan(marketStorage(), loanId);
    }

    /// @inheritdoc ILendingMarket
    function loanTerms(uint256 loanId) external view returns (uint256 thresholdBps, uint256 penaltyBps) {
        return ViewModule.loanTerms(marketStorage(), loanId);
    }

    /// @inheritdoc ILendingMarket
    function healthFactor(uint256 loanId) external view returns (uint256) {
        return ViewModule.healthFactor(marketStorage(), loanId);
    }

    /// @inheritdoc ILendingMarket
    function maxBorrow(uint256 collateral) external view returns (uint256) {
        return ViewModule.maxBorrow(marketStorage(), collateral);
    }

    /// @inheritdoc ILendingMarket
    function collateralOf(address borrower) external view returns (uint256) {
        return marketStorage().collateralOf[borrower];
    }

    /// @inheritdoc ILendingMarket
    function pledgeOf(uint256 loanId) external view returns (address borrower, uint256 collateral) {
        LoanRecord storage record = marketStorage().book[loanId];
        return (record.borrower, record.collateral);
    }

    /// @inheritdoc ILendingMarket
    function realization(uint256 realizationId) external view returns (Realization memory) {
        return marketStorage().realizations[realizationId];
    }

    /// @inheritdoc ILendingMarket
    function arrearsOf(uint256 loanId) external view returns (Arrears memory) {
        return marketStorage().arrears[loanId];
    }

    /// @inheritdoc ILendingMarket
    function extension(uint256 proposalId) external view returns (ExtensionProposal memory) {
        return marketStorage().proposals[proposalId];
    }

    /// @inheritdoc ILendingMarket
    function sharesOf(address provider) external view returns (uint256 shares) {
        (shares,) = ViewModule.position(marketStorage(), provider);
    }

    /// @inheritdoc ILendingMarket
    function toAssets(uint256 shares) external view returns (uint256) {
        return ViewModule.toAssets(marketStorage(), shares);
    }

    /// @inheritdoc ILendingMarket
    function distributorFeesPayable(address provider) external view returns (uint256 fees) {
        (, fees) = ViewModule.position(marketStorage(), provider);
    }

    /// @inheritdoc ILendingMarket
    function surplusOf(address borrower) external view returns (uint256) {
        return marketStorage().surplusOf[borrower];
    }

    /// @inheritdoc ILendingMarket
    function vaults() external view returns (address[] memory) {
        return marketStorage().vaults;
    }

    /// @inheritdoc ILendingMarket
    function flatFees() external view returns (uint256 openFee, uint256 repayFee) {
        return (marketStorage().openFee, marketStorage().repayFee);
    }

    /// @inheritdoc ILendingMarket
    function reserveRatioBps() external view returns (uint256) {
        return marketStorage().reserveRatioBps;
    }

    /// @inheritdoc ILendingMarket
    function minInitialDeposit() external view returns (uint256) {
        return PoolModule.INITIAL_DEPOSIT_UNITS * 10 ** marketStorage().assetDecimals;
    }

    /// @inheritdoc ILendingMarket
    function maxLoanDuration() external view returns (uint256) {
        return marketStorage().terms.maxLoanDuration;
    }

    /// @inheritdoc ILendingMarket
    function isPaused() external view returns (bool) {
        return marketStorage().isPaused;
    }

    /// @inheritdoc ILendingMarket
    function useVaultLiquidity() external view returns (bool) {
        return marketStorage().useVaultLiquidity;
    }

    /// @inheritdoc ILendingMarket
    function isMarketPriced() external view returns (bool) {
        return marketStorage().isMarketPriced;
    }

    /// @inheritdoc ILendingMarket
    function router() external view returns (address) {
        return marketStorage().router;
    }

    /// @inheritdoc ILendingMarket
    function collateralScale() external view returns (uint256) {
        return 10 ** marketStorage().collateralDecimals;
    }

    /// @inheritdoc ILendingMarket
    function auctionModule() external view returns (address) {
        return marketStorage().auctionModule;
    }

    /// @inheritdoc ILendingMarket
    function operatorFeeRecipient() external view returns (address) {
        return marketStorage().operator;
    }

    /// @inheritdoc ILendingMarket
    function isInstrumented() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc ILendingMarket
    function stampsLoanTerms() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc ILendingMarket
    function holdsVenueProceeds() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc IVersioned
    function version() public pure virtual returns (uint256) {
        return 3;
    }
}
