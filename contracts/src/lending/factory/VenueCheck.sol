// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DutchAuctionVenue} from "../DutchAuctionVenue.sol";
import {Deployment} from "../interfaces/ILendingFactory.sol";
import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {FactoryStorage} from "./FactoryStorage.sol";

/// @notice Tells an auction venue of a market from anything that only answers like one.
/// @dev Code is compared whole, with the immutables in it, so no getter is believed. Anyone may deploy a venue; it has to come
/// out the same as the twin that the factory creates itself, once per market.
library VenueCheck {
    function isVenueOf(FactoryStorage storage s, address market, address venue) external returns (bool) {
        Deployment storage d = s.deployments[market];
        if (d.deployedAt == 0 || venue.code.length == 0) return false;
        uint256 scale = ILendingMarket(market).collateralScale();
        return venue.codehash == _twin(market, d.collateralToken, d.borrowAsset, scale).codehash;
    }

    function _twin(address market, address token, address asset, uint256 scale) private returns (address twin) {
        bytes32 initCodeHash =
            keccak256(abi.encodePacked(type(DutchAuctionVenue).creationCode, abi.encode(market, token, asset, scale)));
        twin = address(
            uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), initCodeHash))))
        );
        if (twin.code.length == 0) new DutchAuctionVenue{salt: 0}(market, token, asset, scale);
    }
}
