import { signedOrderSettlementAbi, tradingVaultAbi, vaultModuleAbi } from '@tallystick/abi'
import type { Abi, Hex } from 'viem'
import { explainReverts, type RevertTable } from '../../platform/chain/reverts.ts'
import { decodeRevert } from '../../platform/chain/selectors.ts'
import { earlierAbi } from '../contracts.ts'
import { hindranceOf } from './delivery.rules.ts'

export const refusingAbis: readonly Abi[] = [tradingVaultAbi, signedOrderSettlementAbi, vaultModuleAbi, earlierAbi]

/** What kills one of the two signatures for good. */
const deadOrders: RevertTable = {
  OrderIsCancelled: { code: 'ORDER_CANCELLED', message: 'The trader has cancelled the order on chain.' },
  OrderExpired: { code: 'ORDER_EXPIRED', message: 'The signature of the order has expired.' },
  NonceBelowFloor: { code: 'NONCE_BELOW_FLOOR', message: 'The trader has raised the nonce floor above the order.' },
  SaltPrefixMismatch: {
    code: 'ORDER_BEFORE_SPLIT',
    message: 'The order was signed before one of its tokens was split.',
  },
  Overfilled: { code: 'ORDER_OVERFILLED', message: 'The order has less left on chain than the trade.' },
  BadSignature: { code: 'SIGNATURE_INVALID', message: 'The wallet does not stand by its signature.' },
}

/** What the pair, the price or the fees make impossible. */
const badTerms: RevertTable = {
  TradeAlreadySettled: { code: 'TRADE_ALREADY_SETTLED', message: 'The trade is settled on chain already.' },
  MarketMismatch: { code: 'MARKET_MISMATCH', message: 'The two orders name different tokens.' },
  SideMismatch: { code: 'SIDE_MISMATCH', message: 'Both orders are on one side.' },
  SelfTrade: { code: 'SELF_TRADE', message: 'Both orders are of one wallet.' },
  PriceOutsideLimit: { code: 'PRICE_OUTSIDE_LIMIT', message: 'The price is outside the limit of an order.' },
  FillTooSmall: { code: 'FILL_TOO_SMALL', message: 'The trade is worth too little for the contract.' },
  FeeAboveMaximum: { code: 'FEE_ABOVE_MAXIMUM', message: 'The fee is above what the order allows so far.' },
  FeeAboveProceeds: { code: 'FEE_ABOVE_PROCEEDS', message: 'The fee is more than the seller gets.' },
  RebateAboveFee: { code: 'REBATE_ABOVE_FEE', message: "The rebate is more than the taker's fee." },
  ZeroQuantity: { code: 'ZERO_QUANTITY', message: 'The trade is about nothing.' },
  DoesNotFit: { code: 'AMOUNT_TOO_LARGE', message: 'An amount is larger than the contract counts.' },
}

/** What money, rules and switches stand in the way with, for now. */
const notNow: RevertTable = {
  CommittedTooLow: { code: 'COMMITTED_TOO_LOW', message: 'A party has committed less than it has to give.' },
  UserIsFrozen: { code: 'USER_FROZEN', message: 'A party is frozen in the vault.' },
  TokenRuleRefused: { code: 'TOKEN_RULE_REFUSED', message: 'The rules of the token refuse a party.' },
  TokenNotSupported: { code: 'TOKEN_NOT_SUPPORTED', message: 'The vault does not support a token of the pair.' },
  SettlementIsPaused: { code: 'SETTLEMENT_PAUSED', message: 'The vault settles nothing for now.' },
  SplitUnreadable: { code: 'SPLIT_UNDER_WAY', message: 'The token is being split, or does not tell its ratio.' },
  SplitNotCovered: { code: 'SPLIT_NOT_COVERED', message: 'The token says it was split, and the vault has nothing.' },
  DeliveryRefused: { code: 'DELIVERY_REFUSED', message: 'The security cannot be delivered from seller to buyer now.' },
  SecurityLegFailed: { code: 'SECURITY_LEG_FAILED', message: 'The token moved another amount than it was asked to.' },
  FrozenPartTouched: { code: 'FROZEN_PART_TOUCHED', message: 'The delivery would take shares that are frozen.' },
  CashLegFailed: { code: 'CASH_LEG_FAILED', message: 'The money moved in another amount than it was asked to.' },
  SafeERC20FailedOperation: { code: 'CASH_LEG_FAILED', message: 'The buyer has too little money or allowance.' },
  QuoteAssetNotAllowed: { code: 'QUOTE_ASSET_NOT_ALLOWED', message: 'The security is not sold for this money.' },
  NoFeeRecipient: { code: 'NO_FEE_RECIPIENT', message: 'The security has nobody to pay the fee to.' },
  NotOperator: { code: 'NOT_OPERATOR', message: 'The signer is no operator.' },
  NeedsMoreGas: { code: 'NEEDS_MORE_GAS', message: 'A call would get less gas than it is promised.' },
  BatchNeedsMoreGas: { code: 'NEEDS_MORE_GAS', message: 'The gas does not suffice to try all trades.' },
}

const notWhileSettling = { unreachable: 'not raised by settling' } as const
const elsewhere: RevertTable = Object.fromEntries(
  [
    ...['AddressEmptyCode', 'AddressIsZero', 'BadRelease', 'ERC1967InvalidImplementation', 'ERC1967NonPayable'],
    ...['EndOutOfRange', 'FailedCall', 'FreeBalanceTooLow', 'InvalidBatchSize', 'InvalidInitialization'],
    ...['InvalidShortString', 'NonceFloorNotRaised', 'NotAdmin', 'NotAdminOrOperator', 'NotAnUpgrade'],
    ...['NotInitializing', 'NotPendingAdmin', 'NotSelf', 'NothingRequested', 'ReceivedOtherAmount'],
    ...['ReentrancyGuardReentrantCall', 'ReleaseAlreadyUsed', 'ReleaseExpired', 'SentOtherAmount', 'StringTooLong'],
    ...['TokenAlreadySupported', 'TokenChanged', 'TokenUnreadable', 'TooSoon', 'UUPSUnauthorizedCallContext'],
    ...['UUPSUnsupportedProxiableUUID', 'UpgradeLapsed', 'UpgradeNotAnnounced', 'UpgradeNotReady'],
    ...['WithdrawalsArePaused', 'ZeroAmount', 'NotPendingSecurityAdmin', 'NotSecurityAdmin', 'NotSecurityAuthority'],
    ...['FrozenByAdmin', 'NoCodeAt', 'SplitsNotFollowed', 'UpgradeCodeChanged'],
    ...['SecurityAlreadyRegistered', 'SecurityNotRegistered', 'SecurityUnreadable'],
  ].map((name) => [name, notWhileSettling]),
)

export const settlementReverts: RevertTable = { ...deadOrders, ...badTerms, ...notNow, ...elsewhere }

export const explainSettlement = explainReverts(refusingAbis, settlementReverts)

/** Refusals by the rules of a token, rather than for want of money or by the venue. */
const deliveryCodes: ReadonlySet<string> = new Set([
  'DELIVERY_REFUSED',
  'TOKEN_RULE_REFUSED',
  'FROZEN_PART_TOUCHED',
  'SECURITY_LEG_FAILED',
])

/** The condition of the delivery that failed, by name; null: the trade was refused for something else. */
function failedCondition(data: Hex): string | null {
  try {
    const { errorName, args } = decodeRevert(signedOrderSettlementAbi, data)
    return errorName === 'DeliveryRefused' ? (hindranceOf(args[1])?.rule ?? null) : null
  } catch {
    // Not an error of that contract.
    return null
  }
}

/** Why a trade was refused: as narrow as it can be told. */
export function refusalOf(data: Hex): { reason: string; message: string; isDelivery: boolean } {
  const { code, error, message } = explainSettlement(data)
  const isDelivery = code !== null && deliveryCodes.has(code)
  return { reason: failedCondition(data) ?? code ?? error, message, isDelivery }
}
