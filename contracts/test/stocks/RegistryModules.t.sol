// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IStockToken} from "../../src/stocks/interfaces/IStockToken.sol";
import {CautiousModule, HostileModule, LimitModule} from "../identity/support/Modules.sol";
import {Pool} from "./support/Pool.sol";
import {RegisteredStockTest} from "./support/RegisteredStockTest.sol";

/// @notice Compliance modules of the identity registry speak for every stock that asks it.
contract RegistryModulesTest is RegisteredStockTest {
    function test_transfer_isRefusedByAModuleOfTheRegistry() public {
        identities.addComplianceModule(address(new LimitModule(100, 600)));
        vm.startPrank(alice);
        _expectRefused();
        stock.transfer(bob, 101);
        stock.transfer(bob, 100);
        _expectRefused();
        stock.transfer(bob, 1);
        vm.stopPrank();
        (IStockToken.TransferRestrictionCode code, string memory rule) = stock.canTransfer(alice, bob, 1);
        assertEq(uint256(code), uint256(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED));
        assertEq(rule, "REGISTRY_MODULE_REFUSED");
    }

    function test_transferFrom_isRefusedToo() public {
        identities.addComplianceModule(address(new LimitModule(100, 600)));
        vm.prank(alice);
        stock.approve(bob, 1_000);
        vm.prank(bob);
        _expectRefused();
        stock.transferFrom(alice, bob, 101);
    }

    /// A pool without an identity is no way around the rules of the registry.
    function test_authorisedContracts_areSubjectToTheModules() public {
        Pool pool = new Pool(stock);
        vm.prank(issuer);
        stock.addAuthorizedContract(address(pool));
        vm.prank(alice);
        stock.transfer(address(pool), 300);
        identities.addComplianceModule(address(new LimitModule(100, 600)));
        vm.prank(alice);
        _expectRefused();
        stock.transfer(address(pool), 101);
        _expectRefused();
        pool.pay(bob, 101);
        pool.pay(bob, 100);
    }

    function test_issue_asksThemWithoutASender() public {
        identities.addComplianceModule(address(new LimitModule(100, 600)));
        vm.startPrank(issuer);
        _expectRefused();
        stock.issue(carol, 101, REASON);
        stock.issue(carol, 100, REASON);
    }

    function test_redeemFrom_bySubIssuersAsksThemWithoutAReceiver() public {
        vm.prank(alice);
        stock.approve(subIssuer, 1_000);
        vm.prank(subIssuer);
        stock.issue(carol, 1_000, REASON);
        identities.addComplianceModule(address(new LimitModule(100, 600)));
        vm.startPrank(subIssuer);
        _expectRefused();
        stock.redeemFrom(alice, 101, REASON);
        stock.redeemFrom(alice, 100, REASON);
    }

    /// Whatever gas a caller gives: the transfer is made, or it fails for want of gas. No starved module is passed off as
    /// one that agrees, nor as one that refuses, and no registry as one without modules.
    function test_transfer_isNotDecidedByTheGasItGets() public {
        identities.addComplianceModule(address(new CautiousModule()));
        uint256 made;
        for (uint256 given = 30_000; given < 400_000; given += 700) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(alice);
            try stock.transfer{gas: given}(bob, 1) returns (bool) {
                ++made;
            } catch (bytes memory reason) {
                assertTrue(
                    reason.length == 0
                        || keccak256(reason) == keccak256(abi.encodePacked(IStockToken.ModuleNeedsMoreGas.selector))
                );
            }
            vm.revertToState(snapshot);
        }
        assertGt(made, 0);
        assertLt(made, 528);
        // One that refuses, refuses whatever it gets.
        identities.addComplianceModule(address(new LimitModule(0, 0)));
        for (uint256 given = 30_000; given < 400_000; given += 700) {
            vm.prank(alice);
            try stock.transfer{gas: given}(bob, 1) returns (bool) {
                assertTrue(false, "a refused transfer was made");
            } catch {}
        }
    }

    /// A batch keeps back what eight modules can take, so that it stops rather than fails.
    function testFuzz_batchIssue_stopsBeforeTheModulesRunOut(uint256 given) public {
        for (uint256 i = 0; i < 8; ++i) {
            identities.addComplianceModule(address(new CautiousModule()));
        }
        address[] memory recipients = new address[](10);
        uint256[] memory amounts = new uint256[](10);
        for (uint256 i = 0; i < 10; ++i) {
            (recipients[i], amounts[i]) = (address(uint160(0x1000 + i)), i + 1);
            _verify(recipients[i]);
        }
        vm.prank(issuer);
        uint256 processed = stock.batchIssue{gas: bound(given, 1_300_000, 6_000_000)}(recipients, amounts, REASON);
        assertGt(processed, 0);
        assertLt(processed, 10);
        assertEq(stock.balanceOf(recipients[processed]), 0);
        assertBooksAgree();
    }

    /// A registry of others, or of our first version, has no modules to ask.
    function test_transfer_goesOnWithARegistryWithoutModules() public {
        vm.prank(alice);
        plainStock.transfer(bob, 1);
        for (uint256 given = 30_000; given < 160_000; given += 700) {
            vm.prank(alice);
            try plainStock.transfer{gas: given}(bob, 1) returns (bool) {} catch {}
        }
        vm.prank(alice);
        plainStock.transfer{gas: 200_000}(bob, 1);
    }

    /// Whatever a module does but say yes, refuses; and it is told from a plain no.
    function test_transfer_isRefusedByAModuleThatFails() public {
        identities.addComplianceModule(address(new HostileModule(identities)));
        for (uint256 amount = 1; amount <= 12; ++amount) {
            if (amount == 10) continue;
            vm.prank(alice);
            expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "REGISTRY_MODULE_FAILED");
            stock.transfer(bob, amount);
        }
        vm.prank(alice);
        stock.transfer(bob, 13);
    }

    /// Courts and recoveries go on whatever the modules say, as they do for the token's own module.
    function test_forcedTransfersAndRecoveries_askNone() public {
        identities.addComplianceModule(address(new LimitModule(0, 0)));
        vm.prank(controller);
        stock.forceTransfer(alice, bob, 10, REASON);
        vm.prank(agent);
        stock.forcedTransfer(alice, bob, 10);
        address aliceAgain = makeAddress("alice again");
        identities.moveIdentity(alice, aliceAgain);
        vm.prank(agent);
        stock.recoveryAddress(alice, aliceAgain, alice);
        vm.prank(issuer);
        stock.redeemFrom(bob, 520, REASON);
        assertHolds(aliceAgain, 980, 0);
    }

    function _expectRefused() private {
        expectRestricted(IStockToken.TransferRestrictionCode.COMPLIANCE_REJECTED, "REGISTRY_MODULE_REFUSED");
    }
}
