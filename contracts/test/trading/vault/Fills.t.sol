// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {IVaultAccess} from "../../../src/trading/interfaces/IVaultAccess.sol";
import {Fill, Order} from "../../../src/trading/interfaces/TradingTypes.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice One fill at a time: what refuses it, and what it moves.
contract VaultFillsTest is TradingVaultTest {
    function _settle(Fill memory fill) private {
        vm.prank(operator);
        vault.settle(fill);
    }

    function _refused(Fill memory fill, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        vault.settle(fill);
    }

    /* WHO AND WHAT */

    function test_settle_revertsForAnyoneButAnOperator() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 4e18);
        address[3] memory others = [stranger, admin, buyer];
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotOperator.selector, others[i]));
            vault.settle(fill);
        }
    }

    function test_settleFromBatch_revertsForAnyoneButTheVault() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 4e18);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.NotSelf.selector, operator));
        vault.settleFromBatch(fill, operator);
    }

    function test_settle_revertsForNothing() public {
        _refused(_fill(_sell(10e18), _buy(10e18), 0), abi.encodeWithSelector(ISignedOrders.ZeroQuantity.selector));
    }

    function test_settle_revertsForATokenThatIsNotSupported() public {
        Order memory sell = _sell(10e18);
        sell.token = address(0xdead);
        Order memory buy = _buy(10e18);
        buy.token = sell.token;
        _refused(_fill(sell, buy, 1), abi.encodeWithSelector(ITradingVault.TokenNotSupported.selector, address(0xdead)));
        sell = _sell(10e18);
        sell.quote = address(0xdead);
        _refused(_fill(sell, buy, 1), abi.encodeWithSelector(ITradingVault.TokenNotSupported.selector, address(0xdead)));
    }

    function test_settle_revertsForOrdersOfDifferentMarkets() public {
        Order memory buy = _buy(10e18);
        buy.token = address(cash);
        Fill memory fill = _fill(_sell(10e18), buy, 1e18);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.MarketMismatch.selector, fill.tradeRef));
        buy = _buy(10e18);
        buy.quote = address(token);
        fill = _fill(_sell(10e18), buy, 1e18);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.MarketMismatch.selector, fill.tradeRef));
        Order memory sell = _sell(10e18);
        (sell.quote, buy.quote) = (address(token), address(token));
        fill = _fill(sell, buy, 1e18);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.MarketMismatch.selector, fill.tradeRef));
    }

    function test_settle_revertsForTwoOrdersOfOneSide() public {
        Fill memory fill = _fill(_sell(10e18), _order(buyer, false, 10e18, PRICE), 1e18);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SideMismatch.selector, fill.tradeRef));
    }

    function test_settle_revertsForATradeWithOneself() public {
        Fill memory fill = _fill(_sell(10e18), _order(seller, true, 10e18, PRICE), 1e18);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.SelfTrade.selector, seller));
    }

    function test_settle_revertsForAReferenceThatSettledBefore() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 4e18);
        _settle(fill);
        _refused(
            fill, abi.encodeWithSelector(ISignedOrders.TradeAlreadySettled.selector, address(token), fill.tradeRef)
        );
        fill.tradeRef = "another";
        _settle(fill);
        assertEq(_filled(fill.maker), 8e18);
    }

    /* LIFE OF AN ORDER */

    function test_settle_fillsInTheLastSecondAndNotAfter() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        vm.warp(fill.maker.expiry);
        _settle(fill);
        vm.warp(uint256(fill.maker.expiry) + 1);
        fill.tradeRef = "late";
        assertEq(vault.fillable(fill.maker), 0);
        _refused(
            fill,
            abi.encodeWithSelector(ISignedOrders.OrderExpired.selector, vault.hashOrder(fill.maker), fill.maker.expiry)
        );
    }

    function test_cancel_killsTheCallersOrderForGood() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        bytes32 orderHash = vault.hashOrder(fill.maker);
        bytes32[] memory hashes = _hashes(fill.maker);
        vm.expectEmit();
        emit ISignedOrders.OrderCancelled(seller, orderHash);
        vm.prank(seller);
        vault.cancelOrders(hashes);
        assertTrue(vault.isCancelled(seller, orderHash));
        assertEq(vault.fillable(fill.maker), 0);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.OrderIsCancelled.selector, seller, orderHash));
    }

    function test_cancel_isHarmlessForOrdersOfOthers() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        bytes32[] memory hashes = _hashes(fill.maker);
        vm.prank(stranger);
        vault.cancelOrders(hashes);
        _settle(fill);
    }

    function test_cancel_stopsWhatIsLeftOfAFilledOrder() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        _settle(fill);
        bytes32[] memory hashes = _hashes(fill.taker);
        vm.prank(buyer);
        vault.cancelOrders(hashes);
        assertEq(_filled(fill.taker), 1e18);
        fill.tradeRef = "again";
        _refused(
            fill, abi.encodeWithSelector(ISignedOrders.OrderIsCancelled.selector, buyer, vault.hashOrder(fill.taker))
        );
    }

    function test_nonceFloor_killsEverythingBelow() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        vm.prank(seller);
        vault.raiseNonceFloor(7);
        _settle(fill);
        vm.expectEmit();
        emit ISignedOrders.NonceFloorRaised(seller, 8);
        vm.prank(seller);
        vault.raiseNonceFloor(8);
        assertEq(vault.nonceFloor(seller), 8);
        assertEq(vault.fillable(fill.maker), 0);
        fill.tradeRef = "again";
        _refused(
            fill, abi.encodeWithSelector(ISignedOrders.NonceBelowFloor.selector, vault.hashOrder(fill.maker), 7, 8)
        );
    }

    function test_nonceFloor_onlyRises() public {
        vm.startPrank(seller);
        vault.raiseNonceFloor(8);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.NonceFloorNotRaised.selector, 8, 8));
        vault.raiseNonceFloor(8);
        vm.stopPrank();
    }

    /* QUANTITY AND PRICE */

    function testFuzz_partialFills_neverExceedTheQuantity(uint256 quantity, uint256 first, uint256 second) public {
        quantity = bound(quantity, 1e15, SHARES);
        first = bound(first, 1e14, quantity);
        second = bound(second, 1e14, SHARES);
        Order memory sell = _sell(quantity);
        _settle(_fill(sell, _buy(first), first));
        Fill memory fill = _fill(sell, _buy(second), second);
        if (first + second > quantity) {
            _refused(
                fill,
                abi.encodeWithSelector(
                    ISignedOrders.Overfilled.selector, vault.hashOrder(sell), quantity - first, second
                )
            );
            assertEq(_filled(sell), first);
        } else {
            _settle(fill);
            assertEq(_filled(sell), first + second);
            assertEq(vault.fillable(sell), quantity - first - second);
        }
    }

    function testFuzz_price_isWithinBothLimits(uint256 ask, uint256 bid, uint256 price) public {
        ask = bound(ask, 1e6, 200e6);
        bid = bound(bid, 1e6, 200e6);
        price = bound(price, 1e6, 200e6);
        Order memory sell = _order(seller, false, 1e18, ask);
        Order memory buy = _order(buyer, true, 1e18, bid);
        Fill memory fill = _fill(sell, buy, 1e18);
        fill.price = price;
        if (price < ask) {
            bytes32 orderHash = vault.hashOrder(sell);
            _refused(fill, abi.encodeWithSelector(ISignedOrders.PriceOutsideLimit.selector, orderHash, ask, price));
        } else if (price > bid) {
            bytes32 orderHash = vault.hashOrder(buy);
            _refused(fill, abi.encodeWithSelector(ISignedOrders.PriceOutsideLimit.selector, orderHash, bid, price));
        } else {
            _settle(fill);
            _assertAccount(seller, cash, price, 0);
        }
    }

    function testFuzz_quoteAmount_roundsDownByLessThanAThousandth(uint256 quantity, uint256 price) public {
        quantity = bound(quantity, 1, 100e18);
        price = bound(price, 1, 1_000e6);
        Fill memory fill = _fill(_order(seller, false, 100e18, price), _order(buyer, true, 100e18, price), quantity);
        uint256 exact = quantity * price;
        uint256 amount = exact / 1e18;
        if (amount == 0 || (amount < 1_000 && exact % 1e18 != 0)) {
            _refused(fill, abi.encodeWithSelector(ISignedOrders.FillTooSmall.selector, quantity, price));
            return;
        }
        _settle(fill);
        _assertAccount(seller, cash, amount, 0);
        assertLe(exact - amount * 1e18, exact / 1_000, "rounding");
    }

    function test_settle_movesBothLegs() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 4e18);
        (bytes32 makerHash, bytes32 takerHash) = (vault.hashOrder(fill.maker), vault.hashOrder(fill.taker));
        vm.expectEmit();
        emit ISignedOrders.TradeSettled(
            fill.tradeRef, makerHash, takerHash, seller, buyer, address(token), address(cash), 4e18, 400e6, 0, 0
        );
        _settle(fill);
        _assertAccount(seller, token, 0, SHARES - 4e18);
        _assertAccount(seller, cash, 400e6, 0);
        _assertAccount(buyer, token, 4e18, 0);
        _assertAccount(buyer, cash, 0, CASH - 400e6);
        assertEq(_filled(fill.maker), 4e18);
        assertEq(vault.fillable(fill.taker), 6e18);
        assertTrue(_isSettled(fill));
    }

    function test_settle_leavesProceedsCommittedForThoseWhoWantIt() public {
        vm.expectEmit();
        emit ITradingVault.AutoCommitSet(buyer, true);
        vm.prank(buyer);
        vault.setAutoCommit(true);
        assertTrue(vault.isAutoCommitOn(buyer));
        _settle(_fill(_sell(10e18), _buy(10e18), 4e18));
        _assertAccount(buyer, token, 0, 4e18);
        _assertAccount(seller, cash, 400e6, 0);
    }

    function test_settle_revertsWithoutTheCommitment() public {
        _refused(
            _fill(_sell(SHARES + 1e18), _buy(SHARES + 1e18), SHARES + 1e18),
            abi.encodeWithSelector(
                ITradingVault.CommittedTooLow.selector, seller, address(token), SHARES, SHARES + 1e18
            )
        );
        vm.prank(operator);
        vault.release(buyer, address(cash), CASH - 99e6);
        _refused(
            _fill(_sell(1e18), _buy(1e18), 1e18),
            abi.encodeWithSelector(ITradingVault.CommittedTooLow.selector, buyer, address(cash), 99e6, 100e6)
        );
    }

    /* FEES */

    function _withFees(bool makerIsBuyer, int256 makerFee, uint256 takerFee, uint256 maxFee)
        private
        returns (Fill memory fill)
    {
        Order memory sell = _sell(10e18);
        Order memory buy = _buy(10e18);
        (sell.maxFee, buy.maxFee) = (maxFee, maxFee);
        fill = makerIsBuyer ? _fill(buy, sell, 10e18) : _fill(sell, buy, 10e18);
        (fill.makerFee, fill.takerFee) = (makerFee, takerFee);
    }

    function testFuzz_fees_conserveEveryUnit(bool makerIsBuyer, int256 makerFee, uint256 takerFee) public {
        takerFee = bound(takerFee, 0, 50e6);
        makerFee = bound(makerFee, -int256(takerFee), 50e6);
        Fill memory fill = _withFees(makerIsBuyer, makerFee, takerFee, 50e6);
        _settle(fill);
        int256 sellerFee = makerIsBuyer ? int256(takerFee) : makerFee;
        int256 buyerFee = makerIsBuyer ? makerFee : int256(takerFee);
        _assertAccount(seller, cash, uint256(1_000e6 - sellerFee), 0);
        _assertAccount(buyer, cash, 0, uint256(int256(CASH) - 1_000e6 - buyerFee));
        _assertAccount(feeRecipient, cash, uint256(sellerFee + buyerFee), 0);
        assertEq(_feePaid(fill.taker), takerFee);
        assertEq(_feePaid(fill.maker), makerFee > 0 ? uint256(makerFee) : 0);
    }

    function test_fees_revertForARebateAboveTheTakersFee() public {
        _refused(_withFees(false, -11, 10, 50e6), abi.encodeWithSelector(ISignedOrders.RebateAboveFee.selector, 11, 10));
        _refused(
            _withFees(false, type(int256).min, 10, 50e6),
            abi.encodeWithSelector(ISignedOrders.RebateAboveFee.selector, type(uint256).max, 0)
        );
    }

    function test_fees_revertAboveWhatTheSellerGets() public {
        Fill memory fill = _withFees(true, 0, 1_001e6, 2_000e6);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.FeeAboveProceeds.selector, 1_001e6, 1_000e6));
        fill = _withFees(false, 1_001e6, 0, 2_000e6);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.FeeAboveProceeds.selector, 1_001e6, 1_000e6));
    }

    function test_fees_revertAboveWhatWasSigned() public {
        Fill memory fill = _withFees(false, 0, 11e6, 10e6);
        bytes32 orderHash = vault.hashOrder(fill.taker);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.FeeAboveMaximum.selector, orderHash, 10e6, 11e6));
        fill = _withFees(false, 11e6, 0, 10e6);
        orderHash = vault.hashOrder(fill.maker);
        _refused(fill, abi.encodeWithSelector(ISignedOrders.FeeAboveMaximum.selector, orderHash, 10e6, 11e6));
    }

    /// A tenth of the order pays a tenth of the maximum at most, so that nobody pays all for a part.
    function testFuzz_fees_stayWithinTheFilledPartOfTheMaximum(uint256 maxFee, uint256 part, uint256 fee) public {
        maxFee = bound(maxFee, 0, 10e6);
        part = bound(part, 1e15, 9e18);
        fee = bound(fee, 0, 10e6);
        Order memory buy = _buy(10e18);
        buy.maxFee = maxFee;
        Fill memory fill = _fill(_sell(10e18), buy, part);
        fill.takerFee = fee;
        uint256 allowed = Math.mulDiv(maxFee, part, 10e18, Math.Rounding.Ceil);
        if (fee > allowed) {
            bytes32 orderHash = vault.hashOrder(buy);
            _refused(fill, abi.encodeWithSelector(ISignedOrders.FeeAboveMaximum.selector, orderHash, allowed, fee));
            return;
        }
        _settle(fill);
        Fill memory rest = _fill(_sell(10e18), buy, 10e18 - part);
        rest.takerFee = maxFee - fee + 1;
        _refused(
            rest,
            abi.encodeWithSelector(
                ISignedOrders.FeeAboveMaximum.selector, vault.hashOrder(buy), maxFee - fee, maxFee - fee + 1
            )
        );
        rest.takerFee = maxFee - fee;
        _settle(rest);
        assertEq(_feePaid(buy), maxFee);
    }

    function test_fees_goToWhoeverIsTheRecipientNow() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.NotAdmin.selector, operator));
        vm.prank(operator);
        vault.setFeeRecipient(operator);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IVaultAccess.AddressIsZero.selector));
        vault.setFeeRecipient(address(0));
        vault.setFeeRecipient(buyer);
        vm.stopPrank();
        assertEq(vault.feeRecipient(), buyer);
        _settle(_withFees(false, 2e6, 3e6, 10e6));
        _assertAccount(buyer, cash, 5e6, CASH - 1_003e6);
    }

    /* SWITCHES */

    function test_settle_revertsWhileSettlementIsPaused() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        vm.prank(admin);
        vault.setSettlementPaused(true);
        _refused(fill, abi.encodeWithSelector(IVaultAccess.SettlementIsPaused.selector));
        vm.prank(admin);
        vault.setSettlementPaused(false);
        _settle(fill);
    }

    function test_settle_revertsForAFrozenParty() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        uint256 until = block.timestamp + 1 hours;
        vm.prank(operator);
        vault.freezeUser(seller, until);
        _refused(fill, abi.encodeWithSelector(IVaultAccess.UserIsFrozen.selector, seller, until));
        vm.startPrank(admin);
        vault.unfreezeUser(seller);
        vault.freezeUser(buyer, until);
        vm.stopPrank();
        _refused(fill, abi.encodeWithSelector(IVaultAccess.UserIsFrozen.selector, buyer, until));
        vm.warp(until);
        _settle(fill);
    }

    function test_settle_revertsForARemovedToken() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        vm.prank(admin);
        vault.removeToken(address(token));
        _refused(fill, abi.encodeWithSelector(ITradingVault.TokenNotSupported.selector, address(token)));
    }
}
