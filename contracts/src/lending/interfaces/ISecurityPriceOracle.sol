// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// @notice A price that somebody signed off chain. Whoever holds it may submit it until it expires.
struct SignedPrice {
    uint256 price;
    uint256 timestamp;
    uint256 validUntil;
    bytes signature;
}

/// @notice One price, pushed or signed by authorized signers: smallest units of the borrow asset per whole collateral
/// token. A step, and all steps of one hour together, move it by at most the allowed deviation.
/// @dev The owner authorizes signers and sets the two limits, nothing more; it counts as a signer itself.
interface ISecurityPriceOracle {
    event PriceUpdated(uint256 previousPrice, uint256 newPrice, uint256 timestamp, address indexed updater);
    event SignerSet(address indexed signer, bool isAuthorized);
    event MaxPriceAgeSet(uint256 maxPriceAge);
    event MaxDeviationSet(uint256 maxDeviationBps);

    error NotSigner(address account);
    error InvalidPrice(uint256 price);
    error InvalidMaxPriceAge(uint256 maxPriceAge);
    error InvalidMaxDeviation(uint256 maxDeviationBps);
    error PriceDeviationTooLarge(uint256 price, uint256 storedPrice, uint256 maxDeviationBps);
    error PriceWindowDeviationTooLarge(uint256 price, uint256 windowPrice, uint256 maxDeviationBps);
    error PriceNotNewer(uint256 timestamp, uint256 storedTimestamp);
    error SignedPriceExpired(uint256 validUntil);
    error SignedPriceFromFuture(uint256 timestamp);
    error SignedPriceTooOld(uint256 timestamp, uint256 maxPriceAge);
    error PriceStale(uint256 updatedAt, uint256 maxPriceAge);

    /// @notice Pushes a price of now; reverts in the second of the stored one. Only signers.
    function updatePrice(uint256 newPrice) external;

    /// @notice Submits a signed price. Anyone; reverts unless it is newer than the stored one.
    function updatePriceWithSignature(uint256 price, uint256 timestamp, uint256 validUntil, bytes calldata signature)
        external;

    /// @notice The fresh price for a lending call that carries a signed one. An empty signature, or a signed price that
    /// is not newer than the stored one, is skipped; then the stored price has to be fresh.
    function refresh(SignedPrice calldata signedPrice) external returns (uint256 price);

    /// @notice Only the owner.
    function setAuthorizedSigner(address signer, bool isAuthorized) external;

    /// @notice Between one minute and thirty days. Only the owner.
    function setMaxPriceAge(uint256 newMaxPriceAge) external;

    /// @notice Between 1 and 10,000 bps. Only the owner.
    function setMaxDeviation(uint256 newMaxDeviationBps) external;

    /// @notice The stored price; reverts when it is stale.
    function freshPrice() external view returns (uint256);

    function price() external view returns (uint256);

    /// @notice The second for which the stored price was given.
    function updatedAt() external view returns (uint256);

    function isStale() external view returns (bool);

    function maxPriceAge() external view returns (uint256);

    function maxDeviationBps() external view returns (uint256);

    /// @notice Signers besides the owner.
    function signerCount() external view returns (uint256);

    function isSigner(address account) external view returns (bool);

    /// @notice Who signed, or the error `updatePriceWithSignature` would answer.
    function verifyPrice(uint256 price, uint256 timestamp, uint256 validUntil, bytes calldata signature)
        external
        view
        returns (address signer);
}
