// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice Holds collateral in custody. A return that the token refuses is kept in escrow for the holder.
/// @dev Rebasing tokens are not supported, except shares that tell their splits.
interface ICustodyAdapter {
    event CollateralEscrowed(address indexed holder, uint256 amount);
    event EscrowedCollateralClaimed(address indexed holder, uint256 amount);

    event PledgeRebound(uint256 indexed loanId, address indexed lostWallet, address indexed newWallet, uint256 amount);

    error NothingEscrowed(address holder);
    error NoSuccessor(address wallet);

    /// @notice Pays out the caller's escrow; reverts while the token still refuses.
    function claimEscrowedCollateral() external returns (uint256 amount);

    /// @notice Pays the escrow of a lost wallet to the one that took its place by the token's own record. Anyone.
    function claimEscrowOfLostWallet(address lostWallet) external returns (uint256 amount);

    /// @notice Returns of all loans of `holder` that the token refused.
    function escrowOf(address holder) external view returns (uint256);

    function totalEscrowed() external view returns (uint256);
}
