// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BaseTest} from "./BaseTest.sol";

/// @notice Base of tests with `invariant_` functions: forge asks the views below which calls it may make.
abstract contract InvariantTest is BaseTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    address[] private _contracts;
    address[] private _senders;
    address[] private _excludedContracts;
    FuzzSelector[] private _selectors;

    function targetContract(address target) internal {
        _contracts.push(target);
    }

    function targetSender(address sender) internal {
        _senders.push(sender);
    }

    function excludeContract(address target) internal {
        _excludedContracts.push(target);
    }

    function targetSelectors(address target, bytes4[] memory selectors) internal {
        _selectors.push(FuzzSelector(target, selectors));
    }

    function targetContracts() external view returns (address[] memory) {
        return _contracts;
    }

    function targetSenders() external view returns (address[] memory) {
        return _senders;
    }

    function excludeContracts() external view returns (address[] memory) {
        return _excludedContracts;
    }

    function targetSelectors() external view returns (FuzzSelector[] memory) {
        return _selectors;
    }
}
