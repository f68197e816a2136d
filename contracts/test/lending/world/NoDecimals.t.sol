// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Counts in hundredths and does not say so.
contract SilentShare is ERC20("Silent", "SIL") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function decimals() public pure override returns (uint8) {
        revert();
    }
}

contract NoDecimalsTest is LendingTest {
    function _makeCollateral() internal override returns (IERC20) {
        return new SilentShare();
    }

    function _params() internal view override returns (DeployParams memory p) {
        p = super._params();
        p.fallbackDecimals = 2;
    }

    function _giveCollateral(address to, uint256 amount) internal override {
        SilentShare(address(token)).mint(to, amount);
    }

    function test_sellPending_countsWithTheDecimalsOfTheDeployment() public {
        uint256 loanId = _openLoan(100e2, 7_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        vm.prank(recipient);
        router.setSaleBid(10_000, block.timestamp + 1 days);
        _give(recipient, 10_000e6);
        vm.prank(recipient);
        cash.approve(address(router), type(uint256).max);
        vm.prank(seller);
        // 45.94 shares at 80.
        assertEq(router.sellPending(1), 3_675.2e6);
    }
}
