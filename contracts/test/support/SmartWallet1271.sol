// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice A wallet contract that signs through its owner's key (ERC-1271), and that can be told to misbehave.
contract SmartWallet1271 is IERC1271 {
    enum Mode {
        HONEST,
        REVERTS,
        ANSWERS_GARBAGE, // A word that is neither the magic value nor zero.
        ANSWERS_NOTHING,
        ANSWERS_TOO_MUCH, // The magic value followed by 100 kB.
        BURNS_GAS,
        ACCEPTS_EVERYTHING
    }

    error NotOwner(address account);
    error SignatureCheckRefused();

    address public immutable owner;
    Mode public mode;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    modifier onlyOwner() {
        require(msg.sender == owner, NotOwner(msg.sender));
        _;
    }

    function setMode(Mode newMode) external onlyOwner {
        mode = newMode;
    }

    function execute(address target, uint256 value, bytes calldata callData) external onlyOwner returns (bytes memory) {
        (bool success, bytes memory answer) = target.call{value: value}(callData);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        Mode current = mode;
        require(current != Mode.REVERTS, SignatureCheckRefused());
        if (current == Mode.ACCEPTS_EVERYTHING) return IERC1271.isValidSignature.selector;
        if (current == Mode.ANSWERS_GARBAGE) return 0xdeadbeef;
        if (current == Mode.BURNS_GAS) while (true) {}
        if (current == Mode.ANSWERS_NOTHING) _answer(0);
        if (current == Mode.ANSWERS_TOO_MUCH) _answer(100_000);
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = problem == ECDSA.RecoverError.NoError && signer == owner;
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    function _answer(uint256 size) private pure {
        bytes4 magic = IERC1271.isValidSignature.selector;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, magic)
            return(start, size)
        }
    }
}
