// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a token asks its identity registry.
interface IIdentitySource {
    /// @notice A compliance module was given too little gas to have answered.
    error CheckNeedsMoreGas();

    /// @notice The wallet that the identity of a given-up one went to, through later moves; zero for a wallet that was not
    /// given up since version 2. Follows 16 moves: ask again with the answer where there may be more.
    function successorOf(address wallet) external view returns (address);

    function complianceModules() external view returns (address[] memory);

    /// @notice What the compliance modules alone say, for tokens that check identities themselves: a contract that such a
    /// token authorises has none.
    /// @param from Zero when securities are issued.
    /// @param to Zero when a sub-issuer redeems.
    /// @return reason 0 none; 10 a compliance module refused; 11 a compliance module failed.
    /// @return module The one that objects; zero when none does.
    function moduleObjection(address from, address to, uint256 amount, uint256 fromBalance, uint256 toBalance)
        external
        view
        returns (uint8 reason, address module);

    /* VIEWS OF ERC-3643 */

    /// @notice Whether the wallet may hold a security: its identity is active or soft expired, and it is not frozen.
    function isVerified(address user) external view returns (bool);

    /// @notice Stands for the person: stays the same when the identity is renewed or moved. Zero for a wallet without an
    /// unrevoked identity.
    function identity(address user) external view returns (address);
}
