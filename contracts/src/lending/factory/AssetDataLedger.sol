// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CastLib} from "../../libraries/CastLib.sol";
import {AssetData, Deployment, ILendingFactory} from "../interfaces/ILendingFactory.sol";
import {FactoryStorage} from "./FactoryStorage.sol";

/// @notice What was said about the collateral of a market, by hash, and whether its lender has seen it.
library AssetDataLedger {
    using CastLib for uint256;

    function attest(FactoryStorage storage s, address market, bytes32 contentHash) external {
        address attestor = attestorOf(s, market);
        require(msg.sender == attestor, ILendingFactory.NotAttestor(msg.sender, attestor));
        AssetData storage data = s.assetData[market];
        bytes32 previous = data.attested;
        require(contentHash != 0, ILendingFactory.InvalidContentHash());
        require(contentHash != previous, ILendingFactory.AttestationCurrent(contentHash));
        uint256 version = data.version + 1;
        data.attested = contentHash;
        data.attestor = msg.sender;
        data.attestedAt = block.timestamp.u40();
        data.version = version.u32();
        emit ILendingFactory.AssetDataAttested(market, contentHash, previous, version, msg.sender);
    }

    function acknowledge(FactoryStorage storage s, address market, bytes32 contentHash) external {
        Deployment storage d = s.deployments[market];
        require(d.deployedAt != 0, ILendingFactory.MarketNotDeployed(market));
        require(
            d.curator != address(0) && (msg.sender == d.curator || msg.sender == d.admin),
            ILendingFactory.NotAcknowledger(msg.sender)
        );
        AssetData storage data = s.assetData[market];
        require(
            contentHash != 0 && contentHash == data.attested,
            ILendingFactory.AssetDataMismatch(contentHash, data.attested)
        );
        data.acknowledged = contentHash;
        data.acknowledgedAt = block.timestamp.u40();
        emit ILendingFactory.AssetDataAcknowledged(market, contentHash, data.version, msg.sender);
    }

    function attestorOf(FactoryStorage storage s, address market) public view returns (address) {
        Deployment storage d = s.deployments[market];
        require(d.deployedAt != 0, ILendingFactory.MarketNotDeployed(market));
        return d.curator == address(0) ? d.deployer : d.issuer;
    }
}
