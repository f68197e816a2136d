// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IPartitionedShare} from "./interfaces/IPartitionedShare.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

/// @title DocumentShelf
/// @notice The documents of a share, after ERC-1643.
abstract contract DocumentShelf is Ownable, IPartitionedShare {
    using EnumerableSet for EnumerableSet.Bytes32Set;

    struct Document {
        string uri;
        bytes32 documentHash;
        uint256 lastModified;
    }

    /* STORAGE */

    mapping(bytes32 name => Document) private _documents;
    EnumerableSet.Bytes32Set private _names;

    /* OWNER FUNCTIONS */

    /// @inheritdoc IPartitionedShare
    function setDocument(bytes32 name, string calldata uri, bytes32 documentHash) external onlyOwner {
        _documents[name] = Document(uri, documentHash, block.timestamp);
        _names.add(name);
        emit DocumentUpdated(name, uri, documentHash);
    }

    /// @inheritdoc IPartitionedShare
    function removeDocument(bytes32 name) external onlyOwner {
        require(_names.remove(name), DocumentNotFound(name));
        Document memory document = _documents[name];
        delete _documents[name];
        emit DocumentRemoved(name, document.uri, document.documentHash);
    }

    /* VIEWS */

    /// @inheritdoc IPartitionedShare
    function getDocument(bytes32 name)
        external
        view
        returns (string memory uri, bytes32 documentHash, uint256 lastModified)
    {
        Document storage document = _documents[name];
        return (document.uri, document.documentHash, document.lastModified);
    }

    /// @inheritdoc IPartitionedShare
    function getAllDocuments() external view returns (bytes32[] memory) {
        return _names.values();
    }
}
