// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Freezes collateral in the holder's own wallet, as an agent of an ERC-3643 token.
interface IFreezeAdapter {
    event FreezeShortfall(address indexed holder, uint256 expected, uint256 frozen);
    event PledgeRebound(uint256 indexed loanId, address indexed lostWallet, address indexed newWallet, uint256 amount);
    event RecoveryNoticed(uint256 indexed loanId, address indexed lostWallet, uint256 rebindUntil);
    event ReleaseDeferred(address indexed holder, uint256 amount);
    event DeferredReleaseMade(address indexed holder, uint256 amount);
    event RecoveredReleaseMade(address indexed lostWallet, address indexed newWallet, uint256 amount);

    error NotSameIdentity(address lostWallet, address newWallet);
    error WalletNotRecovered(address lostWallet, uint256 balance);
    error PledgeNotRebound(uint256 loanId, address lostWallet);
    error RecoveryAlreadyNoticed(uint256 loanId, uint256 rebindUntil);
    error ReleaseNeedsMoreGas();
    error NothingDeferred(address holder);
    error WalletRecovered(address holder);

    /// @notice Unfreezes what could not be unfrozen when it was released, because the token refused. Anyone; reverts while
    /// the token still refuses.
    function releaseDeferred(address holder) external returns (uint256 amount);

    /// @notice Unfreezes in the recovered wallet what a repayment found gone from the lost one. Anyone; the new wallet has to
    /// carry the identity that the lost one had when it pledged.
    function releaseRecovered(address lostWallet, address newWallet) external returns (uint256 amount);

    /// @notice Whether a wallet no longer has the identity that it pledged with, which is what a recovery leaves behind.
    function hasLostItsIdentity(address holder) external view returns (bool);

    /// @notice Releases of all loans of `holder` that the token refused. It is no longer pledged.
    function deferredReleaseOf(address holder) external view returns (uint256);

    /// @notice Says in public that a wallet with a pledge looks recovered: tokens are missing, and it no longer has the
    /// identity that pledged. Anyone. Until then such a pledge is not seized, nor for `REBIND_PERIOD` from then on:
    /// anyone can rebind it to the recovered wallet. If nobody does, what is missing counts as lost for as long again.
    function noticeRecovery(uint256 loanId) external;

    /// @notice Seconds to rebind a pledge from the notice on.
    function REBIND_PERIOD() external view returns (uint256);

    /// @notice The end of the time to rebind a loan's pledge, or zero without a notice.
    function rebindUntil(uint256 loanId) external view returns (uint256);

    /// @notice The identity that `holder` had when it last pledged here, or zero. Nobody else's wallet can take over its
    /// pledges.
    function identityAtPledge(address holder) external view returns (address);
}

/// @notice The functions of ERC-3643 that pledging needs.
interface IFreezableToken {
    function balanceOf(address account) external view returns (uint256);

    function getFrozenTokens(address account) external view returns (uint256);

    function freezePartialTokens(address account, uint256 amount) external;

    function unfreezePartialTokens(address account, uint256 amount) external;

    function forcedTransfer(address from, address to, uint256 amount) external returns (bool);

    function identityRegistry() external view returns (address);
}

/// @notice The part of an ERC-3643 registry that ties wallets to identities.
interface IIdentityLookup {
    function identity(address wallet) external view returns (address);
}
