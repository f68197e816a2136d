// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IMarketErrors} from "../interfaces/IMarketErrors.sol";
import {IMarketEvents} from "../interfaces/IMarketEvents.sol";
import {IMarketVault} from "../interfaces/IMarketVault.sol";
import {Books, MarketStorage} from "./MarketStorage.sol";
import {PoolLib} from "./PoolLib.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Draws on registered vaults what the pool itself cannot lend.
library VaultDrawLib {
    uint256 private constant BPS = 10_000;
    uint256 private constant DRAW_GAS = 400_000;

    /// @notice Makes `amount` borrowable, or reverts.
    function ensureBorrowable(MarketStorage storage s, uint256 amount) external {
        uint256 available = PoolLib.borrowable(s, PoolLib.load(s));
        if (s.useVaultLiquidity) {
            uint256 count = s.vaults.length;
            for (uint256 i = 0; i < count && available < amount; ++i) {
                // What arrives adds to the reserve as well: the shortfall is grossed up by it.
                uint256 needed = ((amount - available) * BPS - 1) / (BPS - s.reserveRatioBps) + 1;
                _draw(s, s.vaults[i], needed);
                available = PoolLib.borrowable(s, PoolLib.load(s));
            }
        }
        require(available >= amount, IMarketErrors.InsufficientLiquidity(amount, available));
    }

    /// @dev A vault that fails gives nothing. Only what arrived is booked.
    function _draw(MarketStorage storage s, address vault, uint256 needed) private {
        uint256 offered;
        try IMarketVault(vault).drawableFor{gas: DRAW_GAS}(address(this)) returns (uint256 drawable) {
            offered = drawable < needed ? drawable : needed;
        } catch {
            return;
        }
        if (offered == 0) return;
        IERC20 asset = IERC20(s.asset);
        uint256 before = asset.balanceOf(address(this));
        try IMarketVault(vault).drawForMarket{gas: DRAW_GAS}(offered) {}
        catch {
            return;
        }
        uint256 received = asset.balanceOf(address(this)) - before;
        if (received == 0) return;
        Books memory b = PoolLib.load(s);
        uint256 shares = PoolLib.mint(s, b, vault, received);
        PoolLib.save(s, b);
        emit IMarketEvents.VaultDrawn(vault, received, shares);
    }
}
