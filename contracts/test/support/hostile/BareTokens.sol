// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice ERC-20 balances without any of the optional metadata.
abstract contract BareToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    uint256 public totalSupply = 1_000e18;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    constructor() {
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return _move(from, to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// @notice Has a name and a symbol and no `decimals`.
contract NoDecimals is BareToken {
    string public constant name = "No Decimals";
    string public constant symbol = "NODEC";
}

/// @notice The way of some early tokens: `name` and `symbol` answer a word, not a string.
contract Bytes32Name is BareToken {
    bytes32 public constant name = "Maker of Old";
    bytes32 public constant symbol = "OLD";
    uint8 public constant decimals = 18;
}
