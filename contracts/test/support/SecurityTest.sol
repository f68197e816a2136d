// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoCompliance} from "../../src/demo/DemoCompliance.sol";
import {DemoIdentityRegistry} from "../../src/demo/DemoIdentityRegistry.sol";
import {DemoSecurity} from "../../src/demo/DemoSecurity.sol";
import {BaseTest} from "./BaseTest.sol";

/// @notice A security with its registry and compliance, one agent, two verified holders and a stranger.
abstract contract SecurityTest is BaseTest {
    uint16 internal constant GERMANY = 276;
    uint16 internal constant FRANCE = 250;

    address internal issuer = makeAddress("issuer");
    address internal agent = makeAddress("agent");
    address internal alice = makeAddress("alice");
    address internal bob = makeAddress("bob");
    address internal stranger = makeAddress("stranger");
    address internal identityContract = makeAddress("identity contract");

    DemoIdentityRegistry internal registry;
    DemoCompliance internal compliance;
    DemoSecurity internal security;

    function setUp() public virtual {
        registry = new DemoIdentityRegistry(issuer);
        compliance = new DemoCompliance(issuer);
        security = new DemoSecurity(
            "Demo Bond", "dBOND", 0, address(registry), address(compliance), makeAddress("onchain id"), issuer
        );
        vm.startPrank(issuer);
        registry.addAgent(agent);
        security.addAgent(agent);
        vm.stopPrank();
        vm.startPrank(agent);
        registry.registerIdentity(alice, identityContract, GERMANY);
        registry.registerIdentity(bob, identityContract, FRANCE);
        security.mint(alice, 100);
        vm.stopPrank();
    }
}
