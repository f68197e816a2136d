// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CollateralMode, DeployParams} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {LendingTest} from "../LendingTest.sol";
import {TrexSuite} from "./TrexSuite.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The lending world with a real ERC-3643 token as collateral. The router is a verified holder; the adapter is an
/// agent of the token (`FREEZE`) or a verified holder of it (`CUSTODY`).
abstract contract TrexWorld is LendingTest, TrexSuite {
    address internal transferAgent = makeAddress("transfer agent");
    address internal newWallet = makeAddress("new wallet");
    address internal borrowerIdentity;

    function _makeCollateral() internal virtual override returns (IERC20) {
        _deployTrex(transferAgent, 18);
        borrowerIdentity = _registerHolder(borrower);
        _registerHolder(recipient);
        _registerHolder(buyer);
        return IERC20(address(security));
    }

    function _mode() internal pure virtual returns (CollateralMode) {
        return CollateralMode.FREEZE;
    }

    function _params() internal view virtual override returns (DeployParams memory p) {
        p = super._params();
        p.mode = _mode();
    }

    function _afterAdoption() internal virtual override {
        _registerHolder(address(router));
        if (_mode() == CollateralMode.FREEZE) security.addAgent(adapter);
        else _registerHolder(adapter);
    }

    function _giveCollateral(address to, uint256 amount) internal virtual override {
        vm.prank(transferAgent);
        security.mint(to, amount);
    }

    /// @notice The recovery that the token itself offers: balance, frozen part and registration move to the new wallet.
    function _recover(address lostWallet, address to, address identity) internal {
        _addManager(identity, to);
        vm.prank(transferAgent);
        security.recoveryAddress(lostWallet, to, identity);
    }

    function _assertHolding(address holder, uint256 balance, uint256 frozen) internal view {
        assertEq(security.balanceOf(holder), balance, "balance");
        assertEq(security.getFrozenTokens(holder), frozen, "frozen");
    }
}
