// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {LendingVault} from "../../../src/lending/LendingVault.sol";
import {DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {FirstGenerationMarket} from "../../fixtures/lending/FirstGenerationMarket.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A market of the first generation that lends: one register, an offered operator share of 10 %, a third party
/// that provides directly, a registered vault. `market` and `old` are the same address.
abstract contract FirstGenerationWorld is LendingTest {
    uint256 internal constant OFFERED_BPS = 1_000;

    DemoIdentityRegistry internal register;
    FirstGenerationMarket internal old;
    LendingVault internal vault;
    address internal provider = makeAddress("third-party provider");
    address internal investor = makeAddress("investor");

    function _prepareSuite() internal override {
        register = new DemoIdentityRegistry(address(this));
        register.addAgent(address(this));
        register.registerIdentity(borrower, address(this), 276);
        register.registerIdentity(lender, address(this), 276);
        register.registerIdentity(provider, address(this), 276);
        factory.setImplementation(
            "market", address(new FirstGenerationMarket(address(factory), suite.market, OFFERED_BPS))
        );
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.borrowerRegistry = address(register);
    }

    function setUp() public virtual override {
        super.setUp();
        old = FirstGenerationMarket(payable(address(market)));
        _give(provider, 500_000e6);
        vm.startPrank(provider);
        cash.approve(address(market), type(uint256).max);
        old.addLiquidity(500_000e6);
        vm.stopPrank();
        vault = _makeVault(lender, 600_000e6);
        vm.prank(admin);
        market.registerVault(address(vault));
        _give(investor, 500_000e6);
        vm.startPrank(investor);
        cash.approve(address(vault), type(uint256).max);
        vault.deposit(500_000e6, address(0));
        vm.stopPrank();
        vm.prank(lender);
        vault.supply(address(market), 500_000e6);
    }

    function _upgradeMarket() internal {
        factory.setImplementation("market", suite.market);
        vm.prank(admin);
        LendingMarket(address(old)).upgradeToAndCall(suite.market, "");
    }

    function _answers(address target, string memory probe) internal view returns (bool) {
        (bool success, bytes memory data) = target.staticcall(abi.encodeWithSignature(probe));
        return success && data.length == 32 && abi.decode(data, (bool));
    }
}
