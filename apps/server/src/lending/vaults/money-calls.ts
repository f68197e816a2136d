import { at } from '../core/calls.ts'

export const depositCall = at('vault', 'deposit', 'Deposited')
export const redeemCall = at('vault', 'redeem', 'Redeemed')
