// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {SecurityPriceOracle} from "../../../src/lending/SecurityPriceOracle.sol";
import {ITwoStepOwned} from "../../../src/lending/base/interfaces/ITwoStepOwned.sol";
import {ISecurityPriceOracle, SignedPrice} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {LendingTest} from "../../support/LendingTest.sol";

contract OracleTest is LendingTest {
    function test_constructor_refusesNothingAndTooMuch() public {
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.InvalidPrice.selector, 0));
        new SecurityPriceOracle(address(market), 0);
        uint256 tooMuch = uint256(type(uint104).max) + 1;
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.InvalidPrice.selector, tooMuch));
        new SecurityPriceOracle(address(market), tooMuch);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableInvalidOwner.selector, address(0)));
        new SecurityPriceOracle(address(0), 1);
    }

    function test_updatePrice_onlySignersAndTheOwner() public {
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.NotSigner.selector, address(this)));
        oracle.updatePrice(101e6);
        vm.prank(oracleOwner);
        oracle.updatePrice(101e6);
        skipTime(1);
        vm.expectEmit(address(oracle));
        emit ISecurityPriceOracle.PriceUpdated(101e6, 102e6, block.timestamp, signer);
        _setPrice(102e6);
        vm.prank(signer);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.InvalidPrice.selector, 0));
        oracle.updatePrice(0);
    }

    function test_updatePrice_onlyOnceASecond() public {
        _setPrice(101e6);
        uint256 t = block.timestamp;
        vm.prank(signer);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.PriceNotNewer.selector, t, t));
        oracle.updatePrice(102e6);
        skipTime(1);
        vm.prank(signer);
        oracle.updatePrice(102e6);
        assertEq(oracle.updatedAt(), t + 1);
    }

    function test_deviation_perStepAndPerHour() public {
        vm.startPrank(signer);
        vm.expectRevert(
            abi.encodeWithSelector(ISecurityPriceOracle.PriceDeviationTooLarge.selector, 150e6 + 1, 100e6, 5_000)
        );
        oracle.updatePrice(150e6 + 1);
        oracle.updatePrice(150e6);
        skipTime(1);
        vm.expectRevert(
            abi.encodeWithSelector(ISecurityPriceOracle.PriceWindowDeviationTooLarge.selector, 151e6, 100e6, 5_000)
        );
        oracle.updatePrice(151e6);
        skipTime(1 hours);
        oracle.updatePrice(200e6);
        skipTime(1);
        vm.expectRevert(
            abi.encodeWithSelector(ISecurityPriceOracle.PriceWindowDeviationTooLarge.selector, 230e6, 150e6, 5_000)
        );
        oracle.updatePrice(230e6);
    }

    function test_signedPrice_refusals() public {
        _setPrice(PRICE);
        uint256 t = block.timestamp;
        SignedPrice memory p = _signPrice(101e6, t, t + 60);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.PriceNotNewer.selector, t, t));
        oracle.updatePriceWithSignature(p.price, p.timestamp, p.validUntil, p.signature);
        skipTime(61);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.SignedPriceExpired.selector, t + 60));
        oracle.verifyPrice(p.price, p.timestamp, p.validUntil, p.signature);
        t = block.timestamp;
        p = _signPrice(101e6, t + 1, t + 60);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.SignedPriceFromFuture.selector, t + 1));
        oracle.updatePriceWithSignature(p.price, p.timestamp, p.validUntil, p.signature);
        p = _signPrice(101e6, t, t + 60);
        vm.expectPartialRevert(ISecurityPriceOracle.NotSigner.selector);
        oracle.updatePriceWithSignature(p.price + 1, p.timestamp, p.validUntil, p.signature);
        oracle.updatePriceWithSignature(p.price, p.timestamp, p.validUntil, p.signature);
        assertEq(oracle.price(), 101e6);
        p = _signPrice(101e6, t, t + 3 days);
        skipTime(1 days + 1);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.SignedPriceTooOld.selector, t, 1 days));
        oracle.verifyPrice(p.price, p.timestamp, p.validUntil, p.signature);
    }

    function test_refresh_skipsWhatIsNotNewer() public {
        SignedPrice memory p = _signPrice(120e6, oracle.updatedAt(), block.timestamp + 60);
        assertEq(oracle.refresh(p), PRICE);
        skipTime(5);
        p = _signPrice(120e6, block.timestamp, block.timestamp + 60);
        assertEq(oracle.refresh(p), 120e6);
        assertEq(oracle.refresh(p), 120e6);
    }

    function test_owner_settingsAndBounds() public {
        bytes memory refused = abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this));
        vm.expectRevert(refused);
        oracle.setMaxPriceAge(60);
        vm.expectRevert(refused);
        oracle.setMaxDeviation(1);
        vm.expectRevert(refused);
        oracle.setAuthorizedSigner(stranger, true);
        vm.startPrank(oracleOwner);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.InvalidMaxPriceAge.selector, 59));
        oracle.setMaxPriceAge(59);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.InvalidMaxPriceAge.selector, 30 days + 1));
        oracle.setMaxPriceAge(30 days + 1);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.InvalidMaxDeviation.selector, 0));
        oracle.setMaxDeviation(0);
        oracle.setMaxDeviation(100);
        oracle.setMaxPriceAge(60);
        oracle.setAuthorizedSigner(stranger, true);
        oracle.setAuthorizedSigner(stranger, true);
        vm.stopPrank();
        assertEq(oracle.signerCount(), 2);
        assertEq(oracle.maxDeviationBps(), 100);
        assertEq(oracle.maxPriceAge(), 60);
        vm.prank(oracleOwner);
        oracle.setAuthorizedSigner(stranger, false);
        assertFalse(oracle.isSigner(stranger));
        skipTime(61);
        assertTrue(oracle.isStale());
    }

    function test_ownership_twoStepsAndOneHandover() public {
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this)));
        oracle.handOver(stranger);
        vm.prank(address(market));
        vm.expectRevert(ITwoStepOwned.AlreadyHandedOver.selector);
        oracle.handOver(stranger);
        vm.prank(oracleOwner);
        oracle.transferOwnership(stranger);
        assertEq(oracle.pendingOwner(), stranger);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableUnauthorizedAccount.selector, address(this)));
        oracle.acceptOwnership();
        vm.prank(stranger);
        oracle.acceptOwnership();
        assertEq(oracle.owner(), stranger);
        SecurityPriceOracle fresh = new SecurityPriceOracle(address(this), 1);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwned.OwnableInvalidOwner.selector, address(0)));
        fresh.handOver(address(0));
    }

    function testFuzz_deviation_neverBeyondTheBandInOneHour(uint256[8] memory prices, uint256[8] memory waits) public {
        uint256 start = PRICE;
        uint256 spent;
        for (uint256 i = 0; i < 8; ++i) {
            spent += bound(waits[i], 1, 400);
            skipTime(bound(waits[i], 1, 400));
            vm.prank(signer);
            try oracle.updatePrice(bound(prices[i], 1, 1_000e6)) {} catch {}
            if (spent >= 1 hours) break;
            assertLe(oracle.price(), start * 3 / 2);
            assertGe(oracle.price(), start / 2);
        }
    }
}
