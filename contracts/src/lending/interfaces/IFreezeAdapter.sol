// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Freezes collateral in the holder's own wallet, as an agent of an ERC-3643 token.
interface IFreezeAdapter {
    event FreezeShortfall(address indexed holder, uint256 expected, uint256 frozen);
    event PledgeRebound(uint256 indexed loanId, address indexed lostWallet, address indexed newWallet, uint256 amount);

    error NotSameIdentity(address lostWallet, address newWallet);
    error WalletNotRecovered(address lostWallet, uint256 balance);

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
