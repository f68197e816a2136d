// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {factoryStorage} from "../../../src/lending/factory/FactoryStorage.sol";
import {AssetData, Deployment} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// @notice What the factory's proxy could have run before: the same storage, fewer answers.
abstract contract EarlierFactory is UUPSUpgradeable {
    error OwnableUnauthorizedAccount(address account);

    function _authorizeUpgrade(address) internal view override {
        require(msg.sender == factoryStorage().owner, OwnableUnauthorizedAccount(msg.sender));
    }

    function deployment(address market) external view virtual returns (Deployment memory) {
        return factoryStorage().deployments[market];
    }

    function candidates(address market) external view returns (address[] memory) {
        return factoryStorage().candidates[market];
    }

    function isMarket(address market) external view returns (bool) {
        return factoryStorage().deployments[market].deployedAt != 0;
    }
}

/// @notice Predates attestation.
contract UnattestingFactory is EarlierFactory {}

/// @notice Attests, but did not write down who deployed a market.
contract ForgetfulFactory is EarlierFactory {
    function deployment(address market) external view override returns (Deployment memory d) {
        d = factoryStorage().deployments[market];
        d.deployer = address(0);
    }

    function assetData(address market) external view returns (AssetData memory) {
        return factoryStorage().assetData[market];
    }

    function attestorOf(address market) external view returns (address) {
        Deployment storage d = factoryStorage().deployments[market];
        return d.curator == address(0) ? address(0) : d.issuer;
    }
}
