// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {Deployment, ILendingFactory, PriceSource} from "../interfaces/ILendingFactory.sol";
import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {ISecurityPriceOracle} from "../interfaces/ISecurityPriceOracle.sol";
import {CuratorTerms, RealizationMode} from "../interfaces/MarketTypes.sol";
import {RegisterLib} from "../libraries/RegisterLib.sol";
import {FactoryStorage, Priority} from "./FactoryStorage.sol";

/// @notice Who may become the lender of record of a market, and how.
library CuratorBook {
    using CastLib for uint256;

    uint256 internal constant CLAIM_DELAY = 600;
    uint256 internal constant CLAIM_WINDOW = 259_200;
    uint256 internal constant MAX_CANDIDATES = 20;

    /* NOMINATIONS */

    function nominateAll(FactoryStorage storage s, address market, address[] calldata candidates) external {
        require(candidates.length <= MAX_CANDIDATES, ILendingFactory.TooManyCandidates(MAX_CANDIDATES));
        for (uint256 i = 0; i < candidates.length; ++i) {
            _nominate(s, market, candidates[i]);
        }
    }

    function nominate(FactoryStorage storage s, address market, address candidate) external {
        _requireDeployer(s, market);
        _nominate(s, market, candidate);
    }

    function withdrawNomination(FactoryStorage storage s, address market, address candidate) external {
        _requireDeployer(s, market);
        require(s.isNominated[market][candidate], ILendingFactory.NotNominated(candidate));
        s.isNominated[market][candidate] = false;
        address[] storage list = s.candidates[market];
        uint256 last = list.length - 1;
        for (uint256 i = 0; i < last; ++i) {
            if (list[i] != candidate) continue;
            list[i] = list[last];
            break;
        }
        list.pop();
        emit ILendingFactory.NominationWithdrawn(market, candidate);
    }

    /* CLAIMS */

    /// @dev The first commitment alone has priority: squatters cannot queue up, and whoever is in a hurry can be nominated.
    function commitClaim(FactoryStorage storage s, address market, bytes32 commitment) external {
        Deployment storage d = _requireSeeking(s, market);
        require(d.isOpenToAnyCurator, ILendingFactory.NotOpenToClaims(market));
        _requireRegistered(market, msg.sender);
        require(
            commitment != 0 && s.committedAt[market][msg.sender][commitment] == 0,
            ILendingFactory.CommitmentUsed(commitment)
        );
        s.committedAt[market][msg.sender][commitment] = block.timestamp;
        uint256 maturesAt = block.timestamp + CLAIM_DELAY;
        if (s.priorities[market].until == 0) {
            s.priorities[market] = Priority(msg.sender, (maturesAt + CLAIM_WINDOW).u40());
        }
        emit ILendingFactory.CuratorClaimCommitted(market, msg.sender, commitment, maturesAt);
    }

    /* ADOPTION */

    function accept(FactoryStorage storage s, address market, CuratorTerms calldata terms, bytes32 salt) external {
        Deployment storage d = _requireSeeking(s, market);
        bool isNominee = s.isNominated[market][msg.sender];
        if (!isNominee) _consumeClaim(s, d, market, terms, salt);
        _checkTerms(d, terms);
        bytes32 standing = s.assetData[market].attested;
        require(
            terms.assetDataHash == 0 || terms.assetDataHash == standing,
            ILendingFactory.AssetDataMismatch(terms.assetDataHash, standing)
        );
        require(ISecurityPriceOracle(d.oracle).signerCount() == 0, ILendingFactory.SignerSetNotClean(d.oracle));
        d.curator = msg.sender;
        d.issuer = terms.issuer;
        d.admin = terms.admin;
        d.realizationMode = terms.realizationMode;
        d.liquidityCommitment = terms.liquidityCommitment;
        d.adoptedAt = block.timestamp.u40();
        emit ILendingFactory.CuratorAccepted(market, msg.sender, terms.realizationMode);
        ILendingMarket(market).adopt(msg.sender, terms, isNominee);
    }

    function commitmentOf(
        FactoryStorage storage s,
        address market,
        address signer,
        CuratorTerms calldata terms,
        bytes32 salt
    ) public view returns (bytes32) {
        bytes32 standing = s.assetData[market].attested;
        return keccak256(
            abi.encode(block.chainid, address(this), market, signer, keccak256(abi.encode(terms)), standing, salt)
        );
    }

    function _consumeClaim(
        FactoryStorage storage s,
        Deployment storage d,
        address market,
        CuratorTerms calldata terms,
        bytes32 salt
    ) private view {
        require(d.isOpenToAnyCurator, ILendingFactory.NotNominated(msg.sender));
        _requireRegistered(market, msg.sender);
        bytes32 commitment = commitmentOf(s, market, msg.sender, terms, salt);
        uint256 committedAt = s.committedAt[market][msg.sender][commitment];
        require(committedAt != 0, ILendingFactory.ClaimNotCommitted(commitment));
        uint256 maturesAt = committedAt + CLAIM_DELAY;
        require(block.timestamp >= maturesAt, ILendingFactory.ClaimPending(maturesAt));
        require(block.timestamp <= maturesAt + CLAIM_WINDOW, ILendingFactory.ClaimExpired(maturesAt + CLAIM_WINDOW));
        Priority memory priority = s.priorities[market];
        require(
            priority.signer == msg.sender || block.timestamp > priority.until,
            ILendingFactory.ClaimBehindAnother(priority.signer)
        );
    }

    function _checkTerms(Deployment storage d, CuratorTerms calldata t) private view {
        require(t.admin != address(0), ILendingFactory.InvalidCuratorTerms("admin"));
        require(t.issuer != address(0), ILendingFactory.InvalidCuratorTerms("issuer"));
        require(t.collateralAgent != address(0), ILendingFactory.InvalidCuratorTerms("collateralAgent"));
        require(t.saleRecipient != address(0), ILendingFactory.InvalidCuratorTerms("saleRecipient"));
        require(t.liquidationOperator != address(0), ILendingFactory.InvalidCuratorTerms("liquidationOperator"));
        require(t.oracleOwner != address(0), ILendingFactory.InvalidCuratorTerms("oracleOwner"));
        require(t.priceSigner != address(0), ILendingFactory.InvalidCuratorTerms("priceSigner"));
        bool isMarketPriced = d.priceSource == PriceSource.MARKET;
        RealizationMode mode = t.realizationMode;
        require(
            mode == RealizationMode.ISSUER_REDEMPTION || (mode == RealizationMode.EXCHANGE_SALE && isMarketPriced)
                || (mode == RealizationMode.AUCTION && !isMarketPriced),
            ILendingFactory.InvalidCuratorTerms("realizationMode")
        );
    }

    function _nominate(FactoryStorage storage s, address market, address candidate) private {
        require(candidate != address(0), ILendingFactory.InvalidDeployment("candidate"));
        require(!s.isNominated[market][candidate], ILendingFactory.AlreadyNominated(candidate));
        require(s.candidates[market].length < MAX_CANDIDATES, ILendingFactory.TooManyCandidates(MAX_CANDIDATES));
        s.isNominated[market][candidate] = true;
        s.candidates[market].push(candidate);
        emit ILendingFactory.CuratorNominated(market, candidate);
    }

    function _requireDeployer(FactoryStorage storage s, address market) private view {
        Deployment storage d = _requireSeeking(s, market);
        require(msg.sender == d.deployer || msg.sender == s.owner, ILendingFactory.NotDeployer(msg.sender));
    }

    function _requireSeeking(FactoryStorage storage s, address market) private view returns (Deployment storage d) {
        d = s.deployments[market];
        require(d.deployedAt != 0, ILendingFactory.MarketNotDeployed(market));
        require(d.curator == address(0), ILendingFactory.NotSeekingCurator(market));
    }

    /// @dev Without a register anyone could claim: then only nominees can adopt.
    function _requireRegistered(address market, address signer) private view {
        address register = ILendingMarket(market).parts().borrowerRegistry;
        require(register != address(0), ILendingFactory.NotOpenToClaims(market));
        require(RegisterLib.isVerified(register, signer), ILendingFactory.CandidateNotVerified(signer));
    }
}
