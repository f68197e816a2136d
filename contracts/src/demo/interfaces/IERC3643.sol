// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICompliance} from "./ICompliance.sol";
import {IIdentityRegistry} from "./IIdentityRegistry.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The token of ERC-3643, without its recovery, renaming and batch functions.
interface IERC3643 is IERC20 {
    event UpdatedTokenInformation(
        string newName, string newSymbol, uint8 newDecimals, string newVersion, address newOnchainID
    );
    event IdentityRegistryAdded(address indexed identityRegistry);
    event ComplianceAdded(address indexed compliance);
    event AddressFrozen(address indexed userAddress, bool indexed isFrozen, address indexed owner);
    event TokensFrozen(address indexed userAddress, uint256 amount);
    event TokensUnfrozen(address indexed userAddress, uint256 amount);
    event Paused(address userAddress);
    event Unpaused(address userAddress);

    error TokenPaused();
    error TokenNotPaused();
    error WalletFrozen(address account);
    error FreeBalanceTooLow(address account, uint256 free, uint256 needed);
    error FrozenBalanceTooLow(address account, uint256 frozen, uint256 needed);
    error RecipientNotVerified(address account);
    /// @param rule The rule's name when the compliance contract explains itself, else `UNEXPLAINED`.
    error ComplianceRefused(address compliance, bytes32 rule);

    /* AGENT FUNCTIONS */

    function pause() external;

    function unpause() external;

    /// @notice Blocks or releases all transfers from and to a wallet.
    function setAddressFrozen(address account, bool freeze) external;

    /// @notice Locks part of a balance in place.
    function freezePartialTokens(address account, uint256 amount) external;

    function unfreezePartialTokens(address account, uint256 amount) external;

    /// @notice Moves tokens without the holder's consent. Asks only that the recipient is verified; releases frozen
    /// tokens when the free ones do not suffice, so that what remains is all frozen.
    function forcedTransfer(address from, address to, uint256 amount) external returns (bool);

    /// @notice Asks only that the recipient is verified.
    function mint(address to, uint256 amount) external;

    /// @notice Releases frozen tokens when the free ones do not suffice.
    function burn(address account, uint256 amount) external;

    /* OWNER FUNCTIONS */

    function setOnchainID(address newOnchainID) external;

    function setIdentityRegistry(address newIdentityRegistry) external;

    /// @notice Leaves the old compliance contract and binds to the new one.
    function setCompliance(address newCompliance) external;

    /* VIEWS */

    /// @notice The identity contract of the token itself; zero when it has none.
    function onchainID() external view returns (address);

    function version() external view returns (string memory);

    function identityRegistry() external view returns (IIdentityRegistry);

    function compliance() external view returns (ICompliance);

    function paused() external view returns (bool);

    function isFrozen(address account) external view returns (bool);

    function getFrozenTokens(address account) external view returns (uint256);
}
