// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DutchAuctionVenue} from "../../../src/lending/DutchAuctionVenue.sol";
import {LendingFactory} from "../../../src/lending/LendingFactory.sol";
import {LendingDeployer} from "../../../src/lending/deploy/LendingDeployer.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice The whole suite of version 2, from the code that was released.
abstract contract SecondGenerationWorld is LendingTest {
    string private constant CODE = "test/fixtures/lending/second-generation/creation-code.json";
    uint160 private constant FIRST_LIBRARY = 0x5ec00001;

    string private json;

    function _deploySuite() internal override returns (LendingDeployer.Suite memory s) {
        json = vm.readFile(CODE);
        string[13] memory libraries = [
            "SettlementModule",
            "VaultDrawLib",
            "AdoptionModule",
            "BorrowModule",
            "ConfigModule",
            "ExtensionModule",
            "LoanModule",
            "PoolModule",
            "SeizureModule",
            "ViewModule",
            "AssetDataLedger",
            "CuratorBook",
            "MarketAssembly"
        ];
        for (uint160 i = 0; i < libraries.length; ++i) {
            vm.etch(address(FIRST_LIBRARY + i), _release(libraries[i], "").code);
        }
        s.satelliteDeployer = _release("SatelliteDeployer", "");
        s.factoryImplementation = _release("LendingFactory", "");
        address proxy = address(
            new ERC1967Proxy(
                s.factoryImplementation, abi.encodeCall(LendingFactory.initialize, (address(this), s.satelliteDeployer))
            )
        );
        s.factory = LendingFactory(proxy);
        s.market = _release("LendingMarket", abi.encode(proxy, platform));
        s.model = _release("InterestRateModel", abi.encode(proxy));
        s.fund = _release("InsuranceFund", abi.encode(proxy));
        s.router = _release("LiquidationRouter", abi.encode(proxy));
        s.factory.setImplementation("market", s.market);
        s.factory.setImplementation("rateModel", s.model);
        s.factory.setImplementation("insuranceFund", s.fund);
        s.factory.setImplementation("router", s.router);
    }

    function _makeVenue() internal override returns (DutchAuctionVenue) {
        return DutchAuctionVenue(
            _release("DutchAuctionVenue", abi.encode(address(market), address(token), address(cash), 1e18))
        );
    }

    function _release(string memory name, bytes memory arguments) internal returns (address created) {
        bytes memory code = abi.encodePacked(vm.parseJsonBytes(json, string.concat(".", name)), arguments);
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        require(created != address(0), string.concat("not created: ", name));
    }
}
