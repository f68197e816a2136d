// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice The cheatcodes of forge that our tests use. Add a line here when a test needs another one.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    /* KEYS */

    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    /* CALLER */

    function prank(address sender) external;
    function prank(address sender, address origin) external;
    function startPrank(address sender) external;
    function startPrank(address sender, address origin) external;
    function stopPrank() external;

    /* CHAIN STATE */

    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function store(address account, bytes32 slot, bytes32 value) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
    function getNonce(address account) external view returns (uint64);
    function setNonce(address account, uint64 nonce) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 blockNumber) external;
    function fee(uint256 baseFee) external;
    function txGasPrice(uint256 gasPrice) external;
    function chainId(uint256 id) external;
    function coinbase(address account) external;
    function prevrandao(bytes32 value) external;
    function cool(address account) external;
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool);
    function revertToStateAndDelete(uint256 id) external returns (bool);
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address);
    function getBlockNumber() external view returns (uint256);
    function getBlockTimestamp() external view returns (uint256);
    function getCode(string calldata artifact) external view returns (bytes memory);
    function getDeployedCode(string calldata artifact) external view returns (bytes memory);

    /* EXPECTATIONS */

    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata reason) external;
    function expectRevert(bytes calldata reason, address reverter) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;
    function expectCall(address callee, bytes calldata data) external;
    function expectCall(address callee, bytes calldata data, uint64 count) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);

    /* TEST RUN */

    function assume(bool condition) external pure;
    function skip(bool skipTest, string calldata reason) external;
    function label(address account, string calldata name) external;
    function envOr(string calldata name, uint256 fallbackValue) external view returns (uint256);
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function snapshotGasLastCall(string calldata name) external returns (uint256);
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function toString(address value) external pure returns (string memory);
    function toString(bytes calldata value) external pure returns (string memory);
    function toString(bytes32 value) external pure returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
    function toString(int256 value) external pure returns (string memory);

    /* ASSERTIONS */

    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assertFalse(bool condition) external pure;
    function assertFalse(bool condition, string calldata message) external pure;
    function assertEq(bool left, bool right, string calldata message) external pure;
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(int256 left, int256 right, string calldata message) external pure;
    function assertEq(address left, address right, string calldata message) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata message) external pure;
    function assertEq(string calldata left, string calldata right, string calldata message) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata message) external pure;
    function assertEq(uint256[] calldata left, uint256[] calldata right, string calldata message) external pure;
    function assertEq(address[] calldata left, address[] calldata right, string calldata message) external pure;
    function assertEq(bytes32[] calldata left, bytes32[] calldata right, string calldata message) external pure;
    function assertNotEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertNotEq(address left, address right, string calldata message) external pure;
    function assertNotEq(bytes32 left, bytes32 right, string calldata message) external pure;
    function assertLt(uint256 left, uint256 right, string calldata message) external pure;
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;
    function assertGt(uint256 left, uint256 right, string calldata message) external pure;
    function assertGe(uint256 left, uint256 right, string calldata message) external pure;
    function assertLt(int256 left, int256 right, string calldata message) external pure;
    function assertLe(int256 left, int256 right, string calldata message) external pure;
    function assertGt(int256 left, int256 right, string calldata message) external pure;
    function assertGe(int256 left, int256 right, string calldata message) external pure;
    function assertApproxEqAbs(uint256 left, uint256 right, uint256 maxDelta, string calldata message) external pure;
    function assertApproxEqRel(uint256 left, uint256 right, uint256 maxPercentDelta, string calldata message)
        external
        pure;
}
