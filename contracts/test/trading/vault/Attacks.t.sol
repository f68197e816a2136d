// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {Fill, Order, TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {SmartWallet1271} from "../../support/SmartWallet1271.sol";
import {HookedCash, Reentrant} from "../../support/hostile/HookedCash.sol";
import {TradingVaultTest} from "../support/TradingVaultTest.sol";
import {VaultSuite} from "../support/VaultSuite.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @notice Batches, and what an operator, a counterparty, a wallet contract or a token might try.
contract VaultAttacksTest is TradingVaultTest {
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    uint256 private constant ORDER_OF_CURVE = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    /// @dev EIP-7825.
    uint256 private constant TRANSACTION_GAS = 16_777_216;

    function _refusedAsForged(Fill memory fill, Order memory order) private {
        bytes32 orderHash = vault.hashOrder(order);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.BadSignature.selector, order.trader, orderHash));
        vault.settle(fill);
    }

    /* AN OPERATOR WITHOUT THE TRADERS */

    function test_operatorAlone_movesNothing() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        fill.makerSignature = "";
        _refusedAsForged(fill, fill.maker);
        (fill.makerSignature, fill.takerSignature) = (_sign(fill.maker), fill.makerSignature);
        _refusedAsForged(fill, fill.taker);
        fill.takerSignature = fill.makerSignature;
        _refusedAsForged(fill, fill.taker);
    }

    /// Whatever is changed of a signed order makes it another order.
    function testFuzz_operator_cannotChangeASignedOrder(uint8 field, uint64 change) public {
        change = uint64(bound(change, 1, 1_000));
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        field = uint8(bound(field, 0, 5));
        if (field == 0) fill.maker.quantity += change;
        if (field == 1) (fill.maker.price, fill.price) = (PRICE - change, PRICE - change);
        if (field == 2) fill.maker.maxFee += change;
        if (field == 3) fill.maker.expiry += change;
        if (field == 4) fill.maker.nonce += change;
        if (field == 5) fill.maker.salt = bytes32(uint256(change) << 64);
        _refusedAsForged(fill, fill.maker);
    }

    function test_operator_cannotActForTheZeroAddress() public {
        Order memory sell = _order(address(0), false, 10e18, PRICE);
        Fill memory fill = _fill(_buy(10e18), _buy(10e18), 1e18);
        fill.taker = sell;
        _refusedAsForged(fill, sell);
    }

    /* SIGNATURES */

    function test_signature_isNotMalleable() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keyOf[seller], vault.hashOrder(fill.maker));
        assertLe(uint256(s), HALF_ORDER);
        bytes32 mirrored = bytes32(ORDER_OF_CURVE - uint256(s));
        fill.makerSignature = abi.encodePacked(r, mirrored, v == 27 ? 28 : 27);
        assertFalse(vault.isSignatureValid(fill.maker, fill.makerSignature));
        _refusedAsForged(fill, fill.maker);
        fill.makerSignature = abi.encodePacked(r, s, v, uint8(0));
        _refusedAsForged(fill, fill.maker);
        fill.makerSignature = abi.encodePacked(r, s, v);
        assertTrue(vault.isSignatureValid(fill.maker, fill.makerSignature));
        vm.prank(operator);
        vault.settle(fill);
    }

    function test_signature_doesNotCountOnAnotherChain() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        uint256 home = block.chainid;
        vm.chainId(home + 1);
        _refusedAsForged(fill, fill.maker);
        vm.chainId(home);
        vm.prank(operator);
        vault.settle(fill);
    }

    function test_signature_doesNotCountOnAnotherVault() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        ITradingVault other =
            VaultSuite(_create("VaultSuite.sol:VaultSuite", abi.encode(admin, operator, feeRecipient))).vault();
        vm.startPrank(admin);
        other.addToken(address(token), TransferRules.NONE, false);
        other.addToken(address(cash), TransferRules.NONE, false);
        vm.stopPrank();
        bytes32 orderHash = other.hashOrder(fill.maker);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.BadSignature.selector, seller, orderHash));
        other.settle(fill);
    }

    /// An account that delegates its code to a contract which knows no ERC-1271 still has its key.
    function test_signature_ofADelegatingAccountCounts() public {
        Fill memory fill = _fill(_sell(10e18), _buy(10e18), 1e18);
        vm.etch(seller, hex"00");
        vm.prank(operator);
        vault.settle(fill);
    }

    /* WALLET CONTRACTS */

    function _walletSells() private returns (SmartWallet1271 wallet, Fill memory fill) {
        wallet = new SmartWallet1271(stranger);
        (, uint256 key) = makeActor("stranger");
        token.mint(address(wallet), 10e18);
        vm.startPrank(stranger);
        wallet.execute(address(token), 0, abi.encodeCall(IERC20.approve, (address(vault), 10e18)));
        wallet.execute(address(vault), 0, abi.encodeCall(ITradingVault.depositAndCommit, (address(token), 10e18)));
        vm.stopPrank();
        keyOf[address(wallet)] = key;
        fill = _fill(_order(address(wallet), false, 10e18, PRICE), _buy(10e18), 1e18);
    }

    function test_wallet_signsThroughItsOwner() public {
        (SmartWallet1271 wallet, Fill memory fill) = _walletSells();
        vm.prank(operator);
        vault.settle(fill);
        _assertAccount(address(wallet), token, 0, 9e18);
    }

    function test_wallet_mayChangeItsMindBetweenFills() public {
        (SmartWallet1271 wallet, Fill memory fill) = _walletSells();
        vm.prank(operator);
        vault.settle(fill);
        vm.prank(stranger);
        wallet.setMode(SmartWallet1271.Mode.REVERTS);
        fill.tradeRef = "again";
        _refusedAsForged(fill, fill.maker);
        vm.prank(stranger);
        wallet.setMode(SmartWallet1271.Mode.HONEST);
        vm.prank(operator);
        vault.settle(fill);
        assertEq(_filled(fill.maker), 2e18);
    }

    function test_wallet_thatMisbehavesIsAForgedSignatureAndCostsABoundedAmount() public {
        (SmartWallet1271 wallet, Fill memory fill) = _walletSells();
        SmartWallet1271.Mode[4] memory modes = [
            SmartWallet1271.Mode.ANSWERS_GARBAGE,
            SmartWallet1271.Mode.ANSWERS_NOTHING,
            SmartWallet1271.Mode.REVERTS,
            SmartWallet1271.Mode.BURNS_GAS
        ];
        for (uint256 i = 0; i < modes.length; ++i) {
            vm.prank(stranger);
            wallet.setMode(modes[i]);
            uint256 before = gasleft();
            _refusedAsForged(fill, fill.maker);
            assertLe(before - gasleft(), 700_000, "gas");
        }
    }

    /// The magic word followed by 100 kB: only the word is copied.
    function test_wallet_thatAnswersTooMuchFillsNoMemory() public {
        (SmartWallet1271 wallet, Fill memory fill) = _walletSells();
        vm.prank(stranger);
        wallet.setMode(SmartWallet1271.Mode.ANSWERS_TOO_MUCH);
        uint256 before = gasleft();
        vm.prank(operator);
        vault.settle(fill);
        assertLe(before - gasleft(), 700_000, "gas");
    }

    function test_wallet_isNotCalledWithLessGasThanPromised() public {
        (, Fill memory fill) = _walletSells();
        vm.prank(operator);
        (bool success, bytes memory reason) =
            address(vault).call{gas: 400_000}(abi.encodeCall(ITradingVault.settle, (fill)));
        assertFalse(success);
        assertEq(reason, abi.encodeWithSelector(ISignedOrders.NeedsMoreGas.selector));
    }

    /* TOKENS */

    function test_hookedToken_cannotReenter() public {
        HookedCash hooked = new HookedCash(6, address(this));
        Reentrant attacker = new Reentrant();
        vm.prank(admin);
        vault.addToken(address(hooked), TransferRules.NONE, false);
        hooked.mint(address(attacker), 100);
        attacker.execute(address(hooked), abi.encodeCall(IERC20.approve, (address(vault), 100)));
        attacker.execute(address(vault), abi.encodeCall(ITradingVault.deposit, (address(hooked), 60)));
        hooked.setHook(address(attacker));
        bytes memory again = abi.encodeCall(ITradingVault.withdraw, (address(hooked), 60));
        attacker.prepare(address(vault), again);
        attacker.execute(address(vault), again);
        assertEq(attacker.attempts(), 1);
        assertFalse(attacker.succeeded());
        assertEq(
            attacker.reason(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
        attacker.execute(address(vault), abi.encodeCall(ITradingVault.deposit, (address(hooked), 40)));
        assertEq(attacker.attempts(), 2);
        assertFalse(attacker.succeeded());
        _assertAccount(address(attacker), hooked, 40, 0);
    }

    /// Ten million dust fills would each take a unit from the seller and pay no fee: none of them settles.
    function test_dust_neitherShortensTheSellerNorDodgesFees() public {
        Order memory buy = _buy(10e18);
        buy.maxFee = 1e6;
        Fill memory fill = _fill(_sell(10e18), buy, 19_999_999_999);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.FillTooSmall.selector, fill.quantity, fill.price));
        vault.settle(fill);
        // Exact, and therefore allowed: one unit of fee is room enough, the rest has to wait for the rest.
        fill.quantity = 1e10;
        fill.takerFee = 2;
        bytes32 orderHash = vault.hashOrder(buy);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.FeeAboveMaximum.selector, orderHash, 1, 2));
        vault.settle(fill);
        fill.takerFee = 1;
        vm.prank(operator);
        vault.settle(fill);
    }

    /* BATCHES */

    function test_batch_isForOperatorsAndHasOneToFiftyFills() public {
        vm.prank(stranger);
        vm.expectRevert();
        vault.batchSettle("batch", new Fill[](1), 0);
        vm.startPrank(operator);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.InvalidBatchSize.selector, 0));
        vault.batchSettle("batch", new Fill[](0), 0);
        vm.expectRevert(abi.encodeWithSelector(ISignedOrders.InvalidBatchSize.selector, 51));
        vault.batchSettle("batch", new Fill[](51), 0);
        vm.stopPrank();
    }

    function test_batch_settlesTheRestWhenOneIsRefused() public {
        Order memory sell = _sell(10e18);
        Fill[] memory fills = new Fill[](4);
        fills[0] = _fill(sell, _buy(4e18), 4e18);
        fills[1] = _fill(sell, _buy(7e18), 7e18);
        fills[2] = fills[0];
        fills[3] = _fill(sell, _buy(6e18), 6e18);
        bytes memory overfilled =
            abi.encodeWithSelector(ISignedOrders.Overfilled.selector, vault.hashOrder(sell), 6e18, 7e18);
        bytes memory twice =
            abi.encodeWithSelector(ISignedOrders.TradeAlreadySettled.selector, address(token), fills[0].tradeRef);
        vm.expectEmit();
        emit ISignedOrders.FillRefused(fills[1].tradeRef, address(token), ISignedOrders.Overfilled.selector, overfilled);
        vm.expectEmit();
        emit ISignedOrders.FillRefused(
            fills[2].tradeRef, address(token), ISignedOrders.TradeAlreadySettled.selector, twice
        );
        vm.expectEmit();
        emit ISignedOrders.BatchSettled("batch", operator, 2, 4, 4);
        vm.prank(operator);
        (uint256 settled, uint256 processed) = vault.batchSettle("batch", fills, 4);
        assertTrue(settled == 2 && processed == 4);
        assertEq(_filled(sell), 10e18);
        assertFalse(_isSettled(fills[1]));
    }

    function test_batch_ofFiftyFitsATransaction() public {
        Order memory sell = _sell(50e18);
        Fill[] memory fills = new Fill[](50);
        for (uint256 i = 0; i < 50; ++i) {
            fills[i] = _fill(sell, _buy(1e18), 1e18);
        }
        vm.prank(operator);
        (bool success, bytes memory answer) =
            address(vault).call{gas: TRANSACTION_GAS}(abi.encodeCall(ITradingVault.batchSettle, ("batch", fills, 50)));
        assertTrue(success, "fits");
        (uint256 settled,) = abi.decode(answer, (uint256, uint256));
        assertEq(settled, 50);
    }

    function test_batch_stopsWhereTheGasEndsAndTellsWhere() public {
        Order memory sell = _sell(50e18);
        Fill[] memory fills = new Fill[](10);
        for (uint256 i = 0; i < 10; ++i) {
            fills[i] = _fill(sell, _buy(1e18), 1e18);
        }
        bytes memory callData = abi.encodeCall(ITradingVault.batchSettle, ("batch", fills, 0));
        vm.prank(operator);
        (bool success, bytes memory answer) = address(vault).call{gas: 5_900_000}(callData);
        assertTrue(success);
        (uint256 settled, uint256 processed) = abi.decode(answer, (uint256, uint256));
        assertTrue(settled == processed && processed > 1 && processed < 10, "some");
        assertEq(_filled(sell), processed * 1e18);
    }

    /// At the very edge too: a fill is tried with all its gas or not at all.
    function testFuzz_batch_neverRefusesAFillForWantOfGas(uint256 gasLimit) public {
        gasLimit = bound(gasLimit, 5_000_000, 5_700_000);
        Order memory sell = _sell(50e18);
        Fill[] memory fills = new Fill[](3);
        for (uint256 i = 0; i < 3; ++i) {
            fills[i] = _fill(sell, _buy(1e18), 1e18);
        }
        bytes memory callData = abi.encodeCall(ITradingVault.batchSettle, ("batch", fills, 0));
        vm.prank(operator);
        (bool success, bytes memory answer) = address(vault).call{gas: gasLimit}(callData);
        if (success) {
            (uint256 settled, uint256 processed) = abi.decode(answer, (uint256, uint256));
            assertEq(settled, processed);
        } else {
            assertEq(answer, abi.encodeWithSelector(ISignedOrders.BatchNeedsMoreGas.selector, 0, 1));
        }
    }

    function test_batch_revertsWhenTheGasDoesNotDoForWhatIsWanted() public {
        Order memory sell = _sell(50e18);
        Fill[] memory fills = new Fill[](2);
        (fills[0], fills[1]) = (_fill(sell, _buy(1e18), 1e18), _fill(sell, _buy(1e18), 1e18));
        vm.startPrank(operator);
        (bool success, bytes memory reason) =
            address(vault).call{gas: 5_000_000}(abi.encodeCall(ITradingVault.batchSettle, ("batch", fills, 0)));
        assertFalse(success);
        assertEq(reason, abi.encodeWithSelector(ISignedOrders.BatchNeedsMoreGas.selector, 0, 1));
        (success, reason) =
            address(vault).call{gas: 5_350_000}(abi.encodeCall(ITradingVault.batchSettle, ("batch", fills, 2)));
        assertFalse(success);
        assertEq(reason, abi.encodeWithSelector(ISignedOrders.BatchNeedsMoreGas.selector, 1, 2));
        vm.stopPrank();
    }

    function test_batch_survivesAWalletThatBurnsGas() public {
        (SmartWallet1271 wallet, Fill memory burning) = _walletSells();
        vm.prank(stranger);
        wallet.setMode(SmartWallet1271.Mode.BURNS_GAS);
        Fill[] memory fills = new Fill[](2);
        (fills[0], fills[1]) = (burning, _fill(_sell(1e18), _buy(1e18), 1e18));
        vm.prank(operator);
        (uint256 settled, uint256 processed) = vault.batchSettle("batch", fills, 2);
        assertTrue(settled == 1 && processed == 2);
    }
}
