// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {StockStorage, stockStorage} from "../StockStorage.sol";
import {IStockToken} from "../interfaces/IStockToken.sol";
import {LedgerLib} from "../libraries/LedgerLib.sol";
import {Rule, RuleLib} from "../libraries/RuleLib.sol";
import {RefusalModule} from "../modules/RefusalModule.sol";
import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/// @title StockERC20
/// @notice What a holder does: ERC-20 and ERC-2612. The implementation knows neither the token's name nor its address, so
/// the domain of signatures is worked out at each use.
abstract contract StockERC20 is IStockToken, IERC20Metadata, IERC20Permit, IERC5267, IERC20Errors {
    using LedgerLib for StockStorage;
    using RuleLib for StockStorage;

    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    string private constant DOMAIN_VERSION = "1";

    error ERC2612ExpiredSignature(uint256 deadline);
    error ERC2612InvalidSigner(address signer, address owner);

    /* HOLDER FUNCTIONS */

    /// @inheritdoc IERC20
    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    /// @inheritdoc IERC20
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        stockStorage().spendAllowance(from, msg.sender, amount);
        _transfer(from, to, amount);
        return true;
    }

    /// @inheritdoc IERC20
    function approve(address spender, uint256 amount) external returns (bool) {
        _approve(msg.sender, spender, amount);
        return true;
    }

    /// @inheritdoc IERC20Permit
    function permit(address owner_, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, ERC2612ExpiredSignature(deadline));
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, owner_, spender, value, stockStorage().nonces[owner_]++, deadline));
        address signer = ECDSA.recover(MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash), v, r, s);
        require(signer == owner_, ERC2612InvalidSigner(signer, owner_));
        _approve(owner_, spender, value);
    }

    /* INTERNAL */

    function _transfer(address from, address to, uint256 amount) private {
        StockStorage storage s = stockStorage();
        Rule rule = s.firstBroken(from, to, amount);
        if (rule != Rule.SUCCESS) {
            require(rule != Rule.SPLIT_UNDER_WAY, SplitUnderWay());
            RefusalModule.refuse(rule);
        }
        s.move(from, to, amount);
    }

    function _approve(address from, address spender, uint256 amount) private {
        require(spender != address(0), ERC20InvalidSpender(spender));
        stockStorage().allowances[from][spender] = amount;
        emit Approval(from, spender, amount);
    }

    /* VIEWS */

    function name() external view returns (string memory) {
        return stockStorage().name;
    }

    function symbol() external view returns (string memory) {
        return stockStorage().symbol;
    }

    function decimals() external view returns (uint8) {
        return stockStorage().decimals;
    }

    function totalSupply() external view returns (uint256) {
        return stockStorage().totalSupply;
    }

    function balanceOf(address account) external view returns (uint256) {
        return stockStorage().accounts[account].balance;
    }

    function allowance(address account, address spender) external view returns (uint256) {
        return stockStorage().allowances[account][spender];
    }

    function nonces(address account) external view returns (uint256) {
        return stockStorage().nonces[account];
    }

    /// @inheritdoc IERC20Permit
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256(bytes(stockStorage().name)),
                keccak256(bytes(DOMAIN_VERSION)),
                block.chainid,
                address(this)
            )
        );
    }

    /// @inheritdoc IERC5267
    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        // Of the five fields of a domain all but the salt.
        return (hex"0f", stockStorage().name, DOMAIN_VERSION, block.chainid, address(this), 0, new uint256[](0));
    }

    /// @inheritdoc IStockToken
    function canTransfer(address from, address to, uint256 amount)
        external
        view
        returns (TransferRestrictionCode code, string memory rule)
    {
        return RefusalModule.explain(stockStorage().firstBroken(from, to, amount));
    }
}
