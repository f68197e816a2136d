// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DemoIdentityRegistry} from "../../../src/demo/DemoIdentityRegistry.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {DeployParams, ILendingFactory} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {CuratorTerms} from "../../../src/lending/interfaces/MarketTypes.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice Somebody watches the mempool to take a market, or to keep an honest lender from taking it.
contract AdoptionSquattingAttackTest is LendingTest {
    address private honest = makeAddress("honest lender");
    address private squatter = makeAddress("squatter");
    address private accomplice = makeAddress("accomplice");
    LendingMarket private seeking;

    function setUp() public override {
        super.setUp();
        DemoIdentityRegistry register = new DemoIdentityRegistry(address(this));
        register.addAgent(address(this));
        register.registerIdentity(honest, address(this), 276);
        register.registerIdentity(squatter, address(this), 276);
        register.registerIdentity(accomplice, address(this), 276);
        DeployParams memory p = _params();
        p.borrowerRegistry = address(register);
        p.isOpenToAnyCurator = true;
        vm.prank(deployer);
        seeking = LendingMarket(factory.deployMarket(p));
    }

    function test_attack_copyingTheCommitmentAndTheReveal() public {
        CuratorTerms memory t = _terms();
        bytes32 commitment = factory.claimCommitment(address(seeking), honest, t, "salt");
        // 1. The squatter sees the commitment and sends the same one first.
        vm.prank(squatter);
        factory.commitCuratorClaim(address(seeking), commitment);
        vm.prank(honest);
        factory.commitCuratorClaim(address(seeking), commitment);
        // 2. It is worth nothing to it: the hash names the honest signer.
        skipTime(600);
        vm.prank(squatter);
        vm.expectPartialRevert(ILendingFactory.ClaimNotCommitted.selector);
        factory.acceptCuratorRole(address(seeking), t, "salt");
        // 3. It delays by one window, once; then the honest lender has the market.
        skipTime(259_201);
        commitment = factory.claimCommitment(address(seeking), honest, t, "salt2");
        vm.prank(squatter);
        factory.commitCuratorClaim(address(seeking), "more of the same");
        vm.prank(honest);
        factory.commitCuratorClaim(address(seeking), commitment);
        skipTime(600);
        vm.prank(honest);
        factory.acceptCuratorRole(address(seeking), t, "salt2");
        assertEq(factory.deployment(address(seeking)).curator, honest);
    }

    function test_attack_squattersQueueUp() public {
        CuratorTerms memory t = _terms();
        vm.prank(squatter);
        factory.commitCuratorClaim(address(seeking), "nothing");
        uint256 until = block.timestamp + 600 + 259_200;
        // 1. Another squatter follows as soon as the first one's window is over.
        vm.warp(until + 1);
        vm.prank(accomplice);
        factory.commitCuratorClaim(address(seeking), "nothing either");
        bytes32 commitment = factory.claimCommitment(address(seeking), honest, t, "salt");
        vm.prank(honest);
        factory.commitCuratorClaim(address(seeking), commitment);
        // 2. Only the first commitment of a market is waited for.
        skipTime(600);
        vm.prank(honest);
        factory.acceptCuratorRole(address(seeking), t, "salt");
        assertEq(factory.deployment(address(seeking)).curator, honest);
    }

    function test_attack_aNomineeDoesNotWaitForASquatter() public {
        vm.prank(squatter);
        factory.commitCuratorClaim(address(seeking), "nothing");
        vm.prank(deployer);
        factory.nominateCurator(address(seeking), honest);
        vm.prank(honest);
        factory.acceptCuratorRole(address(seeking), _terms(), 0);
        assertEq(factory.deployment(address(seeking)).curator, honest);
    }

    function test_attack_frontRunningTheRevealWithOtherTerms() public {
        CuratorTerms memory t = _terms();
        bytes32 commitment = factory.claimCommitment(address(seeking), honest, t, "salt");
        vm.prank(honest);
        factory.commitCuratorClaim(address(seeking), commitment);
        skipTime(600);
        // 1. The squatter reads terms and salt from the pending reveal, and puts itself in.
        t.admin = squatter;
        vm.prank(squatter);
        vm.expectPartialRevert(ILendingFactory.ClaimNotCommitted.selector);
        factory.acceptCuratorRole(address(seeking), t, "salt");
        // 2. A commitment of its own matures too late, and stands behind the first.
        bytes32 own = factory.claimCommitment(address(seeking), squatter, t, "salt");
        vm.prank(squatter);
        factory.commitCuratorClaim(address(seeking), own);
        t.admin = admin;
        vm.prank(honest);
        factory.acceptCuratorRole(address(seeking), t, "salt");
        assertEq(factory.deployment(address(seeking)).curator, honest);
    }
}
