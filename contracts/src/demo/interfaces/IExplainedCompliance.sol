// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ICompliance} from "./ICompliance.sol";

/// @notice Compliance that also says which rule refuses. Not part of ERC-3643.
interface IExplainedCompliance is ICompliance {
    /// @notice The name of the first rule the transfer breaks, as ASCII; zero when it breaks none.
    function brokenRule(address from, address to, uint256 amount) external view returns (bytes32);
}
