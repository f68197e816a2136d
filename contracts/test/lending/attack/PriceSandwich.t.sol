// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../../../src/lending/interfaces/IMarketErrors.sol";
import {ISecurityPriceOracle, SignedPrice} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A borrower chooses the moment of price updates, or the update itself.
contract PriceSandwichAttackTest is LendingTest {
    function test_attack_borrowingAroundAnUpdate() public {
        // 1. The attacker sees an update from 100 to 50 and borrows the most just before it.
        uint256 before = market.toAssets(1e24);
        uint256 loanId = _openLoan(100e18, 7_500e6);
        _setPrice(50e6);
        // 2. It gained what the fall was worth, not a unit more: nothing can be drawn or withdrawn after.
        vm.startPrank(borrower);
        vm.expectPartialRevert(IMarketErrors.ExceedsMaxBorrow.selector);
        market.borrowMore(loanId, 1, _noPrice());
        vm.expectPartialRevert(IMarketErrors.WouldBreachHealth.selector);
        market.withdrawCollateral(loanId, 1, _noPrice());
        vm.stopPrank();
        // 3. A provider cannot sandwich it: shares do not depend on the price until a seizure.
        assertEq(market.toAssets(1e24), before);
    }

    function test_attack_holdingBackAnOldSignedPrice() public {
        // 1. The attacker keeps a signed price of 100 while the price falls to 60.
        skipTime(10);
        SignedPrice memory old = _signPrice(100e6, block.timestamp, block.timestamp + 1 hours);
        skipTime(10);
        _setPrice(60e6);
        // 2. Brought along later it is skipped, because a newer price is stored.
        vm.prank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExceedsMaxBorrow.selector, 7_000e6, 4_500e6));
        market.openLoan(100e18, 7_000e6, old);
        vm.expectPartialRevert(ISecurityPriceOracle.PriceNotNewer.selector);
        oracle.updatePriceWithSignature(old.price, old.timestamp, old.validUntil, old.signature);
    }

    /// @dev Of several unexpired signed prices an attacker would bring the best one, after others brought newer ones.
    function testFuzz_attack_choosingAmongSignedPrices(uint256 order) public {
        SignedPrice[4] memory signed;
        for (uint256 i = 0; i < 4; ++i) {
            skipTime(10);
            // The oldest is the best one for a borrower.
            signed[i] = _signPrice(120e6 - 10e6 * i, block.timestamp, block.timestamp + 1 hours);
        }
        uint256 newest = oracle.updatedAt();
        uint256 price = oracle.price();
        for (uint256 i = 0; i < 12; ++i) {
            SignedPrice memory chosen = signed[(order >> (2 * i)) & 3];
            bool isNewer = chosen.timestamp > newest;
            if (isNewer) (newest, price) = (chosen.timestamp, chosen.price);
            // In the middle of a call one that is not newer is skipped, and the newest that is known decides.
            assertEq(oracle.refresh(chosen), price);
            assertEq(oracle.updatedAt(), newest);
            vm.expectRevert(
                abi.encodeWithSelector(ISecurityPriceOracle.PriceNotNewer.selector, chosen.timestamp, newest)
            );
            oracle.updatePriceWithSignature(chosen.price, chosen.timestamp, chosen.validUntil, chosen.signature);
        }
        // What is lent is lent at that price.
        uint256 most = 100 * price * 75 / 100;
        vm.startPrank(borrower);
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.ExceedsMaxBorrow.selector, most + 1, most));
        market.openLoan(100e18, most + 1, signed[0]);
        vm.stopPrank();
    }

    function test_attack_manySmallStepsInOneHour() public {
        // 1. A bought signer walks the price up in steps that are each allowed.
        _setPrice(150e6);
        // 2. The hour's own limit stops the walk.
        skipTime(1);
        vm.prank(signer);
        vm.expectPartialRevert(ISecurityPriceOracle.PriceWindowDeviationTooLarge.selector);
        oracle.updatePrice(160e6);
    }
}
