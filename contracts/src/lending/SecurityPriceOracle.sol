// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {TwoStepOwned} from "./base/TwoStepOwned.sol";
import {ISecurityPriceOracle, SignedPrice} from "./interfaces/ISecurityPriceOracle.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title SecurityPriceOracle
contract SecurityPriceOracle is ISecurityPriceOracle, TwoStepOwned, EIP712 {
    /* CONSTANTS */

    bytes32 public constant PRICE_UPDATE_TYPEHASH =
        keccak256("PriceUpdate(uint256 price,uint256 timestamp,uint256 validUntil)");
    uint256 public constant WINDOW = 1 hours;
    uint256 private constant BPS = 10_000;

    /* STORAGE */

    /// @dev One slot: what a lending call reads.
    struct Stored {
        uint104 price;
        uint40 updatedAt;
        uint32 maxPriceAge;
        uint16 maxDeviationBps;
    }

    /// @dev The first price of the current hour, which all steps of that hour are measured against as well.
    struct Window {
        uint104 price;
        uint40 openedAt;
    }

    Stored private _stored;
    Window private _window;
    /// @inheritdoc ISecurityPriceOracle
    uint256 public signerCount;
    mapping(address signer => bool) private _isAuthorized;

    /* CONSTRUCTOR */

    constructor(address market_, uint256 initialPrice) EIP712("SecurityPriceOracle", "1") {
        require(initialPrice != 0 && initialPrice <= type(uint104).max, InvalidPrice(initialPrice));
        _initOwned(market_);
        // forge-lint: disable-next-line(unsafe-typecast)
        uint104 price_ = uint104(initialPrice);
        _stored = Stored(price_, uint40(block.timestamp), 1 days, 5_000);
        _window = Window(price_, uint40(block.timestamp));
        emit PriceUpdated(0, initialPrice, block.timestamp, msg.sender);
    }

    /* SIGNER FUNCTIONS */

    /// @inheritdoc ISecurityPriceOracle
    function updatePrice(uint256 newPrice) external {
        require(isSigner(msg.sender), NotSigner(msg.sender));
        _store(newPrice, block.timestamp, msg.sender);
    }

    /// @inheritdoc ISecurityPriceOracle
    function updatePriceWithSignature(uint256 price_, uint256 timestamp, uint256 validUntil, bytes calldata signature)
        external
    {
        require(timestamp > _stored.updatedAt, PriceNotNewer(timestamp, _stored.updatedAt));
        _store(price_, timestamp, verifyPrice(price_, timestamp, validUntil, signature));
    }

    /// @inheritdoc ISecurityPriceOracle
    function refresh(SignedPrice calldata signed) external returns (uint256) {
        if (signed.signature.length != 0 && signed.timestamp > _stored.updatedAt) {
            address signer = verifyPrice(signed.price, signed.timestamp, signed.validUntil, signed.signature);
            _store(signed.price, signed.timestamp, signer);
        }
        return freshPrice();
    }

    /* OWNER FUNCTIONS */

    /// @inheritdoc ISecurityPriceOracle
    function setAuthorizedSigner(address signer, bool isAuthorized) external onlyOwner {
        if (_isAuthorized[signer] == isAuthorized) return;
        _isAuthorized[signer] = isAuthorized;
        signerCount = isAuthorized ? signerCount + 1 : signerCount - 1;
        emit SignerSet(signer, isAuthorized);
    }

    /// @inheritdoc ISecurityPriceOracle
    function setMaxPriceAge(uint256 newMaxPriceAge) external onlyOwner {
        require(newMaxPriceAge >= 60 && newMaxPriceAge <= 30 days, InvalidMaxPriceAge(newMaxPriceAge));
        // forge-lint: disable-next-line(unsafe-typecast)
        _stored.maxPriceAge = uint32(newMaxPriceAge);
        emit MaxPriceAgeSet(newMaxPriceAge);
    }

    /// @inheritdoc ISecurityPriceOracle
    function setMaxDeviation(uint256 newMaxDeviationBps) external onlyOwner {
        require(newMaxDeviationBps != 0 && newMaxDeviationBps <= BPS, InvalidMaxDeviation(newMaxDeviationBps));
        // forge-lint: disable-next-line(unsafe-typecast)
        _stored.maxDeviationBps = uint16(newMaxDeviationBps);
        emit MaxDeviationSet(newMaxDeviationBps);
    }

    /* INTERNAL */

    function _store(uint256 newPrice, uint256 timestamp, address updater) private {
        require(newPrice != 0 && newPrice <= type(uint104).max, InvalidPrice(newPrice));
        Stored memory stored = _stored;
        require(timestamp > stored.updatedAt, PriceNotNewer(timestamp, stored.updatedAt));
        require(
            _isWithin(newPrice, stored.price, stored.maxDeviationBps),
            PriceDeviationTooLarge(newPrice, stored.price, stored.maxDeviationBps)
        );
        Window memory window = _window;
        if (block.timestamp >= window.openedAt + WINDOW) {
            // The hour opens at the price it found, not at the one that opens it.
            _window = Window(stored.price, uint40(block.timestamp));
        } else {
            require(
                _isWithin(newPrice, window.price, stored.maxDeviationBps),
                PriceWindowDeviationTooLarge(newPrice, window.price, stored.maxDeviationBps)
            );
        }
        // forge-lint: disable-next-line(unsafe-typecast)
        (_stored.price, _stored.updatedAt) = (uint104(newPrice), uint40(timestamp));
        emit PriceUpdated(stored.price, newPrice, timestamp, updater);
    }

    function _isWithin(uint256 newPrice, uint256 storedPrice, uint256 deviationBps) private pure returns (bool) {
        uint256 distance = newPrice > storedPrice ? newPrice - storedPrice : storedPrice - newPrice;
        return distance * BPS <= storedPrice * deviationBps;
    }

    /* VIEWS */

    /// @inheritdoc ISecurityPriceOracle
    function freshPrice() public view returns (uint256) {
        Stored memory stored = _stored;
        require(
            block.timestamp <= uint256(stored.updatedAt) + stored.maxPriceAge,
            PriceStale(stored.updatedAt, stored.maxPriceAge)
        );
        return stored.price;
    }

    /// @inheritdoc ISecurityPriceOracle
    function verifyPrice(uint256 price_, uint256 timestamp, uint256 validUntil, bytes calldata signature)
        public
        view
        returns (address signer)
    {
        require(block.timestamp <= validUntil, SignedPriceExpired(validUntil));
        require(timestamp <= block.timestamp, SignedPriceFromFuture(timestamp));
        uint256 maxAge = _stored.maxPriceAge;
        require(block.timestamp <= timestamp + maxAge, SignedPriceTooOld(timestamp, maxAge));
        bytes32 structHash = keccak256(abi.encode(PRICE_UPDATE_TYPEHASH, price_, timestamp, validUntil));
        signer = ECDSA.recover(_hashTypedDataV4(structHash), signature);
        require(isSigner(signer), NotSigner(signer));
    }

    /// @inheritdoc ISecurityPriceOracle
    function isSigner(address account) public view returns (bool) {
        return _isAuthorized[account] || account == owner();
    }

    /// @inheritdoc ISecurityPriceOracle
    function isStale() external view returns (bool) {
        return block.timestamp > uint256(_stored.updatedAt) + _stored.maxPriceAge;
    }

    /// @inheritdoc ISecurityPriceOracle
    function price() external view returns (uint256) {
        return _stored.price;
    }

    /// @inheritdoc ISecurityPriceOracle
    function updatedAt() external view returns (uint256) {
        return _stored.updatedAt;
    }

    /// @inheritdoc ISecurityPriceOracle
    function maxPriceAge() external view returns (uint256) {
        return _stored.maxPriceAge;
    }

    /// @inheritdoc ISecurityPriceOracle
    function maxDeviationBps() external view returns (uint256) {
        return _stored.maxDeviationBps;
    }
}
