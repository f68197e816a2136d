// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingFactory} from "../../../src/lending/LendingFactory.sol";
import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {SecurityPriceOracle} from "../../../src/lending/SecurityPriceOracle.sol";
import {IInterestRateModel, RateCurve} from "../../../src/lending/interfaces/IInterestRateModel.sol";
import {DeployParams, ILendingFactory} from "../../../src/lending/interfaces/ILendingFactory.sol";
import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {CastLib} from "../../../src/libraries/CastLib.sol";
import {LendingTest} from "../../support/LendingTest.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract MarketRefusalsTest is LendingTest {
    function test_deploy_revertsWhileNothingIsServed() public {
        LendingFactory bare = LendingFactory(
            address(
                new ERC1967Proxy(
                    suite.factoryImplementation,
                    abi.encodeCall(LendingFactory.initialize, (address(this), suite.satelliteDeployer))
                )
            )
        );
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.NoImplementation.selector, bytes32("market")));
        bare.deployMarket(_params());
    }

    function testFuzz_deploy_revertsForACurveOutOfBounds(uint16 kink, uint32 jump) public {
        kink = uint16(bound(kink, 10_001, type(uint16).max));
        jump = uint32(bound(jump, 1_000_001, type(uint32).max));
        DeployParams memory p = _params();
        p.curve = RateCurve(200, 1_000, 10_000, kink);
        vm.expectRevert(IInterestRateModel.InvalidCurve.selector);
        factory.deployMarket(p);
        p.curve = RateCurve(200, 1_000, jump, 8_000);
        vm.expectRevert(IInterestRateModel.InvalidCurve.selector);
        factory.deployMarket(p);
    }

    function test_defaultFees_revertWhereTheyWouldBeCut() public {
        vm.expectPartialRevert(CastLib.DoesNotFit.selector);
        factory.setDefaultFees(type(uint256).max, 0);
        vm.expectPartialRevert(CastLib.DoesNotFit.selector);
        factory.setDefaultFees(0, type(uint256).max);
    }

    /// No path of the market authorizes a signer before adoption; should one ever appear, adoption stops.
    function test_adopt_revertsWhenTheOracleHasASigner() public {
        LendingMarket seeking = LendingMarket(_deployMarket());
        SecurityPriceOracle its = SecurityPriceOracle(seeking.parts().oracle);
        vm.prank(address(seeking));
        its.setAuthorizedSigner(stranger, true);
        vm.prank(lender);
        vm.expectRevert(abi.encodeWithSelector(ILendingFactory.SignerSetNotClean.selector, address(its)));
        factory.acceptCuratorRole(address(seeking), _terms(), 0);
    }

    function test_adopt_revertsASecondTimeOnTheMarketItself() public {
        vm.prank(address(factory));
        vm.expectRevert(IMarketErrors.AlreadyAdopted.selector);
        market.adopt(stranger, _terms(), true);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotFactory.selector, stranger));
        market.adopt(stranger, _terms(), true);
    }

    function test_loanWithoutDebt_isNeitherRepaidNorRealized() public {
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        _liquidate(loanId);
        _sellAndSettle(1, 8_000e6);
        assertEq(_debt(loanId), 0);
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NoOutstandingDebt.selector, loanId));
        market.repay(loanId, 1);
        vm.prank(liquidator);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NoOutstandingDebt.selector, loanId));
        market.liquidate(loanId, _noPrice());
    }

    /// Somewhere between too little for the settlement and enough for the fund it says what is missing.
    function test_settle_saysThatTheFundNeedsMoreGas() public {
        _fundReserve(10_000e6);
        uint256 loanId = _openLoan(100e18, 7_000e6);
        _setPrice(80e6);
        uint256 id = _liquidate(loanId);
        vm.prank(admin);
        market.countersignSale(id);
        vm.prank(seller);
        router.withdrawCollateralForSale(1, 45.9375e18);
        _give(seller, 1_000e6);
        bool isSaid;
        for (uint256 gas = 300_000; gas < 1_200_000 && !isSaid; gas += 25_000) {
            uint256 state = vm.snapshotState();
            vm.prank(seller);
            (bool success, bytes memory reason) =
                address(router).call{gas: gas}(abi.encodeCall(router.settleLiquidation, (1, 1_000e6)));
            vm.revertToState(state);
            isSaid = !success && reason.length == 4 && bytes4(reason) == IMarketErrors.FundNeedsMoreGas.selector;
        }
        assertTrue(isSaid);
    }
}
