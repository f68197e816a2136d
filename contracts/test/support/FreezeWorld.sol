// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../src/demo/DemoCompliance.sol";
import {DemoIdentityRegistry} from "../../src/demo/DemoIdentityRegistry.sol";
import {DemoSecurity} from "../../src/demo/DemoSecurity.sol";
import {CollateralMode, DeployParams} from "../../src/lending/interfaces/ILendingFactory.sol";
import {LendingTest} from "./LendingTest.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The same world with an ERC-3643 security. The adapter is an agent of it; the router is a verified holder.
abstract contract FreezeWorld is LendingTest {
    DemoIdentityRegistry internal registry;
    DemoSecurity internal security;
    address internal transferAgent = makeAddress("transfer agent");
    address internal borrowerIdentity = makeAddress("borrower identity");

    function _makeCollateral() internal override returns (IERC20) {
        registry = new DemoIdentityRegistry(address(this));
        security = new DemoSecurity(
            "Security",
            "SEC",
            18,
            address(registry),
            address(new DemoCompliance(address(this))),
            address(0),
            address(this)
        );
        registry.addAgent(address(this));
        security.addAgent(transferAgent);
        registry.registerIdentity(borrower, borrowerIdentity, 276);
        registry.registerIdentity(recipient, address(this), 276);
        registry.registerIdentity(buyer, address(this), 276);
        return IERC20(address(security));
    }

    function _mode() internal pure virtual returns (CollateralMode) {
        return CollateralMode.FREEZE;
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.mode = _mode();
    }

    function _afterAdoption() internal override {
        registry.registerIdentity(address(router), address(this), 276);
        if (_mode() == CollateralMode.FREEZE) security.addAgent(adapter);
        else registry.registerIdentity(adapter, address(this), 276);
    }

    function _giveCollateral(address to, uint256 amount) internal override {
        vm.prank(transferAgent);
        security.mint(to, amount);
    }
}
