// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IImplementationSource, IServedUpgrade} from "../base/interfaces/IServedUpgrade.sol";
import {IVersioned} from "../base/interfaces/IVersioned.sol";
import {CastLib} from "../libraries/CastLib.sol";
import {AssetDataLedger} from "./factory/AssetDataLedger.sol";
import {CuratorBook} from "./factory/CuratorBook.sol";
import {FactoryStorage, factoryStorage} from "./factory/FactoryStorage.sol";
import {MarketAssembly} from "./factory/MarketAssembly.sol";
import {VenueCheck} from "./factory/VenueCheck.sol";
import {AssetData, DeployParams, Deployment, ILendingFactory} from "./interfaces/ILendingFactory.sol";
import {CuratorTerms} from "./interfaces/MarketTypes.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @title LendingFactory
contract LendingFactory is ILendingFactory, IImplementationSource, Initializable, UUPSUpgradeable {
    using CastLib for uint256;

    /* CONSTANTS */

    /// @notice The operator's and the distributors' part of interest after the infrastructure fee.
    uint256 public constant OPERATOR_SHARE = 0.08e18;
    uint256 public constant DISTRIBUTOR_SHARE = 0.05e18;
    uint256 public constant CLAIM_DELAY = CuratorBook.CLAIM_DELAY;
    uint256 public constant CLAIM_WINDOW = CuratorBook.CLAIM_WINDOW;

    event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    error OwnableUnauthorizedAccount(address account);

    modifier onlyOwner() {
        require(msg.sender == factoryStorage().owner, OwnableUnauthorizedAccount(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor() {
        _disableInitializers();
    }

    function initialize(address owner_, address satelliteDeployer_) external initializer {
        FactoryStorage storage s = factoryStorage();
        (s.owner, s.satelliteDeployer, s.creatorRateCeilingBps) = (owner_, satelliteDeployer_, 50_000);
        emit OwnershipTransferred(address(0), owner_);
    }

    /* DEPLOYER FUNCTIONS */

    /// @inheritdoc ILendingFactory
    function deployMarket(DeployParams calldata params) external returns (address market) {
        market = MarketAssembly.deploy(factoryStorage(), params);
        CuratorBook.nominateAll(factoryStorage(), market, params.candidates);
        if (params.assetDataHash != 0) AssetDataLedger.attest(factoryStorage(), market, params.assetDataHash);
    }

    /// @inheritdoc ILendingFactory
    function nominateCurator(address market, address candidate) external {
        CuratorBook.nominate(factoryStorage(), market, candidate);
    }

    /// @inheritdoc ILendingFactory
    function withdrawNomination(address market, address candidate) external {
        CuratorBook.withdrawNomination(factoryStorage(), market, candidate);
    }

    /* LENDER FUNCTIONS */

    /// @inheritdoc ILendingFactory
    function commitCuratorClaim(address market, bytes32 commitment) external {
        CuratorBook.commitClaim(factoryStorage(), market, commitment);
    }

    /// @inheritdoc ILendingFactory
    function acceptCuratorRole(address market, CuratorTerms calldata terms, bytes32 salt) external {
        CuratorBook.accept(factoryStorage(), market, terms, salt);
        if (terms.assetDataHash != 0) AssetDataLedger.acknowledge(factoryStorage(), market, terms.assetDataHash);
    }

    /* ASSET DATA FUNCTIONS */

    /// @inheritdoc ILendingFactory
    function attestAssetData(address market, bytes32 contentHash) external {
        AssetDataLedger.attest(factoryStorage(), market, contentHash);
    }

    /// @inheritdoc ILendingFactory
    function acknowledgeAssetData(address market, bytes32 contentHash) external {
        AssetDataLedger.acknowledge(factoryStorage(), market, contentHash);
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc ILendingFactory
    function verifyVenue(address market, address venue) external returns (bool) {
        return VenueCheck.isVenueOf(factoryStorage(), market, venue);
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc ILendingFactory
    function setImplementation(bytes32 kind, address implementation) external onlyOwner {
        require(
            implementation.code.length != 0 && IServedUpgrade(implementation).factory() == address(this),
            NotVersioned(implementation)
        );
        factoryStorage().served[kind] = implementation;
        emit ImplementationServed(kind, implementation);
    }

    /// @inheritdoc ILendingFactory
    function setDefaultFees(uint256 openFee, uint256 repayFee) external onlyOwner {
        (factoryStorage().openFee, factoryStorage().repayFee) = (openFee.u80(), repayFee.u80());
        emit DefaultFeesSet(openFee, repayFee);
    }

    /// @inheritdoc ILendingFactory
    function setCreatorRateCeiling(uint256 ceilingBps) external onlyOwner {
        require(ceilingBps <= 50_000, RateAboveCreatorCeiling(50_000));
        factoryStorage().creatorRateCeilingBps = ceilingBps.u16();
        emit CreatorRateCeilingSet(ceilingBps);
    }

    /// @inheritdoc ILendingFactory
    function setSatelliteDeployer(address newDeployer) external onlyOwner {
        require(newDeployer.code.length != 0, NotVersioned(newDeployer));
        // Its adapters ask their market for what a loan holds.
        address market = factoryStorage().served["market"];
        require(IVersioned(market).version() >= 3, NotVersioned(market));
        factoryStorage().satelliteDeployer = newDeployer;
        emit SatelliteDeployerSet(newDeployer);
    }

    /// @notice Nominates the next owner, who has to accept.
    function transferOwnership(address newOwner) external onlyOwner {
        factoryStorage().pendingOwner = newOwner;
        emit OwnershipTransferStarted(msg.sender, newOwner);
    }

    /// @notice Only the nominee.
    function acceptOwnership() external {
        FactoryStorage storage s = factoryStorage();
        require(msg.sender == s.pendingOwner, OwnableUnauthorizedAccount(msg.sender));
        emit OwnershipTransferred(s.owner, msg.sender);
        (s.owner, s.pendingOwner) = (msg.sender, address(0));
    }

    function _authorizeUpgrade(address) internal view override onlyOwner {}

    /* VIEWS */

    /// @inheritdoc IImplementationSource
    function servedImplementation(bytes32 kind) external view returns (address) {
        return factoryStorage().served[kind];
    }

    /// @inheritdoc ILendingFactory
    function deployment(address market) external view returns (Deployment memory) {
        return factoryStorage().deployments[market];
    }

    /// @inheritdoc ILendingFactory
    function candidates(address market) external view returns (address[] memory) {
        return factoryStorage().candidates[market];
    }

    /// @inheritdoc ILendingFactory
    function assetData(address market) external view returns (AssetData memory) {
        return factoryStorage().assetData[market];
    }

    /// @inheritdoc ILendingFactory
    function assetDataDiverged(address market) external view returns (bool) {
        AssetData storage data = factoryStorage().assetData[market];
        return data.attested != data.acknowledged;
    }

    /// @inheritdoc ILendingFactory
    function attestorOf(address market) external view returns (address) {
        return AssetDataLedger.attestorOf(factoryStorage(), market);
    }

    /// @inheritdoc ILendingFactory
    function claimCommitment(address market, address signer, CuratorTerms calldata terms, bytes32 salt)
        external
        view
        returns (bytes32)
    {
        return CuratorBook.commitmentOf(factoryStorage(), market, signer, terms, salt);
    }

    /// @inheritdoc ILendingFactory
    function marketCount() external view returns (uint256) {
        return factoryStorage().markets.length;
    }

    /// @inheritdoc ILendingFactory
    function marketAt(uint256 index) external view returns (address) {
        return factoryStorage().markets[index];
    }

    /// @inheritdoc ILendingFactory
    function isMarket(address market) external view returns (bool) {
        return factoryStorage().deployments[market].deployedAt != 0;
    }

    /// @inheritdoc ILendingFactory
    function defaultFees() external view returns (uint256 openFee, uint256 repayFee) {
        return (factoryStorage().openFee, factoryStorage().repayFee);
    }

    /// @inheritdoc ILendingFactory
    function creatorRateCeiling() external view returns (uint256) {
        return factoryStorage().creatorRateCeilingBps;
    }

    function owner() external view returns (address) {
        return factoryStorage().owner;
    }

    function pendingOwner() external view returns (address) {
        return factoryStorage().pendingOwner;
    }

    function satelliteDeployer() external view returns (address) {
        return factoryStorage().satelliteDeployer;
    }

    function version() external pure virtual returns (uint256) {
        return 3;
    }
}
