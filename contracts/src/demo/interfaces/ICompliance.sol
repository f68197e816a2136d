// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice ERC-3643's compliance contract: rules about a transfer, as opposed to rules about an investor.
interface ICompliance {
    event TokenBound(address token);
    event TokenUnbound(address token);

    error TokenAlreadyBound(address token);
    error NotTheBoundToken(address account);
    error NotOwnerOrToken(address account);

    /// @notice Ties this contract to one token. By the owner, or by the token itself.
    function bindToken(address token) external;

    /// @notice By the owner, or by the token itself.
    function unbindToken(address token) external;

    function isTokenBound(address token) external view returns (bool);

    function getTokenBound() external view returns (address);

    function canTransfer(address from, address to, uint256 amount) external view returns (bool);

    /// @notice Told by the token after a transfer.
    function transferred(address from, address to, uint256 amount) external;

    /// @notice Told by the token after a mint.
    function created(address to, uint256 amount) external;

    /// @notice Told by the token after a burn.
    function destroyed(address from, uint256 amount) external;
}
