// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CollateralMode} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {TrexWorld} from "../../support/trex/TrexWorld.sol";

/// @notice What the token itself costs, beside the calls of ours that contain it. One claim topic, one trusted issuer.
abstract contract TrexGasWorld is TrexWorld {
    uint256 internal loanId;

    function setUp() public override {
        super.setUp();
        _give(borrower, 10_000e6);
        _giveCollateral(address(router), 1);
        _giveCollateral(buyer, 1e18);
        _openLoan(1_000e18, 50_000e6);
        loanId = _openLoan(100e18, 7_000e6);
        _openLoan(100e18, 5_000e6);
        skipTime(1 hours);
        _repay(3, 10e6);
        skipTime(1 hours);
        _setPrice(80e6);
    }

    function _snapshot(string memory name) internal {
        vm.snapshotGasLastCall(name);
    }
}

contract TrexFreezeGasTest is TrexGasWorld {
    function test_gas_token() public {
        vm.prank(borrower);
        security.transfer(buyer, 1e18);
        _snapshot("token: transfer");
        vm.startPrank(transferAgent);
        security.freezePartialTokens(borrower, 1e18);
        _snapshot("token: freezePartialTokens");
        security.unfreezePartialTokens(borrower, 1e18);
        _snapshot("token: unfreezePartialTokens");
        security.forcedTransfer(borrower, buyer, 1e18);
        _snapshot("token: forcedTransfer");
        vm.stopPrank();
        registry.isVerified(borrower);
        _snapshot("registry: isVerified");
    }

    function test_gas_openLoan() public {
        vm.prank(borrower);
        market.openLoan(10e18, 500e6, _noPrice());
        _snapshot("openLoan");
    }

    function test_gas_addCollateral() public {
        vm.prank(borrower);
        market.addCollateral(3, 10e18);
        _snapshot("addCollateral");
    }

    function test_gas_withdrawCollateral() public {
        vm.prank(borrower);
        market.withdrawCollateral(1, 10e18, _noPrice());
        _snapshot("withdrawCollateral with debt");
    }

    function test_gas_repayAll() public {
        vm.prank(borrower);
        market.repay(3, type(uint256).max);
        _snapshot("repay all");
    }

    function test_gas_liquidate() public {
        vm.prank(liquidator);
        market.liquidate(loanId, _noPrice());
        _snapshot("liquidate to router");
    }

    function test_gas_rebindPledge() public {
        _recover(borrower, newWallet, borrowerIdentity);
        market.rebindPledge(loanId, newWallet);
        _snapshot("rebindPledge");
    }
}

contract TrexCustodyGasTest is TrexGasWorld {
    function _mode() internal pure override returns (CollateralMode) {
        return CollateralMode.CUSTODY;
    }

    function test_gas_openLoan() public {
        vm.prank(borrower);
        market.openLoan(10e18, 500e6, _noPrice());
        _snapshot("openLoan");
    }

    function test_gas_repayAll() public {
        vm.prank(borrower);
        market.repay(3, type(uint256).max);
        _snapshot("repay all");
    }

    function test_gas_liquidate() public {
        vm.prank(liquidator);
        market.liquidate(loanId, _noPrice());
        _snapshot("liquidate to router");
    }
}
