// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {LendingMarket} from "../../../src/lending/LendingMarket.sol";
import {SecurityPriceOracle} from "../../../src/lending/SecurityPriceOracle.sol";
import {ISecurityPriceOracle, SignedPrice} from "../../../src/lending/interfaces/ISecurityPriceOracle.sol";
import {LendingTest} from "../../support/LendingTest.sol";

/// @notice A signature is used twice, elsewhere, on another chain, or after its signer was dismissed.
contract SignedPriceReplayAttackTest is LendingTest {
    function test_attack_everyReplay() public {
        skipTime(10);
        SignedPrice memory p = _signPrice(110e6, block.timestamp, block.timestamp + 1 hours);
        // 1. It lands once.
        oracle.updatePriceWithSignature(p.price, p.timestamp, p.validUntil, p.signature);
        // 2. A second time it is not newer.
        vm.expectPartialRevert(ISecurityPriceOracle.PriceNotNewer.selector);
        oracle.updatePriceWithSignature(p.price, p.timestamp, p.validUntil, p.signature);
        // 3. The oracle of another market of the same lender refuses it.
        LendingMarket other = LendingMarket(_deployMarket());
        _adopt(other, lender);
        SecurityPriceOracle otherOracle = SecurityPriceOracle(other.parts().oracle);
        vm.expectPartialRevert(ISecurityPriceOracle.NotSigner.selector);
        otherOracle.verifyPrice(p.price, p.timestamp, p.validUntil, p.signature);
        // 4. So does the same oracle on a fork with another chain id.
        vm.chainId(999);
        vm.expectPartialRevert(ISecurityPriceOracle.NotSigner.selector);
        oracle.verifyPrice(p.price, p.timestamp, p.validUntil, p.signature);
        vm.chainId(31_337);
        // 5. A dismissed signer's unexpired signature is worth nothing.
        skipTime(10);
        p = _signPrice(111e6, block.timestamp, block.timestamp + 1 hours);
        vm.prank(oracleOwner);
        oracle.setAuthorizedSigner(signer, false);
        vm.expectRevert(abi.encodeWithSelector(ISecurityPriceOracle.NotSigner.selector, signer));
        oracle.updatePriceWithSignature(p.price, p.timestamp, p.validUntil, p.signature);
    }
}
