// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IServedUpgrade} from "../../../src/base/interfaces/IServedUpgrade.sol";
import {InsuranceFund} from "../../../src/lending/InsuranceFund.sol";
import {InterestRateModel} from "../../../src/lending/InterestRateModel.sol";
import {LendingFactory} from "../../../src/lending/LendingFactory.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LiquidationRouter} from "../../../src/lending/LiquidationRouter.sol";
import {ILendingFactory} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice Markets that a factory does not know.
contract StrayMarketTest is LendingTest {
    function test_marketOfAnotherFactory_isUnknownHereAndUpgradesOnlyThere() public {
        LendingFactory elsewhere = LendingFactory(
            address(
                new ERC1967Proxy(
                    suite.factoryImplementation,
                    abi.encodeCall(LendingFactory.initialize, (address(this), suite.satelliteDeployer))
                )
            )
        );
        elsewhere.setImplementation("market", address(new LendingMarket(address(elsewhere), platform)));
        elsewhere.setImplementation("rateModel", address(new InterestRateModel(address(elsewhere))));
        elsewhere.setImplementation("insuranceFund", address(new InsuranceFund(address(elsewhere))));
        elsewhere.setImplementation("router", address(new LiquidationRouter(address(elsewhere))));
        address stray = elsewhere.deployMarket(_params());
        assertFalse(factory.isMarket(stray));
        assertTrue(elsewhere.isMarket(stray));
        assertEq(LendingMarket(stray).factory(), address(elsewhere));
        assertEq(factory.deployment(stray).deployedAt, 0);
        vm.startPrank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.MarketNotDeployed.selector, stray));
        factory.acceptCuratorRole(stray, _terms(), 0);
        elsewhere.acceptCuratorRole(stray, _terms(), 0);
        vm.stopPrank();
        vm.prank(admin);
        vm.expectPartialRevert(IServedUpgrade.NotServed.selector);
        LendingMarket(stray).upgradeToAndCall(suite.market, "");
    }

    function test_bareProxyOfTheServedImplementation_isNobodysMarket() public {
        address stray = address(new ERC1967Proxy(suite.market, abi.encodeWithSignature("version()")));
        assertFalse(factory.isMarket(stray));
        assertEq(LendingMarket(stray).factory(), address(factory));
        assertEq(LendingMarket(stray).parts().asset, address(0));
        _expectNotAuthorized(stranger, ADMIN_ROLE);
        vm.prank(stranger);
        LendingMarket(stray).upgradeToAndCall(suite.market, "");
    }
}
