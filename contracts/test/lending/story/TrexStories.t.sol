// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CustodyAdapter} from "../../../src/lending/CustodyAdapter.sol";
import {CollateralMode, DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";
import {Story} from "./Story.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The token of the one world, the steps of the other.
abstract contract TrexStory is Story, TrexWorld {
    function setUp() public override(Story, LendingTest) {
        Story.setUp();
    }

    function _params() internal view virtual override(Story, TrexWorld) returns (DeployParams memory) {
        return super._params();
    }

    function _makeCollateral() internal override(LendingTest, TrexWorld) returns (IERC20) {
        return super._makeCollateral();
    }

    function _afterAdoption() internal override(LendingTest, TrexWorld) {
        super._afterAdoption();
    }

    function _giveCollateral(address to, uint256 amount) internal override(LendingTest, TrexWorld) {
        super._giveCollateral(to, amount);
    }
}

contract TrexFreezeStoryTest is TrexStory {
    function _assertPledged(uint256 pledged, uint256 free) internal view override {
        _assertHolding(borrower, pledged + free, pledged);
        _assertHolding(adapter, 0, 0);
    }

    function test_story_freeze() public {
        _tell();
    }
}

/// @notice The holder leaves the register while its loan is open, and returns to it.
contract TrexCustodyStoryTest is TrexStory {
    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    function _closeFirstLoan() internal override {
        registry.deleteIdentity(borrower);
        super._closeFirstLoan();
        assertEq(CustodyAdapter(adapter).escrowOf(borrower), 9_000e18 - 4_342.40625e18);
        registry.registerIdentity(borrower, borrowerIdentity, 276);
        vm.prank(borrower);
        CustodyAdapter(adapter).claimEscrowedCollateral();
    }

    function test_story_custody() public {
        _tell();
    }
}
