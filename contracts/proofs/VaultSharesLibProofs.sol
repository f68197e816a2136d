// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {VaultSharesLib} from "../src/lending/libraries/VaultSharesLib.sol";

/// @notice What holds for every deposit into a vault and every redemption. Rounding is never the caller's gain.
contract VaultSharesLibProofs {
    uint256 private constant MAX_AMOUNT = type(uint104).max;
    uint256 private constant MAX_SHARES = type(uint128).max;

    function _requireVault(uint256 totalAssets, uint256 totalShares) private pure {
        require(totalAssets <= MAX_AMOUNT && totalShares <= MAX_SHARES);
    }

    /// @custom:property VSH-01 A deposit that is redeemed pays back no more than was put in.
    function roundTripIsNoProfit(uint256 paid, uint256 totalAssets, uint256 totalShares) external pure {
        _requireVault(totalAssets, totalShares);
        require(paid <= MAX_AMOUNT);
        uint256 shares = VaultSharesLib.toSharesDown(paid, totalAssets, totalShares);
        assert(VaultSharesLib.toAssetsDown(shares, totalAssets + paid, totalShares + shares) <= paid);
    }

    /// @custom:property VSH-02 A deposit never lowers the price of a share.
    function depositKeepsThePrice(uint256 paid, uint256 totalAssets, uint256 totalShares) external pure {
        _requireVault(totalAssets, totalShares);
        require(paid <= MAX_AMOUNT);
        uint256 shares = VaultSharesLib.toSharesDown(paid, totalAssets, totalShares);
        assert((totalAssets + paid + 1) * (totalShares + 1) >= (totalAssets + 1) * (totalShares + shares + 1));
    }

    /// @custom:property VSH-03 A redemption that is paid in full never lowers the price of the shares that stay.
    function redemptionKeepsThePrice(uint256 shares, uint256 totalAssets, uint256 totalShares) external pure {
        _requireVault(totalAssets, totalShares);
        require(shares <= totalShares);
        uint256 owed = VaultSharesLib.toAssetsDown(shares, totalAssets, totalShares);
        require(owed <= totalAssets);
        uint256 burnt = VaultSharesLib.burntUp(shares, owed, owed);
        assert((totalAssets - owed + 1) * (totalShares + 1) >= (totalAssets + 1) * (totalShares - burnt + 1));
    }

    /// @custom:property VSH-04 Of a redemption that is paid in part, at least the paid part of the shares is burnt.
    function partialRedemptionBurnsEnough(uint256 shares, uint256 paid, uint256 owed) external pure {
        require(shares >= 1 && shares <= MAX_SHARES && owed <= MAX_AMOUNT && paid >= 1 && paid <= owed);
        uint256 burnt = VaultSharesLib.burntUp(shares, paid, owed);
        assert(burnt * owed >= shares * paid);
    }

    /// @custom:property VSH-05 A redemption never burns more shares than were given for it.
    function burntIsNotMoreThanGiven(uint256 shares, uint256 paid, uint256 owed) external pure {
        require(shares >= 1 && shares <= MAX_SHARES && owed <= MAX_AMOUNT && paid >= 1 && paid <= owed);
        assert(VaultSharesLib.burntUp(shares, paid, owed) <= shares);
    }

    /// @custom:property VSH-06 All shares together are never worth more than the vault.
    function sharesAreNotWorthMoreThanTheVault(uint256 shares, uint256 totalAssets, uint256 totalShares)
        external
        pure
    {
        _requireVault(totalAssets, totalShares);
        require(shares <= totalShares);
        assert(VaultSharesLib.toAssetsDown(shares, totalAssets, totalShares) <= totalAssets);
    }

    /// @custom:property VSH-07 Whoever made shares dear before: a deposit loses less than one share and one unit.
    function inflationIsBounded(uint256 paid, uint256 totalAssets, uint256 totalShares) external pure {
        _requireVault(totalAssets, totalShares);
        require(paid <= MAX_AMOUNT);
        uint256 shares = VaultSharesLib.toSharesDown(paid, totalAssets, totalShares);
        uint256 back = VaultSharesLib.toAssetsDown(shares, totalAssets + paid, totalShares + shares);
        assert((totalAssets + paid + 1) * (totalShares + 1) >= (totalAssets + 1) * (totalShares + shares + 1));
        require((totalAssets + paid + 1) * (totalShares + 1) >= (totalAssets + 1) * (totalShares + shares + 1));
        assert((back + 1) * (totalShares + 1) + (totalAssets + 1) > paid * (totalShares + 1));
    }

    /// @custom:property VSH-08 The first deposit is exact: one share a unit, and all of it back.
    function firstDepositIsExact(uint256 paid) external pure {
        require(paid <= MAX_AMOUNT);
        uint256 shares = VaultSharesLib.toSharesDown(paid, 0, 0);
        assert(shares == paid);
        assert(VaultSharesLib.toAssetsDown(shares, paid, shares) == paid);
    }

    /// @custom:property VSH-09 A redemption that is paid in part never lowers the price of the shares that stay.
    /// @custom:from VSH-04 VSH-05
    function partialRedemptionKeepsThePrice(uint256 shares, uint256 paid, uint256 totalAssets, uint256 totalShares)
        external
        pure
    {
        _requireVault(totalAssets, totalShares);
        require(shares >= 1 && shares <= totalShares);
        uint256 owed = VaultSharesLib.toAssetsDown(shares, totalAssets, totalShares);
        require(paid >= 1 && paid <= owed && owed <= totalAssets);
        uint256 burnt = VaultSharesLib.burntUp(shares, paid, owed);
        // VSH-04 and VSH-05.
        require(burnt * owed >= shares * paid && burnt <= shares);
        assert(burnt * (totalAssets + 1) >= paid * (totalShares + 1));
        require(burnt * (totalAssets + 1) >= paid * (totalShares + 1));
        assert((totalAssets - paid + 1) * (totalShares + 1) >= (totalAssets + 1) * (totalShares - burnt + 1));
    }
}
