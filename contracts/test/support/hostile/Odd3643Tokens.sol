// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice What a reader asks first of an ERC-3643 token, with nothing behind it.
abstract contract Odd3643Token {
    string public constant name = "Odd Security";
    string public constant symbol = "ODD3643";
    string public constant version = "1.0.0";
    uint8 public constant decimals = 0;
    bool public constant paused = false;

    address public immutable identityRegistry;
    address public immutable compliance;
    address public immutable onchainID;

    constructor(address identityRegistry_, address compliance_) {
        identityRegistry = identityRegistry_;
        compliance = compliance_;
    }
}

/// @notice Its identity registry is an account without code.
contract RegistryWithoutCode is Odd3643Token {
    uint256 public constant totalSupply = 1_000;

    constructor(address accountWithoutCode) Odd3643Token(accountWithoutCode, accountWithoutCode) {}
}

/// @notice Everything answers but `totalSupply`.
contract SupplyReverts3643 is Odd3643Token {
    error SupplyUnknown();

    constructor(address identityRegistry_, address compliance_) Odd3643Token(identityRegistry_, compliance_) {}

    function totalSupply() external pure returns (uint256) {
        revert SupplyUnknown();
    }
}
