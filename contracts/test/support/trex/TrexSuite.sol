// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {BaseTest} from "../BaseTest.sol";
import {ITrexAuthority, ITrexIdentity, ITrexRegistry, ITrexToken} from "./ITrex.sol";

/// @notice The ERC-3643 suite as its authors ship it, compiled by them, every contract behind its proxy. This contract
/// owns all of it; holders get a real identity with a signed claim for each topic.
abstract contract TrexSuite is BaseTest {
    string private constant TREX = "../node_modules/@tokenysolutions/t-rex/artifacts/contracts/";
    string private constant ONCHAIN_ID = "../node_modules/@onchain-id/solidity/artifacts/contracts/";
    uint256 private constant MANAGEMENT = 1;
    uint256 private constant CLAIM_SIGNER = 3;
    uint256 private constant ECDSA = 1;
    uint16 private constant COUNTRY = 276;

    ITrexToken internal security;
    ITrexRegistry internal registry;
    ITrexRegistry private claimTopics;
    ITrexRegistry private trustedIssuers;
    address private identityAuthority;
    address private claimIssuer;
    uint256 private claimSignerKey;
    uint256 private topicCount;

    /// @dev The transfer agent is the only agent besides those that a test adds.
    function _deployTrex(address transferAgent, uint8 decimals) internal {
        address authority = _deployAuthority();
        trustedIssuers = ITrexRegistry(_trex("proxy/TrustedIssuersRegistryProxy", abi.encode(authority)));
        claimTopics = ITrexRegistry(_trex("proxy/ClaimTopicsRegistryProxy", abi.encode(authority)));
        address identities = _trex("proxy/IdentityRegistryStorageProxy", abi.encode(authority));
        registry = ITrexRegistry(
            _trex("proxy/IdentityRegistryProxy", abi.encode(authority, trustedIssuers, claimTopics, identities))
        );
        address compliance = _trex("proxy/ModularComplianceProxy", abi.encode(authority));
        security = ITrexToken(
            _trex(
                "proxy/TokenProxy",
                abi.encode(authority, registry, compliance, "Example Share", "EXS", decimals, address(0))
            )
        );
        ITrexRegistry(identities).bindIdentityRegistry(address(registry));
        registry.addAgent(address(this));
        // The token registers the new wallet itself when lost tokens are recovered.
        registry.addAgent(address(security));
        security.addAgent(transferAgent);
        vm.prank(transferAgent);
        security.unpause();
        _deployIssuer();
        _requireTopics(1);
    }

    /// @notice From now on a holder needs a valid claim for each of `count` topics.
    function _requireTopics(uint256 count) internal {
        uint256[] memory topics = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            topics[i] = i + 1;
            if (i >= topicCount) claimTopics.addClaimTopic(i + 1);
        }
        if (topicCount == 0) trustedIssuers.addTrustedIssuer(claimIssuer, topics);
        else trustedIssuers.updateIssuerClaimTopics(claimIssuer, topics);
        topicCount = count;
    }

    /// @notice An identity that `holder` does not manage; the holder may be a contract.
    function _registerHolder(address holder) internal returns (address identity) {
        identity = _createIdentity();
        registry.registerIdentity(holder, identity, COUNTRY);
    }

    function _createIdentity() internal returns (address identity) {
        identity = _onchainId("proxy/IdentityProxy", abi.encode(identityAuthority, address(this)));
        _addClaims(identity);
    }

    /// @notice A claim for every topic that is required now.
    function _addClaims(address identity) internal {
        for (uint256 topic = 1; topic <= topicCount; ++topic) {
            bytes32 digest = keccak256(abi.encode(identity, topic, bytes("verified")));
            digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", digest));
            bytes memory signature = signDigest(claimSignerKey, digest);
            ITrexIdentity(identity).addClaim(topic, ECDSA, claimIssuer, signature, "verified", "");
        }
    }

    /// @notice What makes `wallet` a wallet to which an agent may recover the tokens of the identity.
    function _addManager(address identity, address wallet) internal {
        ITrexIdentity(identity).addKey(keccak256(abi.encode(wallet)), MANAGEMENT, ECDSA);
    }

    function _deployAuthority() private returns (address authority) {
        ITrexAuthority.Contracts memory implementations = ITrexAuthority.Contracts({
            tokenImplementation: _trex("token/Token", ""),
            ctrImplementation: _trex("registry/implementation/ClaimTopicsRegistry", ""),
            irImplementation: _trex("registry/implementation/IdentityRegistry", ""),
            irsImplementation: _trex("registry/implementation/IdentityRegistryStorage", ""),
            tirImplementation: _trex("registry/implementation/TrustedIssuersRegistry", ""),
            mcImplementation: _trex("compliance/modular/ModularCompliance", "")
        });
        authority = _trex("proxy/authority/TREXImplementationAuthority", abi.encode(true, address(0), address(0)));
        ITrexAuthority(authority).addAndUseTREXVersion(ITrexAuthority.Version(4, 1, 6), implementations);
    }

    function _deployIssuer() private {
        address implementation = _onchainId("Identity", abi.encode(address(this), true));
        identityAuthority = _onchainId("proxy/ImplementationAuthority", abi.encode(implementation));
        claimIssuer = _onchainId("ClaimIssuer", abi.encode(address(this)));
        address claimSigner;
        (claimSigner, claimSignerKey) = makeActor("claim signer");
        ITrexIdentity(claimIssuer).addKey(keccak256(abi.encode(claimSigner)), CLAIM_SIGNER, ECDSA);
    }

    function _trex(string memory path, bytes memory arguments) private returns (address) {
        return _create(TREX, path, arguments);
    }

    function _onchainId(string memory path, bytes memory arguments) private returns (address) {
        return _create(ONCHAIN_ID, path, arguments);
    }

    function _create(string memory folder, string memory path, bytes memory arguments)
        private
        returns (address created)
    {
        string memory compiled = vm.readFile(string.concat(folder, path, ".sol/", _baseName(path), ".json"));
        bytes memory code = abi.encodePacked(vm.parseJsonBytes(compiled, ".bytecode"), arguments);
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        require(created != address(0), string.concat("not created: ", path));
    }

    function _baseName(string memory path) private pure returns (string memory) {
        bytes memory text = bytes(path);
        uint256 start = text.length;
        while (start != 0 && text[start - 1] != "/") --start;
        bytes memory name = new bytes(text.length - start);
        for (uint256 i = 0; i < name.length; ++i) {
            name[i] = text[start + i];
        }
        return string(name);
    }
}
