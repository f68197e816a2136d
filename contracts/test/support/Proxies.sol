// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @notice A plain ERC-1967 proxy.
contract PlainProxy is ERC1967Proxy {
    constructor(address implementation, bytes memory initialCall) payable ERC1967Proxy(implementation, initialCall) {}
}

/// @notice Makes EIP-1167 clones.
contract CloneFactory {
    event Cloned(address indexed implementation, address clone);

    function clone(address implementation, bytes calldata initialCall) external returns (address instance) {
        instance = Clones.clone(implementation);
        emit Cloned(implementation, instance);
        if (initialCall.length != 0) {
            (bool success,) = instance.call(initialCall);
            require(success, "initial call failed");
        }
    }
}
