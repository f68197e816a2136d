// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {FreeToken} from "../../support/hostile/CollateralTokens.sol";

/// @notice A controlled share that speaks for itself, tells its splits, and can be told to misbehave. Its own identity
/// registry.
contract StockLikeToken is FreeToken {
    enum Mode {
        HONEST,
        REVERTS,
        BURNS_GAS,
        ANSWERS_TOO_MUCH,
        ANSWERS_ONE_WORD,
        ANSWERS_HUGE_CODE
    }

    Mode public mode;
    bool public paused;
    bool public splitIsSilent;
    address public issuer;
    uint256 public splitHoldersLeft;
    uint256 private _numerator = 1;
    uint256 private _denominator = 1;
    mapping(address account => uint8) public codeOf;
    mapping(address account => bool) public isFrozen;
    mapping(address account => bool) public isController;
    mapping(address account => bool) public isUnverified;
    mapping(address account => uint256) public getFrozenTokens;

    constructor(uint8 decimals_, address issuer_) FreeToken(decimals_) {
        issuer = issuer_;
    }

    /* SWITCHES */

    function setMode(Mode newMode) external {
        mode = newMode;
    }

    function setIssuer(address newIssuer) external {
        issuer = newIssuer;
    }

    function setPaused(bool isPaused) external {
        paused = isPaused;
    }

    function setCode(address account, uint8 code) external {
        codeOf[account] = code;
    }

    function setFrozen(address account, bool frozen) external {
        isFrozen[account] = frozen;
    }

    function setUnverified(address account, bool unverified) external {
        isUnverified[account] = unverified;
    }

    function setController(address account, bool controls) external {
        isController[account] = controls;
    }

    function freezeTokens(address account, uint256 amount) external {
        getFrozenTokens[account] += amount;
    }

    function setRatio(uint256 numerator, uint256 denominator) external {
        (_numerator, _denominator) = (numerator, denominator);
    }

    function setSplitSilent(bool isSilent) external {
        splitIsSilent = isSilent;
    }

    function setSplitHoldersLeft(uint256 left) external {
        splitHoldersLeft = left;
    }

    /// @notice Converts those named, and tells the new ratio.
    function split(uint256 numerator, uint256 denominator, address[] calldata holders) external {
        for (uint256 i = 0; i < holders.length; ++i) {
            uint256 balance = balanceOf(holders[i]);
            uint256 converted = balance * numerator / denominator;
            if (converted > balance) _mint(holders[i], converted - balance);
            else _burn(holders[i], balance - converted);
        }
        (_numerator, _denominator) = (_numerator * numerator, _denominator * denominator);
    }

    /* CONTROLLER */

    /// @dev What is frozen goes first, as in tokens of this kind.
    function forceTransfer(address from, address to, uint256 amount, bytes32) external {
        require(isController[msg.sender], "not a controller");
        uint256 frozen = getFrozenTokens[from];
        getFrozenTokens[from] = amount < frozen ? frozen - amount : 0;
        _transfer(from, to, amount);
    }

    /* VIEWS */

    function canTransfer(address from, address to, uint256 amount) external view returns (uint8 code, string memory) {
        Mode current = mode;
        require(current != Mode.REVERTS, "no answer");
        if (current == Mode.BURNS_GAS) while (true) {}
        if (current == Mode.ANSWERS_TOO_MUCH) _answer(0, 300_000);
        if (current == Mode.ANSWERS_ONE_WORD) _answer(0, 32);
        if (current == Mode.ANSWERS_HUGE_CODE) _answer(256, 128);
        if (codeOf[from] != 0) return (codeOf[from], "SENDER_LOCKED");
        if (codeOf[to] != 0) return (codeOf[to], "RECIPIENT_EXCEEDS_MAX");
        if (amount > balanceOf(from)) return (7, "INSUFFICIENT_BALANCE");
        return (0, "SUCCESS");
    }

    function splitRatio() external view returns (uint256, uint256) {
        require(!splitIsSilent, "no answer");
        return (_numerator, _denominator);
    }

    /// @notice What is so, told or not.
    function trueRatio() external view returns (uint256, uint256) {
        return (_numerator, _denominator);
    }

    function identityRegistry() external view returns (address) {
        return address(this);
    }

    function isVerified(address account) external view returns (bool) {
        return !isUnverified[account];
    }

    function isIssuer(address account) external view returns (bool) {
        return account == issuer;
    }

    function _answer(uint256 code, uint256 size) private pure {
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, code)
            mstore(add(start, 0x20), 0x40)
            mstore(add(start, 0x40), 0)
            return(start, size)
        }
    }
}
