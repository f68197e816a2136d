// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TradingVault} from "../../../src/trading/TradingVault.sol";
import {ISignedOrders} from "../../../src/trading/interfaces/ISignedOrders.sol";
import {ITradingVault} from "../../../src/trading/interfaces/ITradingVault.sol";
import {TransferRules} from "../../../src/trading/interfaces/TradingTypes.sol";
import {FreeToken} from "../../support/hostile/CollateralTokens.sol";
import {TradingTest} from "./TradingTest.sol";
import {VaultSuite} from "./VaultSuite.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice A vault with a plain token of 18 decimals and cash. The seller has committed tokens, the buyer cash.
abstract contract TradingVaultTest is TradingTest {
    uint256 internal constant SHARES = 1_000e18;
    uint256 internal constant CASH = 100_000e6;

    VaultSuite internal suite;
    TradingVault internal vault;
    FreeToken internal token;

    function setUp() public virtual override {
        super.setUp();
        token = _makeToken();
        suite = VaultSuite(_create("VaultSuite.sol:VaultSuite", abi.encode(admin, operator, feeRecipient)));
        vault = suite.vault();
        vm.startPrank(admin);
        vault.addToken(address(token), _rules(), _splits());
        vault.addToken(address(cash), TransferRules.NONE, false);
        vm.stopPrank();
        _fund(seller, SHARES, 0);
        _fund(buyer, 0, CASH);
    }

    function _makeToken() internal virtual returns (FreeToken) {
        return new FreeToken(18);
    }

    function _rules() internal view virtual returns (TransferRules) {
        return TransferRules.NONE;
    }

    function _splits() internal view virtual returns (bool) {
        return false;
    }

    function _venue() internal view override returns (ISignedOrders) {
        return vault;
    }

    function _base() internal view override returns (address) {
        return address(token);
    }

    /// @notice Deposits and commits.
    function _fund(address user, uint256 shares, uint256 money) internal {
        if (shares != 0) token.mint(user, shares);
        if (money != 0) cash.mint(user, money);
        vm.startPrank(user);
        token.approve(address(vault), type(uint256).max);
        cash.approve(address(vault), type(uint256).max);
        if (shares != 0) vault.depositAndCommit(address(token), shares);
        if (money != 0) vault.depositAndCommit(address(cash), money);
        vm.stopPrank();
    }

    function _account(address user, IERC20 asset) internal view returns (ITradingVault.AccountView memory) {
        return vault.accountOf(user, address(asset));
    }

    function _assertAccount(address user, IERC20 asset, uint256 free, uint256 committed) internal view {
        ITradingVault.AccountView memory account = _account(user, asset);
        assertEq(account.free, free, "free");
        assertEq(account.committed, committed, "committed");
    }
}
