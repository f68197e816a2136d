// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IImplementationSource, IServedUpgrade} from "../base/interfaces/IServedUpgrade.sol";
import {IComplianceModule} from "./interfaces/IComplianceModule.sol";
import {IStockFactory} from "./interfaces/IStockFactory.sol";
import {IStockToken} from "./interfaces/IStockToken.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {Create3} from "@openzeppelin/contracts/utils/Create3.sol";

/// @title StockFactory
contract StockFactory is IStockFactory, IImplementationSource, Initializable, UUPSUpgradeable {
    /// @custom:storage-location erc7201:tallystick.storage.StockFactory
    struct StockFactoryStorage {
        address owner;
        address pendingOwner;
        address[] stocks;
        mapping(bytes32 kind => address) served;
        mapping(address token => address) issuers;
    }

    /* CONSTANTS */

    bytes32 private constant TOKEN_KIND = "stockToken";
    bytes32 private constant MODULE_KIND = "complianceModule";
    /// @dev keccak256(abi.encode(uint256(keccak256("tallystick.storage.StockFactory")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant FACTORY_SLOT = 0xfb6af54e3810d15d2a5330db0922ee196f1e60e4e89cbbc50ee57178d066f200;

    modifier onlyOwner() {
        require(msg.sender == _storage().owner, OwnableUnauthorizedAccount(msg.sender));
        _;
    }

    /* CONSTRUCTOR */

    constructor() {
        _disableInitializers();
    }

    function initialize(address owner_) external initializer {
        require(owner_ != address(0), OwnerIsZero());
        _storage().owner = owner_;
        emit OwnershipTransferred(address(0), owner_);
    }

    /* PUBLIC FUNCTIONS */

    /// @inheritdoc IStockFactory
    function deployStock(IStockToken.StockTerms calldata terms, uint256 maxHolding, uint256 minHolding, bytes32 salt)
        external
        returns (address token, address complianceModule)
    {
        require(terms.issuer != address(0), IssuerIsZero());
        (bytes32 tokenSalt, bytes32 moduleSalt) = _salts(msg.sender, salt);
        token = Create3.computeAddress(tokenSalt);
        require(_storage().issuers[token] == address(0), AlreadyDeployed(token));
        _storage().issuers[token] = terms.issuer;
        _storage().stocks.push(token);
        complianceModule = Create3.computeAddress(moduleSalt);
        emit StockDeployed(token, terms.issuer, msg.sender, complianceModule, terms.isin);
        _deploy(MODULE_KIND, moduleSalt, abi.encodeCall(IComplianceModule.initialize, (token, maxHolding, minHolding)));
        _deploy(TOKEN_KIND, tokenSalt, abi.encodeCall(IStockToken.initialize, (terms, complianceModule)));
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc IStockFactory
    function setImplementation(bytes32 kind, address implementation) external onlyOwner {
        require(kind == TOKEN_KIND || kind == MODULE_KIND, UnknownKind(kind));
        require(
            implementation.code.length != 0 && IServedUpgrade(implementation).factory() == address(this),
            NotForThisFactory(implementation)
        );
        _storage().served[kind] = implementation;
        emit ImplementationSet(kind, implementation);
    }

    /// @inheritdoc IStockFactory
    function transferOwnership(address newOwner) external onlyOwner {
        _storage().pendingOwner = newOwner;
        emit OwnershipTransferStarted(msg.sender, newOwner);
    }

    /// @inheritdoc IStockFactory
    function acceptOwnership() external {
        StockFactoryStorage storage s = _storage();
        require(msg.sender == s.pendingOwner, OwnableUnauthorizedAccount(msg.sender));
        emit OwnershipTransferred(s.owner, msg.sender);
        (s.owner, s.pendingOwner) = (msg.sender, address(0));
    }

    /* INTERNAL */

    /// @dev The address depends on the salt alone, neither on the terms nor on what is served just then.
    function _deploy(bytes32 kind, bytes32 salt, bytes memory call) private {
        address implementation = _storage().served[kind];
        require(implementation != address(0), NoImplementation(kind));
        Create3.deploy(0, salt, abi.encodePacked(type(ERC1967Proxy).creationCode, abi.encode(implementation, call)));
    }

    function _authorizeUpgrade(address) internal view override onlyOwner {}

    function _salts(address deployer, bytes32 salt) private pure returns (bytes32 tokenSalt, bytes32 moduleSalt) {
        tokenSalt = keccak256(abi.encode(TOKEN_KIND, deployer, salt));
        moduleSalt = keccak256(abi.encode(MODULE_KIND, deployer, salt));
    }

    function _storage() private pure returns (StockFactoryStorage storage s) {
        assembly ("memory-safe") {
            s.slot := FACTORY_SLOT
        }
    }

    /* VIEWS */

    /// @inheritdoc IImplementationSource
    function servedImplementation(bytes32 kind) external view returns (address) {
        return _storage().served[kind];
    }

    /// @inheritdoc IStockFactory
    function predictStock(address deployer, bytes32 salt) external view returns (address token) {
        (bytes32 tokenSalt,) = _salts(deployer, salt);
        return Create3.computeAddress(tokenSalt);
    }

    /// @inheritdoc IStockFactory
    function isStock(address token) external view returns (bool) {
        return _storage().issuers[token] != address(0);
    }

    /// @inheritdoc IStockFactory
    function issuerAtDeployment(address token) external view returns (address issuer) {
        issuer = _storage().issuers[token];
        require(issuer != address(0), NotAStock(token));
    }

    /// @inheritdoc IStockFactory
    function stockCount() external view returns (uint256) {
        return _storage().stocks.length;
    }

    /// @inheritdoc IStockFactory
    function stockAt(uint256 index) external view returns (address) {
        return _storage().stocks[index];
    }

    /// @inheritdoc IStockFactory
    function owner() external view returns (address) {
        return _storage().owner;
    }

    /// @inheritdoc IStockFactory
    function pendingOwner() external view returns (address) {
        return _storage().pendingOwner;
    }

    /// @inheritdoc IStockFactory
    function version() external pure virtual returns (uint256) {
        return 1;
    }
}
