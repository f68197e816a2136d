// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {RateCurve, RateOffer} from "./IInterestRateModel.sol";
import {CuratorTerms, RealizationMode} from "./MarketTypes.sol";

enum CollateralMode {
    FREEZE,
    CUSTODY
}

enum PriceSource {
    NAV,
    MARKET
}

/// @param fallbackDecimals Used when the collateral token does not say.
/// @param borrowerRegistry Who may borrow; required for `MARKET` prices. Zero: anyone.
/// @param providerRegistry Only recorded as a proposal.
/// @param curve All zero: the default curve.
/// @param assetDataHash The first attestation; zero: none.
struct DeployParams {
    address collateralToken;
    address borrowAsset;
    CollateralMode mode;
    PriceSource priceSource;
    uint256 initialPrice;
    uint8 fallbackDecimals;
    address borrowerRegistry;
    address providerRegistry;
    address[] candidates;
    bool isOpenToAnyCurator;
    RateCurve curve;
    RateOffer offer;
    uint32 maxLoanDuration;
    uint32 gracePeriod;
    uint40 terminalDueAt;
    bytes32 assetDataHash;
}

struct Deployment {
    address deployer;
    address curator;
    address issuer;
    address admin;
    address collateralToken;
    address borrowAsset;
    address oracle;
    address model;
    address fund;
    address adapter;
    address router;
    address proposedProviderRegistry;
    CollateralMode mode;
    PriceSource priceSource;
    bool isOpenToAnyCurator;
    RealizationMode realizationMode;
    uint40 deployedAt;
    uint40 adoptedAt;
    uint256 liquidityCommitment;
}

struct AssetData {
    bytes32 attested;
    bytes32 acknowledged;
    address attestor;
    uint40 attestedAt;
    uint40 acknowledgedAt;
    uint32 version;
}

/// @notice Deploys markets, records who may take them over, serves their implementations, and keeps the hash of what was
/// said about their collateral.
interface ILendingFactory {
    event MarketDeployed(
        address indexed market,
        address indexed deployer,
        address indexed collateralToken,
        address borrowAsset,
        CollateralMode mode,
        PriceSource priceSource
    );
    event CuratorNominated(address indexed market, address indexed candidate);
    event NominationWithdrawn(address indexed market, address indexed candidate);
    event CuratorClaimCommitted(address indexed market, address indexed signer, bytes32 commitment, uint256 maturesAt);
    event CuratorAccepted(address indexed market, address indexed curator, RealizationMode realizationMode);
    event AssetDataAttested(
        address indexed market,
        bytes32 indexed contentHash,
        bytes32 previousHash,
        uint256 version,
        address indexed attestor
    );
    event AssetDataAcknowledged(
        address indexed market, bytes32 indexed contentHash, uint256 version, address indexed curator
    );
    event ImplementationServed(bytes32 indexed kind, address indexed implementation);
    event SatelliteDeployerSet(address indexed deployer);
    event DefaultFeesSet(uint256 openFee, uint256 repayFee);
    event CreatorRateCeilingSet(uint256 ceilingBps);

    error MarketNotDeployed(address market);
    error NotDeployer(address account);
    error NotSeekingCurator(address market);
    error AlreadyNominated(address candidate);
    error NotNominated(address account);
    error TooManyCandidates(uint256 max);
    error InvalidDeployment(bytes32 field);
    error RateAboveCreatorCeiling(uint256 ceilingBps);
    error NoImplementation(bytes32 kind);
    error InvalidCuratorTerms(bytes32 field);
    error NotOpenToClaims(address market);
    error CandidateNotVerified(address account);
    error ClaimNotCommitted(bytes32 commitment);
    error CommitmentUsed(bytes32 commitment);
    error ClaimPending(uint256 maturesAt);
    error ClaimExpired(uint256 expiredAt);
    error ClaimBehindAnother(address signer);
    error SignerSetNotClean(address oracle);
    error NotAttestor(address account, address attestor);
    error NotAcknowledger(address account);
    error AttestationCurrent(bytes32 contentHash);
    error AssetDataMismatch(bytes32 contentHash, bytes32 standing);
    error InvalidContentHash();
    error NotVersioned(address implementation);

    /* DEPLOYERS */

    /// @notice Creates and wires market, oracle, rate model, fund, adapter and router in one call.
    function deployMarket(DeployParams calldata params) external returns (address market);

    /// @notice Only the deployer of the market or the owner, until the market is adopted.
    function nominateCurator(address market, address candidate) external;

    /// @notice Only the deployer of the market or the owner, until the market is adopted.
    function withdrawNomination(address market, address candidate) external;

    /* LENDERS */

    /// @notice Announces a claim on an open market. The first commitment has priority for its window.
    function commitCuratorClaim(address market, bytes32 commitment) external;

    /// @notice Makes the caller lender of record: a nominee at once (`salt` zero), a claimant with its matured commitment.
    function acceptCuratorRole(address market, CuratorTerms calldata terms, bytes32 salt) external;

    /* ASSET DATA */

    /// @notice Only the deployer while the market seeks a lender, then only the issuer named in its terms.
    function attestAssetData(address market, bytes32 contentHash) external;

    /// @notice Only the lender of record or its admin, and only the hash that stands.
    function acknowledgeAssetData(address market, bytes32 contentHash) external;

    /* VENUES */

    /// @notice Whether `venue` runs the code of an auction venue built for exactly this market: its token, its asset, its
    /// scale. Anyone may ask, and with a call that is not sent. The first time it creates a twin of the venue to compare with.
    function verifyVenue(address market, address venue) external returns (bool);

    /* OWNER */

    /// @notice Only the owner, as are all of these.
    function setImplementation(bytes32 kind, address implementation) external;

    /// @notice What creates oracles and adapters of markets deployed from now on: they are not upgradeable.
    function setSatelliteDeployer(address newDeployer) external;

    function setDefaultFees(uint256 openFee, uint256 repayFee) external;

    function setCreatorRateCeiling(uint256 ceilingBps) external;

    /* VIEWS */

    function deployment(address market) external view returns (Deployment memory);

    function candidates(address market) external view returns (address[] memory);

    function assetData(address market) external view returns (AssetData memory);

    /// @notice Whether the hashes differ; also true while nothing is acknowledged.
    function assetDataDiverged(address market) external view returns (bool);

    /// @notice Who may attest now.
    function attestorOf(address market) external view returns (address);

    function claimCommitment(address market, address signer, CuratorTerms calldata terms, bytes32 salt)
        external
        view
        returns (bytes32);

    function marketCount() external view returns (uint256);

    function marketAt(uint256 index) external view returns (address);

    function isMarket(address market) external view returns (bool);

    function defaultFees() external view returns (uint256 openFee, uint256 repayFee);

    function creatorRateCeiling() external view returns (uint256);
}
